import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import OpenAI from 'openai'
import { object, objects } from '../src/sources/json.ts'
import { sampleMachine, until } from './mcp-kit.ts'
import { ALL_APIS, type Spoken, spokenTo } from './openai-kit.ts'

const alex = sampleMachine()
let spoken: Spoken
let model: Spoken['model']
let served: Spoken['served']
let openai: OpenAI

const weather = { tool: 'get_weather', args: { city: 'Bern' } }
before(async () => {
  spoken = await spokenTo(alex, [
    {
      when: 'look first',
      turns: [
        { text: 'Let me look.', calls: [{ tool: 'list_chats', args: { limit: 1 } }] },
        { text: 'Here it is.', usage: { input: 500, output: 20, cached: 100, reasoning: 5 } },
      ],
    },
    { when: 'and then', turns: [{ text: 'And so on.' }] },
    {
      when: 'weather',
      turns: [
        { calls: [{ tool: 'list_chats', args: { limit: 1 } }, weather] },
        { text: 'It rains in Bern.' },
      ],
    },
    { when: 'too long', turns: [{ text: 'It is cut off h', finish: 'length' }] },
    { when: 'held back', turns: [{ text: 'I must', finish: 'filter' }] },
    { when: 'as JSON', turns: [{ text: '{"city":"Bern"}' }] },
    { when: 'what is this', turns: [{ text: 'A picture.' }] },
  ])
  ;({ model, served, openai } = spoken)
})
after(async () => {
  await spoken?.close()
  alex.remove()
})

type Message = OpenAI.ChatCompletionMessageParam
const user = (content: string): Message => ({ role: 'user', content })
const TOOLS: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function sessionOf(asked: ReturnType<typeof openai.chat.completions.create>) {
  const { data, response } = await asked.withResponse()
  return { data: data as OpenAI.ChatCompletion, session: response.headers.get('x-session-id') ?? '' }
}

