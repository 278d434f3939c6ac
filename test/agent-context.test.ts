import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { limitIn } from '../src/agent/context-limits.ts'
import { isTooLong } from '../src/agent/provider-problem.ts'
import { syncRuns } from '../src/agent/sync-runs.ts'
import { RecollectError } from '../src/model/errors.ts'
import { machineAt } from '../src/sources/test-kit.ts'
import { APIS, type Api, agentBench, type Bench, testServer } from './agent-kit.ts'
import type { Script } from './real/scripted-model.ts'

const MODELS: Record<Api, string> = {
  anthropic: 'anthropic/claude-sonnet-5',
  'openai chat': 'openai/gpt-5.6-terra',
  'openai responses': 'openai/gpt-5.6-terra',
  gemini: 'gemini/gemini-3.7-flash',
  'openai-compatible': 'local/tiny',
}
const TOO_LONG = 'prompt is too long: 250000 tokens > 40,000 maximum'
const NO_ROOM =
  'input length and `max_tokens` exceed context limit: 39000 + 16384 > 40000, decrease input length'
const SCRIPTS: Script[] = [
  { when: '<chat>', turns: [{ text: 'They talked about herons.' }] },
  { when: 'about herons', turns: [{ text: 'The heron stands on one leg.', usage: { input: 39_000 } }] },
  { when: 'and swans', turns: [{ text: 'The swan sings.' }] },
  {
    when: 'refused once',
    turns: [{ text: 'Now it fits.', fault: { status: 400, message: TOO_LONG, times: 1 } }],
  },
  {
    when: 'no room for the answer',
    turns: [{ text: 'Now it fits.', fault: { status: 400, message: NO_ROOM, times: 1 } }],
  },
  { when: 'always refused', turns: [{ fault: { status: 400, message: TOO_LONG } }] },
  {
    when: 'more than its window',
    turns: [{ fault: { status: 400, message: 'Your input exceeds the context window of this model.' } }],
  },
  { when: 'too large', turns: [{ fault: { status: 413, message: 'Request exceeds the maximum size' } }] },
  {
    when: 'tokens of a minute',
    turns: [{ fault: { status: 413, message: 'tokens per minute (TPM): Limit 6000, Requested 7643' } }],
  },
  {
    when: 'read much',
    turns: [
      { calls: [{ tool: 'wait', args: { ms: 1, say: 'long '.repeat(1_000) } }] },
      { calls: [{ tool: 'wait', args: { ms: 1, say: 'brief' } }], usage: { input: 39_000 } },
      { text: 'Read it all.' },
    ],
  },
]

async function bench(api: Api, limit?: number, config: Record<string, unknown> = {}): Promise<Bench> {
  const servers = config.approvals ? [testServer()] : []
  const made = await agentBench({ scripts: SCRIPTS, api, config, servers })
  after(() => made.close())
  if (limit)
    fs.writeFileSync(path.join(made.folder, 'model-limits.json'), JSON.stringify({ [MODELS[api]]: limit }))
  return made
}

for (const api of Object.keys(APIS) as Api[]) {
  test(`${api}: a long dialog is put in short before the model would refuse it, and stays whole`, async () => {
    const { run, model, agent, archive, folder } = await bench(api, 40_000)
    const { sessionId } = await run('Tell me about herons')
    const { message, notices } = await run({ message: 'and swans?', sessionId })
    assert.equal(message, 'The swan sings.')
    assert.match(notices.join(), /put in short/)
    assert.equal(model.requests.length, 3)
    const [, summing, last] = model.requests
    assert.ok(summing?.said.some(({ text }) => /Tell me about herons[\s\S]*stands on one leg/.test(text)))
    const told = last!.said.filter(({ by }) => by !== 'system').map(({ text }) => text)
    assert.ok(told.some((text) => text.includes('They talked about herons.')))
    assert.ok(told.every((text) => !text.includes('stands on one leg')))
    // From then on it is told so, without being asked for again.
    await run({ message: 'and swans again?', sessionId })
    assert.equal(model.requests.length, 4)
    const { messages } = await agent.session(sessionId)
    assert.deepEqual(
      messages.map(({ text }) => text),
      [
        'Tell me about herons',
        'The heron stands on one leg.',
        'and swans?',
        'The swan sings.',
        'and swans again?',
        'The swan sings.',
      ],
    )
    await syncRuns(archive, machineAt(path.join(folder, 'home'), { RECOLLECT_HOME: folder }))
    const chat = await archive.resolveChat(sessionId)
    assert.equal(chat.messageCount, 8, 'with the summary and the notice')
  })

  test(`${api}: a refusal teaches how much the model reads, and the answer still comes`, async () => {
    const { run, folder } = await bench(api)
    const { sessionId } = await run('and swans, first')
    const { message } = await run({ message: 'refused once', sessionId })
    assert.equal(message, 'Now it fits.')
    const learned = JSON.parse(fs.readFileSync(path.join(folder, 'model-limits.json'), 'utf8'))
    assert.equal(learned[MODELS[api]], 40_000)
  })
}

