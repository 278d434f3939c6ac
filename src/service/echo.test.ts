import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '../model/chat.ts'
import { marked } from '../model/injected.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import { searchConversations } from '../search/search.ts'
import { call } from './service.ts'
import { serviceAt } from './test-service.ts'

let at: Bench
const QUESTION = 'What did we decide about the retry limit of the payment gateway?'
const ANSWER = 'We decided that the payment gateway has a retry limit of four, with a pause of two seconds.'
const ownCall = (id: string) => ({
  toolCalls: [{ id, server: 'recollect', tool: 'search_conversations', args: { query: QUESTION } }],
})

function turns(n: string, messages: Partial<Message>[]): Message[] {
  return messages.map(({ text = '', ...more }, i) => marked(say(i, text, { id: `${n}-${i}`, ...more }), n))
}

before(async () => {
  at = bench()
  await at.write(
    { id: 'original', title: 'Payments' },
    turns('original', [
      { text: 'The gateway drops some payments. How often should we try again, and what is the limit?' },
      {
        role: 'assistant',
        text: 'Four times is enough for the gateway, with a pause of two seconds: retry then.',
      },
      { text: 'Good, four it is. What about refunds?' },
      { role: 'assistant', text: 'They are not repeated.' },
    ]),
  )
  for (let n = 0; n < 3; n++)
    await at.write(
      { id: `weather-${n}`, title: 'Weather' },
      turns(`weather-${n}`, [{ text: 'Rain and a limit' }]),
    )
})
after(() => at.close())

async function found(query = QUESTION): Promise<string[]> {
  return (await searchConversations(at.archive, { intent_query: query })).topChatIds
}

test('asked the same four times, by an assistant and by our agent, the original stays first', async () => {
  assert.equal((await found())[0], 'original')
  for (let n = 0; n < 4; n++) {
    const isOurs = n % 2 === 1
    await at.write(
      { id: `again-${n}`, title: QUESTION, ...(isOurs && { source: 'recollect-agent' }) },
      turns(`again-${n}`, [
        { text: QUESTION },
        { role: 'assistant', ...ownCall(`call-${n}`) },
        { role: 'tool', toolResults: [{ callId: `call-${n}`, text: `{"answer":"${ANSWER}"}` }] },
        { role: 'assistant', text: ANSWER },
      ]),
    )
    const ids = await found()
    assert.equal(ids[0], 'original', ids.join(', '))
    assert.ok(ids.includes(`again-${n}`), 'and what repeats it is found')
  }
})

test('what was worked out in the chat that asked us counts as ever', async () => {
  await at.write(
    { id: 'worked', title: 'Kingfisher' },
    turns('worked', [
      { text: 'Did we ever talk of kingfishers?' },
      { role: 'assistant', ...ownCall('k') },
      { role: 'tool', toolResults: [{ callId: 'k', text: '{"totalFound":0}' }] },
      { role: 'assistant', text: 'No.' },
      { text: 'Then write a kingfisher nest counter that tells burrows from holes.' },
      { role: 'assistant', text: 'The kingfisher nest counter tells burrows from holes by their depth.' },
    ]),
  )
  await at.write(
    { id: 'other', title: 'Birds' },
    turns('other', [{ text: 'A kingfisher sat on the fence by the holes.' }]),
  )
  assert.equal((await found('kingfisher nest counter burrows'))[0], 'worked')
})

test('a chat and its sub-agents count once', async () => {
  const words = 'The osprey platform needs a wider rim and a camera.'
  const parts = (n: string, kind: 'request' | 'delegated') =>
    turns(n, [
      { text: words, kind },
      { role: 'assistant', text: words },
    ])
  await at.write({ id: 'parent' }, parts('parent', 'request'))
  for (const n of ['sub-1', 'sub-2'])
    await at.write({ id: n, parentId: 'parent', subagent: true }, parts(n, 'delegated'))
  await at.write({ id: 'elsewhere' }, turns('elsewhere', [{ text: 'An osprey came to the platform today.' }]))
  const ids = await found('osprey platform rim camera')
  assert.deepEqual(ids.slice(0, 2), ['parent', 'elsewhere'])
  assert.equal(ids.length, 4)
})

test('our own agent does not find its own chats, unless it asks for them', async () => {
  const service = serviceAt(at)
  const asked = async (given: object) => {
    const caller = { kind: 'agent', assistant: 'recollect-agent', budget: 10_000 } as const
    const { answer } = await call(service, 'search_conversations', { query: QUESTION, ...given }, caller)
    return JSON.stringify(answer?.topChatIds)
  }
  assert.match(await asked({}), /again-0/)
  assert.doesNotMatch(await asked({}), /again-[13]/)
  assert.match(await asked({ source: 'recollect-agent' }), /again-1/)
})