for (const [api, name] of Object.entries(ALL_APIS)) {
  describe(`asked with ${api} behind it`, () => {
    test('roles stay roles, and the turns of a dialog stay one dialog whatever was said between tools', async () => {
      const rules: Message = { role: 'system', content: 'You speak like a pirate.' }
      const messages: Message[] = [rules, user(`look first, ${api}`)]
      const first = await sessionOf(openai.chat.completions.create({ model: name, messages }))
      const [choice] = first.data.choices
      assert.equal(choice?.message.content, 'Let me look.\n\nHere it is.')
      assert.equal(choice?.finish_reason, 'stop')
      assert.deepEqual(
        [first.data.usage?.prompt_tokens, first.data.usage?.completion_tokens],
        [1700, 54],
        'the tokens of both calls of the model',
      )
      const asked = model.requests.at(-1)!
      assert.ok(asked.said.some(({ by, text }) => by === 'system' && text.includes('like a pirate')))
      assert.deepEqual(
        asked.said.filter(({ by }) => by === 'user').map(({ text }) => text),
        [`look first, ${api}`],
      )
      // Clients keep the text as they like, and may keep the last part only.
      for (const [kept, more] of [
        ['Let me look.Here it is.', 'and then one'],
        ['And so on. \n', 'and then two'],
      ] as const) {
        messages.push({ role: 'assistant', content: kept }, user(more))
        const next = await sessionOf(openai.chat.completions.create({ model: name, messages }))
        assert.equal(next.session, first.session)
        assert.equal(next.data.choices[0]?.message.content, 'And so on.')
      }
      const { json } = await served.ask(`/api/v1/sessions/${first.session}`)
      assert.deepEqual(
        json.messages
          .filter(({ role }: { role: string }) => role === 'user')
          .map(({ text }: { text: string }) => text),
        [`look first, ${api}`, 'and then one', 'and then two'],
      )
    })

    test('a program runs its own tools, whole and as a stream', async () => {
      for (const stream of [false, true]) {
        const messages: Message[] = [user(`weather ${api} ${stream}`)]
        const asked = { model: name, messages, tools: TOOLS }
        const first = await finalOf(asked, stream)
        assert.equal(first.choices[0]?.finish_reason, 'tool_calls')
        const calls = first.choices[0]?.message.tool_calls ?? []
        assert.equal(calls.length, 1, 'the agent ran its own already')
        const [call] = calls
        assert.ok(call?.type === 'function')
        assert.deepEqual(
          [call.function.name, JSON.parse(call.function.arguments)],
          ['get_weather', { city: 'Bern' }],
        )
        messages.push(first.choices[0]!.message, { role: 'tool', tool_call_id: call.id, content: 'rain' })
        const second = await finalOf(asked, stream)
        assert.equal(second.choices[0]?.message.content, 'It rains in Bern.')
        assert.equal(second.choices[0]?.finish_reason, 'stop')
        assert.equal(second.usage?.completion_tokens, 34, 'of this answer alone')
        const results = model.requests.at(-1)!.said.filter(({ by }) => by === 'tool')
        assert.equal(results.length, 2)
        assert.match(results[1]!.text, /rain/)
      }
    })

    test('why it ended, and what it was asked for besides', async () => {
      for (const [said, finish] of [
        ['too long', 'length'],
        ['held back', 'content_filter'],
      ]) {
        for (const stream of [false, true]) {
          const { choices } = await finalOf({ model: name, messages: [user(`${said} ${api}`)] }, stream)
          assert.equal(choices[0]?.finish_reason, finish)
        }
      }
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      }
      const { choices } = await openai.chat.completions.create({
        model: name,
        messages: [user('as JSON')],
        temperature: 0.3,
        response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
      })
      assert.equal(choices[0]?.message.content, '{"city":"Bern"}')
      const { body } = model.requests.at(-1)!
      assert.match(JSON.stringify(body), /"temperature":0\.3/)
      assert.match(JSON.stringify(body), /"city":\{"type":"(?:string|STRING)"/)
    })

    test('a picture is passed on, and kept with the message', async () => {
      const { session } = await sessionOf(
        openai.chat.completions.create({
          model: name,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: `what is this, ${api}?` },
                { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
              ],
            },
          ],
        }),
      )
      assert.ok(JSON.stringify(model.requests.at(-1)!.body).includes(PIXEL))
      await until('it is in the archive', async () => {
        const { json } = await served.ask(`/api/v1/chats/recollect-agent:${session}/messages?limit=1`)
        return json?.messages?.[0]?.attachments?.[0]?.mimeType === 'image/png'
      })
    })

    test('the newer API: whole, as a stream, with tools, and going on from a response', async () => {
      const first = await openai.responses.create({
        model: name,
        instructions: 'You speak like a pirate.',
        input: `look first, newer ${api}`,
      })
      assert.equal(first.status, 'completed')
      assert.deepEqual(
        first.output.flatMap((item) => (item.type === 'message' ? item.content : [])).map(textIn),
        ['Let me look.', 'Here it is.'],
      )
      assert.deepEqual([first.usage?.input_tokens, first.usage?.output_tokens], [1700, 54])
      const next = await openai.responses.stream({
        model: name,
        previous_response_id: first.id,
        input: 'and then',
      })
      let text = ''
      for await (const event of next) if (event.type === 'response.output_text.delta') text += event.delta
      const second = await next.finalResponse()
      assert.deepEqual([text, second.output_text], ['And so on.', 'And so on.'])
      const said = model.requests.at(-1)!.said.filter(({ by }) => by === 'user')
      assert.deepEqual(
        said.map((each) => each.text),
        [`look first, newer ${api}`, 'and then'],
      )
      // From the first once more: another dialog, which knows what was said by then and no more.
      await openai.responses.create({ model: name, previous_response_id: first.id, input: 'and then again' })
      assert.deepEqual(
        model.requests
          .at(-1)!
          .said.filter(({ by }) => by === 'user')
          .map((each) => each.text),
        [`look first, newer ${api}`, 'and then again'],
      )
      const tools: OpenAI.Responses.FunctionTool[] = [
        {
          type: 'function',
          name: 'get_weather',
          strict: false,
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
        },
      ]
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: `weather newer ${api}` }]
      const called = await openai.responses.stream({ model: name, input, tools }).finalResponse()
      const call = called.output.find((item) => item.type === 'function_call')
      assert.equal(call?.name, 'get_weather')
      input.push(...(called.output as typeof input), {
        type: 'function_call_output',
        call_id: call.call_id,
        output: 'rain',
      })
      const told = await openai.responses.create({ model: name, input, tools })
      assert.equal(told.output_text, 'It rains in Bern.')
      const cut = await openai.responses.create({ model: name, input: `too long ${api}` })
      assert.deepEqual([cut.status, cut.incomplete_details?.reason], ['incomplete', 'max_output_tokens'])
      // Each is there as it was given, until it is deleted.
      for (const given of [first, second, called, told, cut]) {
        const { id, output, status, usage, incomplete_details } = await openai.responses.retrieve(given.id)
        assert.deepEqual(
          { id, output, status, usage, incomplete_details },
          {
            id: given.id,
            output: JSON.parse(
              JSON.stringify(given.output, (key, value) => (/^parsed/.test(key) ? undefined : value)),
            ),
            status: given.status,
            usage: given.usage,
            incomplete_details: given.incomplete_details,
          },
        )
      }
      assert.equal((await openai.responses.retrieve(second.id)).previous_response_id, first.id)
      await openai.responses.delete(first.id)
      for (const gone of [first.id, first.id.replace(/_0$/, '_99'), 'resp_x'])
        for (const asked of [
          () => openai.responses.retrieve(gone),
          () => openai.responses.delete(gone),
          () => openai.responses.create({ model: name, previous_response_id: gone, input: 'and then' }),
        ])
          await assert.rejects(asked, (error) => error instanceof OpenAI.NotFoundError)
    })
  })
}

