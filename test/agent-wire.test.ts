import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { type Json, list, object, objects } from '../src/sources/json.ts'
import { APIS, type Api, agentBench, type Bench, testServer } from './agent-kit.ts'
import { type Script, startScriptedModel } from './real/scripted-model.ts'
import { RawArguments } from './real/wire/wire.ts'

/** Two good calls around one that fails, one unknown, the slower first: results must come back in order. */
const SCRIPT: Script = {
  when: 'both of them',
  turns: [
    {
      thinking: 'Two at once.',
      text: 'Asking both.',
      calls: [
        { tool: 'wait', args: { ms: 150, say: 'the slow one' } },
        { tool: 'fail', args: {} },
        { tool: 'no_such_tool', args: { a: 1 } },
        { tool: 'wait', args: { ms: 1, say: 'the fast one' } },
      ],
    },
    { text: 'Done.' },
  ],
}
const BAD: Script = {
  when: 'badly written',
  turns: [{ calls: [{ tool: 'wait', args: new RawArguments('{"ms": 1,') }] }, { text: 'I see.' }],
}

const SAID = [
  'the slow one',
  'Error: the disk is full',
  "Error: Tool 'no_such_tool' not found",
  'the fast one',
]

/** The calls and the results of a request as its API writes them: id, text, and the error flag where there is one. */
interface Written {
  calls: { id: unknown; tool: unknown }[]
  results: { id: unknown; text: unknown; error?: unknown }[]
}

const READ: Record<Api, (body: Json) => Written> = {
  anthropic(body) {
    const messages = objects(body.messages)
    const called = objects(messages.find(({ role }) => role === 'assistant')?.content)
    const answered = objects(messages.at(-1)?.content)
    assert.equal(messages.at(-1)?.role, 'user')
    return {
      calls: called.filter(({ type }) => type === 'tool_use').map(({ id, name }) => ({ id, tool: name })),
      results: answered.map(({ type, tool_use_id, content, is_error }) => {
        assert.equal(type, 'tool_result')
        const text = typeof content === 'string' ? content : object(list(content)[0])?.text
        return { id: tool_use_id, text, error: is_error ?? false }
      }),
    }
  },
  'openai chat': chat,
  'openai-compatible': chat,
  'openai responses'(body) {
    const input = objects(body.input)
    return {
      calls: input
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id, name }) => ({ id: call_id, tool: name })),
      results: input
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id, output }) => ({ id: call_id, text: output })),
    }
  },
  gemini(body) {
    const contents = objects(body.contents)
    const parts = (role: string) =>
      contents.filter((each) => each.role === role).flatMap((each) => objects(each.parts))
    return {
      calls: parts('model').flatMap(({ functionCall }) => {
        const call = object(functionCall)
        return call ? [{ id: call.id, tool: call.name }] : []
      }),
      results: parts('user').flatMap(({ functionResponse }) => {
        const response = object(functionResponse)
        if (!response) return []
        const said = object(response.response)
        return [
          {
            id: response.id,
            text: said?.content ?? said?.error ?? said?.output,
            error: 'error' in (said ?? {}),
          },
        ]
      }),
    }
  },
}

function chat(body: Json): Written {
  const messages = objects(body.messages)
  const assistants = messages.filter(({ role, tool_calls }) => role === 'assistant' && tool_calls)
  assert.equal(assistants.length, 1, 'all calls of one reply stand in one message')
  return {
    calls: objects(assistants[0]?.tool_calls).map(({ id, function: called }) => ({
      id,
      tool: object(called)?.name,
    })),
    results: messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => ({ id: tool_call_id, text: content })),
  }
}

