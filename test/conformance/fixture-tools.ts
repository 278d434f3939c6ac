import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { ENUM_FIELDS, FIELDS_WITH_DEFAULTS, PIXEL, SCHEMA_2020_12, SILENCE } from './fixture-data.ts'

type Call = (args: Record<string, unknown>, ctx: ServerContext) => Answer | Promise<Answer>
type Answer = CallToolResult | InputRequiredResult

interface FixtureTool {
  description: string
  inputSchema?: Tool['inputSchema']
  call: Call
}

/** The tools that the conformance suite calls by name. */
export const FIXTURE_TOOLS: Record<string, FixtureTool> = {
  test_simple_text: { description: 'Says a sentence', call: () => said('A plain answer.') },
  test_image_content: {
    description: 'Shows a pixel',
    call: () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }),
  },
  test_audio_content: {
    description: 'Plays silence',
    call: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'Hands over a resource',
    call: () => ({
      content: [
        {
          type: 'resource',
          resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    description: 'Answers in three ways at once',
    call: () => ({
      content: [
        { type: 'text', text: 'A sentence, a pixel and a resource:' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"n":1}' },
        },
      ],
    }),
  },
  test_tool_with_logging: { description: 'Logs three lines', call: logging },
  test_logging_tool: { description: 'Logs three lines at once', call: (_, ctx) => logging(_, ctx, 0) },
  test_tool_with_progress: { description: 'Tells how far it is', call: progressing },
  test_error_handling: {
    description: 'Fails',
    call: () => ({ ...said('It failed, as it should.'), isError: true }),
  },
  test_sampling: {
    description: "Asks the client's model",
    inputSchema: takes('prompt'),
    call: ({ prompt }, ctx) => asked('sample', sampling(String(prompt)), ctx),
  },
  test_elicitation: {
    description: 'Asks the person',
    inputSchema: takes('message'),
    call: ({ message }, ctx) => asked('person', form(String(message), strings('username', 'email')), ctx),
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks the person, with defaults',
    call: (_, ctx) => asked('person', form('About you', { properties: FIELDS_WITH_DEFAULTS }), ctx),
  },
  test_elicitation_sep1330_enums: {
    description: 'Lets the person choose',
    call: (_, ctx) => asked('person', form('Choose', { properties: ENUM_FIELDS }), ctx),
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with everything in it',
    inputSchema: SCHEMA_2020_12,
    call: () => said('Never looked at.'),
  },
  test_missing_capability: {
    description: "Needs the client's model",
    call: (_, ctx) => asked('sample', sampling('Say hello'), ctx),
  },
  test_streaming_elicitation: {
    description: 'Asks the person',
    call: (_, ctx) => asked('user_name', nameForm(), ctx),
  },
  test_input_required_result_elicitation: {
    description: 'Asks for a name',
    call: (_, ctx) => asked('user_name', nameForm(), ctx),
  },
  test_input_required_result_sampling: {
    description: "Asks the client's model",
    call: (_, ctx) => asked('answer', sampling('What is the capital of France?'), ctx),
  },
  test_input_required_result_list_roots: {
    description: "Asks for the client's folders",
    call: (_, ctx) => asked('client_roots', inputRequired.listRoots(), ctx),
  },
  test_input_required_result_request_state: { description: 'Asks, and remembers', call: confirming },
  test_input_required_result_tampered_state: { description: 'Asks, and remembers', call: confirming },
  test_input_required_result_multiple_inputs: {
    description: 'Asks for three things at once',
    call: async (_, ctx) =>
      ctx.mcpReq.inputResponses
        ? said('Thank you.')
        : inputRequired({
            inputRequests: {
              user_name: nameForm(),
              greeting: sampling('Make up a greeting'),
              client_roots: inputRequired.listRoots(),
            },
            requestState: await states.mint({ step: 1 }),
          }),
  },
  test_input_required_result_multi_round: { description: 'Asks twice', call: askingTwice },
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client can do',
    call: (_, ctx) => {
      const { [CLIENT_CAPABILITIES_META_KEY]: offered }: Record<string, unknown> = { ...ctx.mcpReq.envelope }
      const can = (what: string) => typeof offered === 'object' && offered !== null && what in offered
      return inputRequired({
        inputRequests: {
          ...(can('sampling') && { greeting: sampling('Make up a greeting') }),
          ...(can('elicitation') && { user_name: nameForm() }),
        },
      })
    },
  },
}

const states = createRequestStateCodec<{ step: number }>({ key: 'conformance '.repeat(4) })

/** Asks for one thing; once it is there, says what came. */
export function asked(key: string, request: InputRequest, { mcpReq }: ServerContext): Answer {
  const response = inputResponse(mcpReq.inputResponses, key)
  return response.kind === 'missing'
    ? inputRequired({ inputRequests: { [key]: request } })
    : said(JSON.stringify(response))
}

async function confirming(_: unknown, ctx: ServerContext): Promise<Answer> {
  const { step } = await stateOf(ctx)
  if (step === 1) return said('state-ok')
  const confirm = form('Please confirm', { properties: { ok: { type: 'boolean' } }, required: ['ok'] })
  return inputRequired({ inputRequests: { confirm }, requestState: await states.mint({ step: 1 }) })
}

async function askingTwice(_: unknown, ctx: ServerContext): Promise<Answer> {
  const { step } = await stateOf(ctx)
  if (step === 2) return said('Thank you.')
  const next = step + 1
  return inputRequired({
    inputRequests: { [`step${next}`]: next === 1 ? nameForm() : form('Which colour?', strings('color')) },
    requestState: await states.mint({ step: next }),
  })
}

async function stateOf(ctx: ServerContext): Promise<{ step: number }> {
  const state = ctx.mcpReq.requestState<string>()
  if (state === undefined) return { step: 0 }
  return await states.verify(state, ctx).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This is not the state that was given out')
  })
}

/** One of the checks wants a pause between the lines, another gives it half a second in all. */
async function logging(_: unknown, { mcpReq }: ServerContext, pauseMs = 50): Promise<Answer> {
  for (const line of ['started', 'half done', 'done']) {
    await mcpReq.log('info', line)
    await sleep(pauseMs)
  }
  return said('Logged.')
}

async function progressing(_: unknown, { mcpReq }: ServerContext): Promise<Answer> {
  const progressToken = mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    }
    await sleep(50)
  }
  return said('Done.')
}

function said(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] }
}

function sampling(text: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  })
}

type Fields = Pick<ElicitRequestFormParams['requestedSchema'], 'properties' | 'required'>

export function form(message: string, fields: Fields): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: { type: 'object', ...fields } })
}

function nameForm(): InputRequest {
  return form('What is your name?', strings('name'))
}

export function strings(...names: string[]): Fields {
  return {
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    required: names,
  }
}

function takes(name: string): Tool['inputSchema'] {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] }
}