const textIn = (part: { type: string; text?: string }) => part.text

async function finalOf(
  asked: { model: string; messages: Message[]; tools?: OpenAI.ChatCompletionTool[] },
  stream: boolean,
): Promise<OpenAI.ChatCompletion> {
  if (!stream) return await openai.chat.completions.create(asked)
  const running = openai.chat.completions.stream({ ...asked, stream_options: { include_usage: true } })
  let said = ''
  for await (const chunk of running) said += chunk.choices[0]?.delta.content ?? ''
  const last = await running.finalChatCompletion()
  assert.equal(last.choices[0]?.message.content ?? '', said)
  return last
}

test('what cannot be had is refused by name', async () => {
  const messages = [user('and then')]
  const cases: [asked: object, name: RegExp, named?: string][] = [
    [{ logprobs: true }, /`logprobs`/],
    [{ logit_bias: { 50256: -100 } }, /`logit_bias`/],
    [{ n: 2 }, /Only one answer/],
    [{ modalities: ['text', 'audio'] }, /`modalities`/],
    [{ tools: [{ type: 'custom', custom: { name: 'x' } }] }, /`tools of the type custom`/],
    [{ response_format: { type: 'grammar' } }, /`response_format`/],
    [{ seed: 1 }, /Anthropic takes no `seed`/, ALL_APIS.anthropic],
    [
      { response_format: { type: 'json_object' } },
      /Anthropic takes no `response_format`/,
      ALL_APIS.anthropic,
    ],
    [{ stop: ['x'] }, /takes no `stop`/, ALL_APIS['openai responses']],
    [{ parallel_tool_calls: false }, /takes no `parallel_tool_calls`/, ALL_APIS.gemini],
  ]
  const before = model.requests.length
  for (const [asked, says, name = 'recollect'] of cases) {
    const body = { model: name, messages, ...asked } as OpenAI.ChatCompletionCreateParamsNonStreaming
    await assert.rejects(
      async () => await openai.chat.completions.create(body),
      (error) => error instanceof OpenAI.BadRequestError && says.test(error.message),
      String(says),
    )
  }
  const audio = [{ type: 'input_audio', input_audio: { data: 'x', format: 'wav' } }]
  for (const [at, body] of [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: audio }] }],
    ['/v1/chat/completions', { messages: [{ role: 'system', content: 'Only rules.' }] }],
    ['/v1/chat/completions', { messages: [...messages, { role: 'assistant', content: 'I' }] }],
    ['/v1/responses', { input: 'x', background: true }],
    ['/v1/responses', { input: 'x', tools: [{ type: 'web_search' }] }],
    ['/v1/responses', { input: [{ type: 'item_reference', id: 'x' }] }],
    ['/v1/responses', {}],
  ] as const)
    assert.equal((await served.ask(at, { as: 'program', body })).status, 400, JSON.stringify(body))
  const unknown = await served.ask('/v1/responses', {
    as: 'program',
    body: { input: 'x', previous_response_id: 'resp_1' },
  })
  assert.equal(unknown.status, 404)
  assert.equal(model.requests.length, before, 'nobody was asked')
})