const benches = new Map<Api, Promise<Bench>>()
after(async () => {
  for (const bench of benches.values()) await (await bench).close()
})
const model = await startScriptedModel([SCRIPT])
after(() => model.close())

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: results go back in the order of their calls, with ids, failures marked`, async () => {
    const bench = await started(api)
    const result = await bench.run('both of them')
    assert.equal(result.message, 'Done.')
    assert.deepEqual(
      result.toolResults.map(({ success, result: text }) => [success, text]),
      [
        [true, SAID[0]],
        [false, SAID[1]],
        [false, SAID[2]],
        [true, SAID[3]],
      ],
    )
    const [first, second] = bench.model.requests
    assert.equal(bench.model.requests.length, 2)
    assert.ok(
      first?.tools.some(({ name }) => name === 'wait') &&
        first.tools.some(({ name }) => name === 'list_chats'),
    )
    const { calls, results } = READ[api](second!.body)
    assert.deepEqual(
      calls.map(({ tool }) => tool),
      ['wait', 'fail', 'no_such_tool', 'wait'],
    )
    assert.deepEqual(
      results.map(({ id }) => id),
      calls.map(({ id }) => id),
    )
    assert.deepEqual(
      results.map(({ text }) => text),
      SAID,
    )
    if (results[0]?.error !== undefined)
      assert.deepEqual(
        results.map(({ error }) => error),
        [false, true, true, false],
      )
    assert.equal(JSON.stringify(second!.body).includes('test-key'), false)
    assert.ok(maxTokensIn(second!.body) > 0, 'the most that may be written is always said')
  })
}

function maxTokensIn(body: Json): number {
  const config = object(body.generationConfig)
  return Number(
    body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens ?? config?.maxOutputTokens ?? 0,
  )
}

for (const api of ['anthropic', 'openai chat', 'openai responses', 'openai-compatible'] as Api[]) {
  test(`${api}: arguments that are no JSON are reported to the model`, async () => {
    const bench = await started(api)
    const { message, toolResults } = await bench.run('badly written')
    assert.equal(message, 'I see.')
    assert.equal(toolResults[0]?.success, false)
    const { results } = READ[api](bench.model.requests.at(-1)!.body)
    assert.match(String(results[0]?.text), /^Error: The arguments for wait are not valid JSON: \{"ms": 1,/)
  })
}

test('what a model thought goes back to it with its signature, and keys stay out of every file', async () => {
  const bench = await started('anthropic')
  const { sessionId, events } = await bench.run('both of them')
  assert.equal(
    events.flatMap((event) => (event.type === 'thinking' ? event.text : [])).join(''),
    'Two at once.',
  )
  const body = bench.model.requests[1]!.body
  const assistant = objects(body.messages).find(({ role }) => role === 'assistant')
  const thought = objects(assistant?.content).find(({ type }) => type === 'thinking')
  assert.match(String(thought?.signature), /^c2lnbmF0dXJl/)
  const session = await bench.agent.session(sessionId)
  assert.equal(JSON.stringify(session).includes('test-key'), false)
})

const TOOL = { name: 'wait', description: 'Waits', parameters: { type: 'object', properties: {} } }

test("Anthropic's own SDK understands the scripted model, whole and as a stream", async () => {
  const client = new Anthropic({ apiKey: 'k', baseURL: model.url })
  const asked = {
    model: 'claude-sonnet-5',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'both of them' }],
    tools: [{ name: TOOL.name, description: TOOL.description, input_schema: { type: 'object' as const } }],
  }
  for (const message of [
    await client.messages.create(asked),
    await client.messages.stream(asked).finalMessage(),
  ]) {
    assert.equal(message.stop_reason, 'tool_use')
    const calls = message.content.flatMap((block) =>
      block.type === 'tool_use' ? [[block.name, block.input]] : [],
    )
    assert.deepEqual(calls[0], ['wait', { ms: 150, say: 'the slow one' }])
    assert.equal(calls.length, 4)
  }
})

test("OpenAI's own SDK understands the scripted model, both APIs, whole and as a stream", async () => {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${model.url}/v1` })
  const asked = {
    model: 'gpt-5',
    messages: [{ role: 'user' as const, content: 'both of them' }],
    tools: [{ type: 'function' as const, function: TOOL }],
  }
  const streamed = await client.chat.completions.stream(asked).finalChatCompletion()
  for (const { choices } of [await client.chat.completions.create(asked), streamed]) {
    assert.equal(choices[0]?.finish_reason, 'tool_calls')
    const [call] = choices[0]?.message.tool_calls ?? []
    assert.deepEqual(JSON.parse(call?.type === 'function' ? call.function.arguments : '{}'), {
      ms: 150,
      say: 'the slow one',
    })
  }
  const wanted = {
    model: 'gpt-5',
    input: 'both of them',
    tools: [{ type: 'function' as const, strict: false, ...TOOL }],
  }
  for (const { output } of [
    await client.responses.create(wanted),
    await client.responses.stream(wanted).finalResponse(),
  ]) {
    const calls = output.flatMap((item) => (item.type === 'function_call' ? [item.name] : []))
    assert.deepEqual(calls, ['wait', 'fail', 'no_such_tool', 'wait'])
  }
})

test("Google's own SDK understands the scripted model, whole and as a stream", async () => {
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: model.url } })
  const asked = {
    model: 'gemini-3.7-flash',
    contents: 'both of them',
    config: {
      tools: [{ functionDeclarations: [{ name: TOOL.name, parametersJsonSchema: TOOL.parameters }] }],
    },
  }
  const whole = await client.models.generateContent(asked)
  assert.deepEqual(
    whole.functionCalls?.map(({ name }) => name),
    ['wait', 'fail', 'no_such_tool', 'wait'],
  )
  const names: unknown[] = []
  for await (const chunk of await client.models.generateContentStream(asked))
    names.push(...(chunk.functionCalls ?? []).map(({ name }) => name))
  assert.deepEqual(names, ['wait', 'fail', 'no_such_tool', 'wait'])
})

/** One for each API; what was asked before is no part of the next test. */
async function started(api: Api): Promise<Bench> {
  const known = benches.get(api) ?? made(api)
  benches.set(api, known)
  const bench = await known
  bench.model.requests.length = 0
  return bench
}

function made(api: Api): Promise<Bench> {
  return agentBench({
    scripts: [SCRIPT, BAD],
    api,
    servers: [testServer()],
    config: { approvals: { test: 'always' } },
  })
}
