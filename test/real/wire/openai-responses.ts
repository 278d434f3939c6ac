import { type Json, list, object, objects, plain, string } from '../../../src/sources/json.ts'
import {
  argumentsText,
  type OfferedTool,
  pieces,
  type Reply,
  type ReplyCall,
  type Said,
  type ServerEvent,
  type Wire,
} from './wire.ts'

/** OpenAI's Responses API. */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  answers: (url) => url.pathname.endsWith('/responses'),
  read(body) {
    const input =
      typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : objects(body.input)
    // Newer models are told of their tools within the conversation, or have to search for them.
    const told = input.filter((item) => item.type === 'additional_tools')
    const found = input.filter((item) => item.type === 'tool_search_output')
    return {
      model: string(body.model) ?? '',
      stream: body.stream === true,
      said: [
        { by: 'system', text: string(body.instructions) ?? '' },
        ...input.filter((item) => !told.includes(item)).map(saidIn),
      ],
      tools: [body, ...told, ...found]
        .flatMap((place) => objects(place.tools))
        .flatMap((tool) => toolsIn(tool)),
      noTools: body.tool_choice === 'none',
    }
  },
  whole: (reply) => response(reply, reply.finish ? 'incomplete' : 'completed', items(reply)),
  *events(reply) {
    let number = 0
    for (const data of steps(reply)) {
      yield { event: String(data.type), data: { ...data, sequence_number: number++ } } satisfies ServerEvent
    }
  },
}

/** A tool without a name, which the client runs. */
const SEARCH = 'tool_search'

function saidIn(item: Json): Said {
  const type = string(item.type) ?? 'message'
  if (type.endsWith('_output')) return { by: 'tool', text: plain(item.output ?? item.tools) }
  if (type !== 'message') return { by: 'model', text: plain(item.arguments ?? item.input) }
  const text = typeof item.content === 'string' ? item.content : partsOf(item.content)
  if (item.role === 'assistant') return { by: 'model', text }
  return { by: item.role === 'user' ? 'user' : 'system', text }
}

function partsOf(content: unknown): string {
  return list(content)
    .map((part) => string(object(part)?.text) ?? '')
    .join('\n')
}

function toolsIn(tool: Json, namespace?: string): OfferedTool[] {
  const name = string(tool.name)
  if (tool.type === SEARCH) return [{ name: SEARCH }]
  if (tool.type === 'namespace') return objects(tool.tools).flatMap((each) => toolsIn(each, name))
  return name ? [{ name, freeform: tool.type === 'custom', namespace }] : []
}

function* steps(reply: Reply): Iterable<Json> {
  yield { type: 'response.created', response: response(reply, 'in_progress', []) }
  yield { type: 'response.in_progress', response: response(reply, 'in_progress', []) }
  const output = items(reply)
  for (const [output_index, item] of output.entries()) {
    const at = { item_id: item.id, output_index }
    yield { type: 'response.output_item.added', output_index, item: emptied(item) }
    if (item.type === 'reasoning') yield* thought(at, reply.thinking ?? '')
    else if (item.type === 'message') yield* spoken(at, reply.text ?? '')
    else if (item.type === `${SEARCH}_call`) yield* []
    else if (item.type === 'custom_tool_call') {
      for (const delta of pieces(String(item.input)))
        yield { type: 'response.custom_tool_call_input.delta', ...at, delta }
      yield { type: 'response.custom_tool_call_input.done', ...at, input: item.input }
    } else {
      for (const delta of pieces(String(item.arguments)))
        yield { type: 'response.function_call_arguments.delta', ...at, delta }
      yield { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments }
    }
    yield { type: 'response.output_item.done', output_index, item }
  }
  const status = reply.finish ? 'incomplete' : 'completed'
  yield { type: `response.${status}`, response: response(reply, status, output) }
}

function* thought(item: Json, text: string): Iterable<Json> {
  const at = { ...item, summary_index: 0 }
  yield {
    type: 'response.reasoning_summary_part.added',
    ...at,
    part: { type: 'summary_text', text: '' },
  }
  for (const delta of pieces(text)) yield { type: 'response.reasoning_summary_text.delta', ...at, delta }
  yield { type: 'response.reasoning_summary_text.done', ...at, text }
  yield { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } }
}

function* spoken(item: Json, text: string): Iterable<Json> {
  const at = { ...item, content_index: 0 }
  yield { type: 'response.content_part.added', ...at, part: outputText('') }
  for (const delta of pieces(text)) yield { type: 'response.output_text.delta', ...at, delta, logprobs: [] }
  yield { type: 'response.output_text.done', ...at, text, logprobs: [] }
  yield { type: 'response.content_part.done', ...at, part: outputText(text) }
}

function items({ id, thinking, text, calls }: Reply): Json[] {
  return [
    ...(thinking
      ? [
          {
            type: 'reasoning',
            id: `rs_${id}`,
            summary: [{ type: 'summary_text', text: thinking }],
            encrypted_content: `Z0FBQUFB${id}`,
          },
        ]
      : []),
    ...(text
      ? [
          {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [outputText(text)],
          },
        ]
      : []),
    ...calls.map(calling),
  ]
}

function calling({ id: call_id, tool: { name, namespace, freeform }, args }: ReplyCall): Json {
  if (name === SEARCH) {
    const search = { type: `${SEARCH}_call`, execution: 'client', arguments: args }
    return { ...search, id: `tsc_${call_id}`, call_id, status: 'completed' }
  }
  return {
    type: freeform ? 'custom_tool_call' : 'function_call',
    id: `${freeform ? 'ctc' : 'fc'}_${call_id}`,
    call_id,
    name,
    ...(namespace && { namespace }),
    status: 'completed',
    ...(freeform ? { input: plain(args) } : { arguments: argumentsText(args) }),
  }
}

function emptied(item: Json): Json {
  if (item.type === 'reasoning') return { ...item, summary: [] }
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === `${SEARCH}_call`) return { ...item, status: 'in_progress', arguments: {} }
  return { ...item, status: 'in_progress', ...('input' in item ? { input: '' } : { arguments: '' }) }
}

function outputText(text: string): Json {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function response(reply: Reply, status: 'in_progress' | 'completed' | 'incomplete', output: Json[]): Json {
  const { input, output: written, cached, reasoning } = reply.tokens
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: Math.floor(reply.createdAt / 1000),
    status,
    model: reply.model,
    output,
    error: null,
    incomplete_details:
      status === 'incomplete'
        ? { reason: reply.finish === 'length' ? 'max_output_tokens' : 'content_filter' }
        : null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage:
      status === 'in_progress'
        ? null
        : {
            input_tokens: input,
            input_tokens_details: { cached_tokens: cached },
            output_tokens: written,
            output_tokens_details: { reasoning_tokens: reasoning },
            total_tokens: input + written,
          },
  }
}
