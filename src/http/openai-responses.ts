import { z } from 'zod'
import type { Earlier, RunParameters, SessionMessage } from '../agent/agent.ts'
import { RecollectError } from '../model/errors.ts'
import type { Backend } from './backend.ts'
import { placed } from './openai-dialogs.ts'
import { deskOf, modelOf, OWN, type Wanted } from './openai-run.ts'
import {
  argumentsOf,
  clientTool,
  content,
  contentOf,
  effort,
  functionTool,
  jsonOf,
  refused,
  refuseFields,
  type Said,
  textOf,
} from './openai-said.ts'

const item = z.looseObject({
  type: z.string().optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
  content: content.nullish(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  output: content.optional(),
})

export const responseAsked = z.looseObject({
  model: z.string().max(300).default(OWN).describe('`recollect`, or `provider/model`'),
  input: z.union([z.string(), z.array(item).min(1).max(10_000)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  reasoning: z.looseObject({ effort: effort.nullish() }).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(128)
    .nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.string(), name: z.string().optional() }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  metadata: z.looseObject({ session_id: z.string().optional() }).nullish(),
})
export type ResponseAsked = z.output<typeof responseAsked>

const REFUSED = [
  'background',
  'conversation',
  'prompt',
  'max_tool_calls',
  'top_logprobs',
  'context_management',
]

export async function responseWanted(
  backend: Backend,
  body: ResponseAsked,
  request: Request,
): Promise<Wanted> {
  refuseFields(body, REFUSED)
  const known = await deskOf(backend)
  const said: Said[] = [
    ...(body.instructions ? [{ role: 'system' as const, text: body.instructions }] : []),
    ...(typeof body.input === 'string'
      ? [{ role: 'user' as const, text: body.input }]
      : joined(body.input.flatMap(saidIn))),
  ]
  const before = body.previous_response_id ? await previous(known, body.previous_response_id) : undefined
  const session = request.headers.get('x-session-id') ?? body.metadata?.session_id ?? before?.sessionId
  const run = placed([...(before?.history ?? []), ...said], known.dialogs, session)
  return {
    ...known,
    said,
    run: {
      ...run,
      ...(await modelOf(known.agent, body.model)),
      parameters: parametersOf(body),
      clientTools: (body.tools ?? []).map((tool) => {
        if (tool.type !== 'function') throw refused(`tools of the type ${tool.type}`, 'Functions are taken.')
        return clientTool(functionTool.parse(tool))
      }),
      unattended: true,
    },
  }
}

/** The id of a response tells the dialog and how many answers there were before: nothing else has to be kept. */
export function responseId(sessionId: string, answers: number): string {
  return `resp_${sessionId.replaceAll('-', '')}_${answers}`
}

/** Where a response is: its dialog, how many answers there were before, and the message that it begins with. */
export async function responsePlace(
  { agent, dialogs }: Pick<Wanted, 'agent' | 'dialogs'>,
  id: string,
): Promise<{ sessionId: string; count: number; messages: SessionMessage[]; began: number }> {
  const unknown = new RecollectError(
    'NOT_FOUND',
    `There is no response ${id}.`,
    'Send the whole conversation as `input`.',
  )
  const [, hex, count] = /^resp_([0-9a-f]{32})_(\d{1,6})$/.exec(id) ?? []
  if (!hex || dialogs.isDeleted(id)) throw unknown
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const { messages, status } = await agent.session(sessionId).catch((error: unknown) => {
    if (error instanceof RecollectError && error.code !== 'SESSION_NOT_FOUND') throw error
    throw unknown
  })
  const answers = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const isBeginning = status === 'running' && Number(count) === answers.length
  const began = answers[Number(count)] ?? (isBeginning ? messages.length - 1 : undefined)
  if (began === undefined) throw unknown
  return { sessionId, count: Number(count), messages, began }
}

/** Goes on where that response ended; where the dialog has gone on since, another begins with what was said by then. */
async function previous(
  at: Pick<Wanted, 'agent' | 'dialogs'>,
  id: string,
): Promise<{ sessionId?: string; history?: Earlier[] }> {
  const { sessionId, messages, began } = await responsePlace(at, id)
  const upTo = messages.findIndex(({ role }, each) => role === 'user' && each > began)
  if (upTo < 0) return { sessionId }
  const history = messages.slice(0, upTo).map(({ role, text, toolCalls, toolResult }): Earlier => {
    if (role === 'tool') return { role, callId: toolResult?.id ?? '', text }
    if (role === 'user') return { role, text }
    const calls = toolCalls?.map(({ id: callId, tool, args }) => ({ id: callId, name: tool, args }))
    return { role, text, ...(calls && { calls }) }
  })
  return { history }
}

function parametersOf(asked: ResponseAsked): RunParameters {
  const { tool_choice: choice, text } = asked
  return {
    temperature: asked.temperature ?? undefined,
    topP: asked.top_p ?? undefined,
    maxOutputTokens: asked.max_output_tokens ?? undefined,
    reasoning: asked.reasoning?.effort ?? undefined,
    parallelToolCalls: asked.parallel_tool_calls === false ? false : undefined,
    toolChoice: choice ? choiceOf(choice) : undefined,
    json: jsonOf(text?.format?.type, text?.format, 'text.format'),
  }
}

function choiceOf(choice: NonNullable<ResponseAsked['tool_choice']>): RunParameters['toolChoice'] {
  if (typeof choice === 'string') return choice
  if (choice.type === 'function' && choice.name) return { tool: choice.name }
  throw refused(`tool_choice of the type ${choice.type}`)
}

function saidIn(given: z.output<typeof item>): Said[] {
  const { type = 'message', role, call_id: callId = '' } = given
  switch (type) {
    case 'message':
      if (role === 'user') return [{ role, ...contentOf(given.content) }]
      if (role === 'assistant') return [{ role, text: textOf(given.content) }]
      return [{ role: 'system', text: textOf(given.content) }]
    case 'function_call':
      return [
        {
          role: 'assistant',
          text: '',
          calls: [{ id: callId, name: given.name ?? '', args: argumentsOf(given.arguments ?? '') }],
        },
      ]
    case 'function_call_output':
      return [{ role: 'tool', callId, text: textOf(given.output) }]
    // Ours alone understands what it thought.
    case 'reasoning':
      return []
    default:
      throw refused(`input of the type ${type}`, 'Messages, function calls and their outputs are taken.')
  }
}

/** What one reply said and called comes as several items; to a model it is one message. */
function joined(said: Said[]): Said[] {
  const messages: Said[] = []
  for (const each of said) {
    const last = messages.at(-1)
    if (each.role !== 'assistant' || last?.role !== 'assistant') messages.push(each)
    else {
      const calls = [...(last.calls ?? []), ...(each.calls ?? [])]
      const text = [last.text, each.text].filter(Boolean).join('\n\n')
      messages[messages.length - 1] = { role: 'assistant', text, ...(calls.length > 0 && { calls }) }
    }
  }
  return messages
}