test('seed, stop and the rest reach the models that take them', async () => {
  await openai.chat.completions.create({
    model: ALL_APIS['openai-compatible'],
    messages: [user('and then')],
    seed: 7,
    stop: 'END',
    top_p: 0.5,
    max_completion_tokens: 99,
    parallel_tool_calls: false,
    tool_choice: 'none',
  })
  const { body } = model.requests.at(-1)!
  assert.deepEqual(
    [body.seed, body.stop, body.top_p, body.max_tokens, body.parallel_tool_calls, body.tool_choice],
    [7, ['END'], 0.5, 99, false, 'none'],
  )
  await openai.chat.completions.create({
    model: ALL_APIS['openai chat'],
    messages: [user('weather forced')],
    tools: TOOLS,
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  })
  const forced = model.requests.at(-1)!.body
  assert.deepEqual(forced.tool_choice, { type: 'function', function: { name: 'get_weather' } })
  assert.equal(objects(forced.tools).length, 1, 'its own tools alone')
  assert.equal(object(objects(forced.tools)[0]?.function)?.name, 'get_weather')
})

test('one that was never seen comes with its history, each message in its role', async () => {
  const messages: Message[] = [
    { role: 'developer', content: 'Be brief.' },
    user('What is a zebra?'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{"w":"zebra"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Equus' },
    { role: 'assistant', content: 'An animal.' },
    user('and then'),
  ]
  const { session } = await sessionOf(openai.chat.completions.create({ model: 'recollect', messages }))
  const said = model.requests.at(-1)!.said.filter(({ by }) => by !== 'system')
  assert.deepEqual(
    said.map(({ by }) => by),
    ['user', 'model', 'tool', 'model', 'user'],
  )
  await until('the archive shows what the person wrote, and no transcript', async () => {
    const { json } = await served.ask(`/api/v1/chats/recollect-agent:${session}`)
    return (
      JSON.stringify(json.requests?.map(({ preview }: { preview: string }) => preview)) ===
      JSON.stringify(['What is a zebra?', 'and then'])
    )
  })
  // One that ends with results of a call that was made elsewhere.
  const { data } = await sessionOf(
    openai.chat.completions.create({
      model: 'recollect',
      messages: [user('and then elsewhere'), ...messages.slice(2, 4)],
      tools: TOOLS,
    }),
  )
  assert.equal(data.choices[0]?.message.content, 'And so on.')
  assert.deepEqual(
    model.requests
      .at(-1)!
      .said.filter(({ by }) => by !== 'system')
      .map(({ by }) => by),
    ['user', 'model', 'tool'],
  )
})
