import { type Json, list, object, objects, string } from '../../../src/sources/json.ts'
import { argumentsText, pieces, type Reply, type Said, type ServerEvent, type Wire } from './wire.ts'

/** OpenAI's Chat Completions API, which most other servers imitate. */
export const openaiChat: Wire = {
  name: 'openai-chat',
  answers: (url) => url.pathname.endsWith('/chat/completions'),
  read: (body) => ({
    model: string(body.model) ?? '',
    stream: body.stream === true,
    said: objects(body.messages).map(saidIn),
    tools: objects(body.tools).map((tool) => ({ name: string(object(tool.function)?.name) ?? '' })),
    noTools: body.tool_choice === 'none',
  }),
  whole: (reply) => ({
    ...envelope(reply, 'chat.completion'),
    choices: [{ index: 0, message: message(reply), logprobs: null, finish_reason: finish(reply) }],
    usage: usage(reply),
  }),
  *events(reply, body) {
    const chunk = (delta: Json, finish_reason: string | null = null): ServerEvent => ({
      data: {
        ...envelope(reply, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      },
    })
    yield chunk({ role: 'assistant', content: '' })
    for (const reasoning_content of pieces(reply.thinking ?? '')) yield chunk({ reasoning_content })
    for (const content of pieces(reply.text ?? '')) yield chunk({ content })
    for (const [index, { id, tool, args }] of reply.calls.entries()) {
      const called = { index, id, type: 'function', function: { name: tool.name, arguments: '' } }
      yield chunk({ tool_calls: [called] })
      for (const piece of pieces(argumentsText(args)))
        yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
    yield chunk({}, finish(reply))
    if (object(body.stream_options)?.include_usage === true)
      yield { data: { ...envelope(reply, 'chat.completion.chunk'), choices: [], usage: usage(reply) } }
    yield { data: '[DONE]' }
  },
}

function saidIn(entry: Json): Said {
  const text = typeof entry.content === 'string' ? entry.content : partsOf(entry.content)
  if (entry.role === 'assistant') return { by: 'model', text }
  if (entry.role === 'tool' || entry.role === 'user') return { by: entry.role, text }
  return { by: 'system', text }
}

function partsOf(content: unknown): string {
  return list(content)
    .map((part) => string(object(part)?.text) ?? '')
    .join('\n')
}

function envelope({ id, model, createdAt }: Reply, kind: string): Json {
  return { id: `chatcmpl-${id}`, object: kind, created: Math.floor(createdAt / 1000), model }
}

function message({ thinking, text, calls }: Reply): Json {
  return {
    role: 'assistant',
    content: text ?? null,
    refusal: null,
    ...(thinking && { reasoning_content: thinking }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, tool, args }) => ({
        id,
        type: 'function',
        function: { name: tool.name, arguments: argumentsText(args) },
      })),
    }),
  }
}

function finish(reply: Reply): string {
  if (reply.finish) return reply.finish === 'length' ? 'length' : 'content_filter'
  return reply.calls.length > 0 ? 'tool_calls' : 'stop'
}

function usage({ tokens: { input, output, cached, reasoning } }: Reply): Json {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
