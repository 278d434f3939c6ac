import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Json, object, objects, parsed } from '../../src/sources/json.ts'
import { type Script, startScriptedModel } from './scripted-model.ts'

const SCRIPT: Script = {
  when: 'look it up',
  turns: [
    {
      thinking: 'Two places to look.',
      text: 'Looking into both of them 🙂.',
      calls: [
        { tool: 'find', args: { word: 'a "b"' } },
        { tool: 'find', args: { word: 'c' } },
      ],
      usage: { input: 50, cached: 20, output: 9, reasoning: 4 },
    },
    { text: 'Found.' },
  ],
}
const model = await startScriptedModel([SCRIPT])
after(() => model.close())

/** How each API is asked, first and with two results, and how what it replied is put together. */
interface Client {
  path(stream: boolean): string
  asks(stream: boolean): Json
  goesOn: Json
  /** Text, thinking, arguments and all input tokens, from the documents or events of a reply. */
  heard(pieces: Json[]): { text: string; thinking: string; args: string[]; input: unknown }
}

const CLIENTS: Record<string, Client> = {
  'anthropic-messages': {
    path: () => '/v1/messages',
    asks: (stream) => ({
      stream,
      tools: [{ name: 'find' }],
      messages: [{ role: 'user', content: 'look it up' }],
    }),
    goesOn: {
      tools: [{ name: 'find' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'look it up' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking' },
            { type: 'tool_use', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', content: 'x' },
            { type: 'text', text: 'a reminder' },
          ],
        },
      ],
    },
    heard(pieces) {
      const message = object(pieces[0]?.message) ?? pieces[0]!
      const usage = object(message.usage)!
      const blocks = objects(message.content)
      for (const { type, index, content_block, delta } of pieces) {
        if (type === 'content_block_start') blocks[Number(index)] = { ...object(content_block), json: '' }
        const block = blocks[Number(index)]
        const more = object(delta)
        if (type !== 'content_block_delta' || !block || !more) continue
        if (more.type === 'text_delta') block.text = `${block.text}${more.text}`
        if (more.type === 'thinking_delta') block.thinking = `${block.thinking}${more.thinking}`
        if (more.type === 'input_json_delta') block.json = `${block.json}${more.partial_json}`
      }
      const of = (type: string) => blocks.filter((block) => block.type === type)
      return {
        text: String(of('text')[0]?.text),
        thinking: String(of('thinking')[0]?.thinking ?? ''),
        args: of('tool_use').map((block) => String(block.json || JSON.stringify(block.input))),
        input: Number(usage.input_tokens) + Number(usage.cache_read_input_tokens),
      }
    },
  },
  'openai-chat': {
    path: () => '/v1/chat/completions',
    asks: (stream) => ({
      stream,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: { name: 'find' } }],
      messages: [{ role: 'user', content: 'look it up' }],
    }),
    goesOn: {
      tools: [{ type: 'function', function: { name: 'find' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'look it up' }] },
        { role: 'assistant', tool_calls: [] },
        { role: 'tool', content: 'x' },
        { role: 'tool', content: 'y' },
      ],
    },
    heard(pieces) {
      const heard = { text: '', thinking: '', args: [] as string[], input: undefined as unknown }
      for (const piece of pieces) {
        heard.input ??= object(piece.usage)?.prompt_tokens
        const choice = objects(piece.choices)[0]
        const said = object(choice?.delta) ?? object(choice?.message) ?? {}
        heard.text += said.content ?? ''
        heard.thinking += said.reasoning_content ?? ''
        objects(said.tool_calls).forEach((call, at) => {
          const index = Number(call.index ?? at)
          heard.args[index] = `${heard.args[index] ?? ''}${object(call.function)?.arguments}`
        })
      }
      return heard
    },
  },
  'openai-responses': {
    path: () => '/v1/responses',
    asks: (stream) => ({ stream, input: 'look it up', tools: [{ type: 'function', name: 'find' }] }),
    goesOn: {
      input: [
        { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'find' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'look it up' }] },
        { type: 'reasoning', summary: [] },
        { type: 'function_call', arguments: '{}' },
        { type: 'function_call', arguments: '{}' },
        { type: 'function_call_output', output: 'x' },
        { type: 'function_call_output', output: 'y' },
      ],
    },
    heard(pieces) {
      const response = object(pieces.at(-1)?.response) ?? pieces[0]!
      const streamed = (type: string) =>
        pieces.flatMap((piece) => (piece.type === type ? String(piece.delta) : [])).join('')
      const output = objects(response.output)
      const text = String(objects(output.find((item) => item.type === 'message')?.content)[0]?.text)
      if (pieces.length > 1) assert.equal(streamed('response.output_text.delta'), text)
      return {
        text,
        thinking: String(objects(output.find((item) => item.type === 'reasoning')?.summary)[0]?.text ?? ''),
        args: output.flatMap((item) => (item.type === 'function_call' ? String(item.arguments) : [])),
        input: object(response.usage)?.input_tokens,
      }
    },
  },
  gemini: {
    path: (stream) => `/v1beta/models/g:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    asks: () => ({
      tools: [{ functionDeclarations: [{ name: 'find' }] }],
      contents: [{ role: 'user', parts: [{ text: 'look it up' }] }],
    }),
    goesOn: {
      tools: [{ functionDeclarations: [{ name: 'find' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'look it up' }] },
        { role: 'model', parts: [{ text: 'Looking' }, { functionCall: {} }] },
        { role: 'user', parts: [{ functionResponse: { response: {} } }] },
      ],
    },
    heard(pieces) {
      const parts = pieces.flatMap((piece) => objects(object(objects(piece.candidates)[0]?.content)?.parts))
      const texts = (thought: boolean) => parts.filter((part) => 'text' in part && !!part.thought === thought)
      return {
        text: texts(false)
          .map((part) => part.text)
          .join(''),
        thinking: texts(true)
          .map((part) => part.text)
          .join(''),
        args: parts.flatMap((part) =>
          part.functionCall ? JSON.stringify(object(part.functionCall)?.args) : [],
        ),
        input: object(pieces.at(-1)?.usageMetadata)?.promptTokenCount,
      }
    },
  },
}

for (const [name, client] of Object.entries(CLIENTS)) {
  for (const stream of [false, true]) {
    test(`${name} gives the first turn ${stream ? 'as a stream' : 'at once'}`, async () => {
      const heard = client.heard(await post(client.path(stream), client.asks(stream)))
      assert.deepEqual(
        { ...heard, args: heard.args.map(parsed) },
        {
          text: 'Looking into both of them 🙂.',
          thinking: 'Two places to look.',
          args: [{ word: 'a "b"' }, { word: 'c' }],
          input: 50,
        },
      )
      assert.equal(model.requests.at(-1)?.wire, name)
    })
  }

  test(`${name} gives the next turn once the tools have answered`, async () => {
    assert.equal(client.heard(await post(client.path(false), client.goesOn)).text, 'Found.')
    assert.equal(model.requests.at(-1)?.played?.turn, 1)
  })
}

test('a request without tools is a question aside, and other prompts begin nothing', async () => {
  const { heard, path } = CLIENTS['openai-chat']!
  const ask = (content: string, tools?: unknown) =>
    post(path(false), { tools, messages: [{ role: 'user', content }] })
  assert.equal(heard(await ask('a title for: look it up')).text, 'OK')
  assert.equal(heard(await ask('hello', [{ function: { name: 'find' } }])).text, 'OK')
})

test('what is no request for a reply is answered as such', async () => {
  const status = async (path: string, body?: string) =>
    (await fetch(model.url + path, { method: body ? 'POST' : 'GET', body })).status
  assert.equal(await status('/v1/models'), 200)
  assert.equal(await status('/v1/messages/count_tokens', '{}'), 200)
  assert.equal(await status('/elsewhere', '{}'), 404)
  assert.equal(await status('/v1/messages', 'no JSON'), 400)
})

async function post(path: string, body: Json): Promise<Json[]> {
  const response = await fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('event-stream')) return [JSON.parse(text)]
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => line!)
  return data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line))
}