test('a refusal because the answer would not fit any more is put in order too', async () => {
  const { run } = await bench('anthropic')
  const { sessionId } = await run('and swans, first')
  assert.equal((await run({ message: 'no room for the answer', sessionId })).message, 'Now it fits.')
})

test('results of earlier tools are the first to be shortened', async () => {
  const { run, model } = await bench('anthropic', 40_000, { approvals: { test: 'always' } })
  const { message, notices } = await run('read much')
  assert.equal(message, 'Read it all.')
  const results = model.requests.at(-1)!.said.filter(({ by }) => by === 'tool')
  assert.match(notices.join(), /put in short/)
  assert.match(results[0]!.text, /^(long ){80}\n\[shortened: 4600 more characters/)
  assert.equal(results[1]!.text, 'brief')
})

test('what is too long is named: the message, the tools, or the dialog', async () => {
  const { run } = await bench('anthropic')
  const long = 'word '.repeat(60_000)
  const failed = async (message: string, sessionId?: string, tools?: boolean) => {
    const error = await run({ message, sessionId, parameters: { tools } }).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof RecollectError)
    assert.equal(error.code, 'CONTEXT_TOO_LONG')
    return error
  }
  const first = await failed(`${long} always refused`)
  assert.match(
    first.message,
    /^Your message has about 75,\d{3} tokens, more than claude-sonnet-5 reads 40,000/,
  )
  assert.match(first.hint ?? '', /Shorten it/)
  assert.match((await failed('always refused')).message, /^The \d+ tools that are offered take about/)
  const { sessionId } = await run({ message: 'and swans', parameters: { tools: false } })
  const dialog = await failed('always refused', sessionId, false)
  assert.match(dialog.message, /^The chat has become longer/)
})

test('bytes that are too many teach nothing of how many tokens a model reads, and are named', async () => {
  const { run, folder, model } = await bench('anthropic')
  const picture = { name: 'a.png', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  const error = await run({ message: 'look, too large', attachments: [picture] }).catch(
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof RecollectError)
  assert.equal(error.code, 'CONTEXT_TOO_LONG')
  assert.match(error.message, /^The request is larger than Anthropic takes: /)
  assert.match(error.hint ?? '', /Attach less/)
  assert.equal(model.requests.length, 1)
  assert.ok(!fs.existsSync(path.join(folder, 'model-limits.json')))
  const again = await run('tokens of a minute').catch((thrown: unknown) => thrown)
  assert.ok(again instanceof RecollectError)
  const learned = JSON.parse(fs.readFileSync(path.join(folder, 'model-limits.json'), 'utf8'))
  assert.equal(learned[MODELS.anthropic], 6_000)
})

test('a document that is too long teaches nothing of how much a model reads where that is not said, and is named', async () => {
  const { run, folder } = await bench('openai responses')
  const report = { name: 'report.pdf', mimeType: 'application/pdf', data: 'JVBERi0xLjQK' }
  const error = await run({ message: 'more than its window', attachments: [report] }).catch(
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof RecollectError)
  assert.equal(error.code, 'CONTEXT_TOO_LONG')
  assert.match(error.message, /^What is attached to your message is longer than gpt-5\.6-terra can read: /)
  assert.ok(!fs.existsSync(path.join(folder, 'model-limits.json')))
})

test('that a chat is too long is understood in the words of each server, or by what it calls it', () => {
  for (const message of [
    'input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000, decrease input length or `max_tokens` and try again',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
    'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000',
    'prompt token count of 69509 exceeds the limit of 64000',
    'Please reduce the length of the messages or completion. Current length is 8500 while limit is 8192',
    'Input is too long for requested model.',
    'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).',
  ])
    assert.ok(isTooLong({ status: 400, message }), message)
  assert.ok(isTooLong({ status: 400, code: 'context_length_exceeded', message: 'Bad request' }))
  for (const message of ['Overloaded', 'Your credit balance is too low', 'max_tokens: must be at least 1'])
    assert.ok(!isTooLong({ status: 400, message }), message)
})

test('the limit is found in what the servers say', () => {
  const cases: [said: string, limit: number | undefined][] = [
    ['prompt is too long: 250000 tokens > 200000 maximum', 200_000],
    [
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000",
      128_000,
    ],
    ['The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
    ['request (5120 tokens) exceeds the available context size (4096 tokens)', 4_096],
    ['Input exceeds the context window of this model', undefined],
    ['input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000, decrease', 200_000],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
    ['`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens', 4_096],
    ['prompt token count of 69509 exceeds the limit of 64000', 64_000],
    ['Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).', 59_862],
    ['Current length is 8500 while limit is 8192', 8_192],
    ['maximum context length is 32,768 tokens', 32_768],
  ]
  for (const [said, limit] of cases) assert.equal(limitIn(said), limit, said)
})
