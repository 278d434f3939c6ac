import { type Json, list, object, objects, plain, string } from '../../../src/sources/json.ts'
import { argumentsText, pieces, type Reply, type Said, type ServerEvent, type Wire } from './wire.ts'

/** Anthropic's Messages API. */
export const anthropic: Wire = {
  name: 'anthropic-messages',
  answers: (url) => url.pathname.endsWith('/v1/messages'),
  read: (body) => ({
    model: string(body.model) ?? '',
    stream: body.stream === true,
    said: [
      ...textsOf(body.system).map((text): Said => ({ by: 'system', text })),
      ...objects(body.messages).flatMap(saidIn),
    ],
    tools: objects(body.tools).map((tool) => ({ name: string(tool.name) ?? '' })),
    noTools: object(body.tool_choice)?.type === 'none',
  }),
  whole: (reply) => ({ ...message(reply), content: blocks(reply), stop_reason: stopReason(reply) }),
  *events(reply) {
    yield event('message_start', { message: { ...message(reply), content: [], stop_reason: null } })
    yield event('ping', {})
    for (const [index, block] of blocks(reply).entries()) {
      yield event('content_block_start', { index, content_block: emptied(block) })
      for (const delta of deltas(block)) yield event('content_block_delta', { index, delta })
      yield event('content_block_stop', { index })
    }
    yield event('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: { output_tokens: reply.tokens.output },
    })
    yield event('message_stop', {})
  },
}

function saidIn(entry: Json): Said[] {
  const by = entry.role === 'assistant' ? 'model' : 'user'
  if (typeof entry.content === 'string') return [{ by, text: entry.content }]
  return objects(entry.content).map((block) => {
    if (block.type === 'tool_result') return { by: 'tool', text: textsOf(block.content).join('\n') }
    return { by, text: string(block.text) ?? plain(block.input) }
  })
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return list(content).map((block) => string(object(block)?.text) ?? '')
}

function message(reply: Reply): Json {
  const { input, output, cached } = reply.tokens
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
      output_tokens: output,
      service_tier: 'standard',
    },
  }
}

function blocks({ thinking, text, calls, id }: Reply): Json[] {
  return [
    ...(thinking ? [{ type: 'thinking', thinking, signature: `c2lnbmF0dXJl${id}` }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.tool.name, input: call.args })),
  ]
}

function emptied(block: Json): Json {
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

function* deltas(block: Json): Iterable<Json> {
  if (block.type === 'thinking') {
    for (const thinking of pieces(String(block.thinking))) yield { type: 'thinking_delta', thinking }
    yield { type: 'signature_delta', signature: block.signature }
  } else if (block.type === 'text') {
    for (const text of pieces(String(block.text))) yield { type: 'text_delta', text }
  } else {
    for (const partial_json of pieces(argumentsText(block.input)))
      yield { type: 'input_json_delta', partial_json }
  }
}

function stopReason(reply: Reply): string {
  if (reply.finish) return reply.finish === 'length' ? 'max_tokens' : 'refusal'
  return reply.calls.length > 0 ? 'tool_use' : 'end_turn'
}

function event(type: string, data: Json): ServerEvent {
  return { event: type, data: { type, ...data } }
}
