import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { redactJson } from '../platform/redact.ts'
import { findInChat } from './find-in-chat.ts'
import { MOST_MESSAGES, MOST_TEXT, openedChat, readMessage, readMessages } from './reader.ts'
import { bench, say } from './test-kit.ts'

const asker = bench()
const { write, close } = asker
after(close)
const KEY = 'ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K'
const asItIs = <T>(value: T) => value

await write({ id: 'parent', title: 'The parent' }, [say(1, 'Begin', { id: 'p1' })])
await write({ id: 'child', parentId: 'parent', subagent: true, title: 'Its sub-agent' }, [
  say(1, 'Do it', { id: 'c1' }),
])
await write({ id: 'fork', forkOf: 'parent', title: `Fork with ${KEY}` }, [say(1, 'Begin anew', { id: 'f1' })])
const file = import.meta.filename
const long = [
  ...Array.from({ length: 300 }, (_, i) => say(i, `Question ${i}`)),
  say(300, 'taken back', { undone: true }),
  say(301, 'An answer', {
    role: 'assistant',
    thinking: 'Thinking of Question marks',
    toolCalls: [{ id: 'Question', tool: 'read_file', args: { path: '/tmp/Question.txt' } }],
  }),
  say(302, '', { role: 'tool', toolResults: [{ callId: 'Question', text: `${'long '.repeat(20_000)}end` }] }),
  say(303, `the key is ${KEY}`),
]
await write({ id: 'long', workspace: '/home/me/shop', resume: 'claude --resume long' }, long, file)

test('what its assistant no longer has is not offered to be resumed', async () => {
  await write({ id: 'gone', resume: 'claude --resume gone' }, [say(1, 'Begin', { id: 'g1' })])
  const { chat } = await openedChat(asker, 'gone', asItIs)
  assert.deepEqual([chat.resume, chat.filePaths], [undefined, ['/home/me/gone.jsonl']])
})

test('a chat opens with its relatives and an outline', async () => {
  const parent = await openedChat(asker, 'claude-code:parent', redactJson)
  assert.deepEqual(parent.relatives.subagents, [
    { id: 'child', source: 'claude-code', title: 'Its sub-agent', messageCount: 1 },
  ])
  assert.equal(parent.relatives.forks[0]?.title, 'Fork with [redacted: GitHub token]')
  assert.equal((await openedChat(asker, 'child', redactJson)).relatives.parent?.id, 'parent')
  assert.equal((await openedChat(asker, 'fork', redactJson)).relatives.original?.id, 'parent')
  const { chat, requests, sizes } = await openedChat(asker, 'long', redactJson)
  assert.deepEqual(chat.filePaths, [file])
  assert.equal(chat.resume, 'claude --resume long')
  assert.equal(requests.length, 301, 'what was taken back is no request')
  assert.deepEqual([requests.at(-1)?.n, requests.at(-1)?.index], [301, 303])
  assert.match(String(requests.at(-1)?.preview), /redacted/)
  assert.equal(sizes.length, 304)
  assert.ok(sizes[302]! > 100_000)
  assert.equal(sizes[0], 'Question 0'.length)
})

test('messages come a page at a time, and long ones cut', async () => {
  const { messages, total } = await readMessages(asker, 'long', { from: 10, to: 9_999 }, redactJson)
  assert.deepEqual([messages.length, messages[0]?.index, total], [MOST_MESSAGES, 10, 304])
  assert.ok(!('key' in messages[0]!) && !('order' in messages[0]!))
  const { messages: last } = await readMessages(asker, 'long', { from: 300, to: 303 }, redactJson)
  assert.equal(last[0]?.undone, true)
  assert.equal(last[1]?.cut, undefined)
  assert.equal(last[2]?.cut, true)
  assert.ok(last[2]!.toolResults![0]!.text!.length <= MOST_TEXT)
  assert.ok(last[2]!.toolResults![0]!.chars! > MOST_TEXT, 'how long it is')
  const whole = await readMessage(asker, 'long', 302, redactJson)
  assert.match(whole.toolResults![0]!.text!, /end$/)
  await assert.rejects(readMessage(asker, 'long', 304, redactJson), { code: 'MESSAGE_NOT_FOUND' })
})

test('words are found in what was said, thought, asked of tools and answered by them', async () => {
  const find = async (words: string, clean = redactJson) =>
    (await findInChat(asker, 'long', words, clean)).hits
  assert.deepEqual(await find('question 299'), [{ index: 299, count: 1 }])
  assert.deepEqual(
    (await find('QUESTION')).at(-1),
    { index: 301, count: 2 },
    'ids are not shown, so not found',
  )
  assert.deepEqual(await find('long end'), [{ index: 302, count: 1 }])
  assert.equal((await find('long'))[0]?.count, 20_000)
  assert.deepEqual(await find('.'), [{ index: 301, count: 1 }], 'no pattern')
  assert.deepEqual(await find(KEY.slice(0, 10)), [])
  assert.deepEqual(await find(KEY.slice(0, 10), asItIs), [{ index: 303, count: 1 }])
})

test('they are found as a search takes them, and as they are written is said', async () => {
  const find = (words: string) => findInChat(asker, 'long', words, redactJson, 'search')
  const { hits, words } = await find('questions')
  assert.equal(hits[0]?.index, 0)
  assert.ok(hits.length > 250, `${hits.length}`)
  assert.deepEqual(words, ['question'])
  assert.deepEqual((await find('/quest\\w+ 29\\d/')).words, [
    ...Array.from({ length: 10 }, (_, digit) => `question 29${digit}`),
  ])
  assert.deepEqual(await find('/(/'), { hits: [], words: [] }, 'no pattern at all')
  assert.deepEqual((await find(KEY)).hits, [], 'a secret is not confirmed')
})
