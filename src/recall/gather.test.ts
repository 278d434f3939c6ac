import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { RecollectError } from '../model/errors.ts'
import { gatherChats, type OneChat, type SeveralChats } from './gather.ts'
import { type Bench, bench, NOON, say } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const same = <T>(value: T): T => value
const one = async (input: Parameters<typeof gatherChats>[1]) =>
  (await gatherChats(at, input, same)) as OneChat
const several = async (input: Parameters<typeof gatherChats>[1]) =>
  (await gatherChats(at, input, same)) as SeveralChats

const bash = { id: 'c1', tool: 'Bash', args: { command: 'npm test' } }

test('one chat: its header, its messages, its tools as blocks', async () => {
  await at.write({ id: 'one-chat', title: 'Tests', workspace: '/home/me/shop' }, [
    say(0, 'system reminder', { kind: 'injected' }),
    say(1, 'run the tests'),
    say(2, 'Running.', { role: 'assistant', toolCalls: [bash, { id: 'c2', server: 'git', tool: 'log' }] }),
    say(3, '', {
      role: 'tool',
      toolResults: [
        { callId: 'c1', error: '2 failed', exitCode: 1 },
        { callId: 'c2', json: { commits: 3 } },
      ],
    }),
    say(4, 'again', { kind: 'delegated' }),
  ])
  assert.deepEqual(await one({ chatIds: ['one-chat'] }), {
    chat: {
      id: 'one-chat',
      title: 'Tests',
      source: 'claude-code',
      workspace: '/home/me/shop',
      messageCount: 5,
      timeRange: { from: NOON, to: NOON + 240_000 },
    },
    messages: [
      { index: 1, messageId: 'm1', createdAt: NOON + 60_000, role: 'user', content: 'run the tests' },
      {
        index: 2,
        messageId: 'm2',
        createdAt: NOON + 120_000,
        role: 'assistant',
        content: 'Running.',
        tools: {
          calls: [
            { tool: 'Bash', args: { command: 'npm test' } },
            { server: 'git', tool: 'log' },
          ],
        },
      },
      {
        index: 3,
        messageId: 'm3',
        createdAt: NOON + 180_000,
        role: 'tool',
        content: '',
        tools: { results: [{ text: '2 failed', error: true, exitCode: 1 }, { json: { commits: 3 } }] },
      },
      {
        index: 4,
        messageId: 'm4',
        createdAt: NOON + 240_000,
        role: 'user',
        kind: 'delegated',
        content: 'again',
      },
    ],
  })
  const indexes = async (more: object) =>
    (await one({ chatIds: ['one-chat'], ...more })).messages.map((message) => message.index)
  assert.deepEqual(await indexes({ includeTools: false }), [1, 2, 4])
  assert.deepEqual(await indexes({ roles: ['user'] }), [1, 4])
  assert.deepEqual(await indexes({ from: 2, to: 3 }), [2, 3])
})

test('a request that is a picture alone is told by its name', async () => {
  const attachments = [{ type: 'image', name: 'screen.png', data: 'aGk=' }]
  await at.write({ id: 'pictures' }, [
    say(0, '', { attachments }),
    say(1, 'I see one pixel.', { role: 'assistant' }),
    say(2, 'and here?', { attachments }),
  ])
  for (const includeTools of [true, false]) {
    const { messages } = await one({ chatIds: ['pictures'], includeTools })
    assert.deepEqual(
      messages.map(({ content, attachments }) => [content, attachments]),
      [
        ['', [{ type: 'image', name: 'screen.png' }]],
        ['I see one pixel.', undefined],
        ['and here?', undefined],
      ],
    )
  }
})

test('an answer keeps to its budget, and its cursors lead through all of the rest', async () => {
  const texts = Array.from({ length: 60 }, (_, i) => `${i} ${'é"\n'.repeat((i * 37) % 400)}`)
  texts[20] = `long ${'👩‍👩‍👧‍👦 word '.repeat(2_000)}`
  await at.write(
    { id: 'long-chat' },
    texts.map((text, i) => say(i, text)),
  )
  for (const max_chars of [1_200, 10_000, 50_000]) {
    const parts = new Map<number, string>()
    let cursor: string | undefined
    let left = Number.POSITIVE_INFINITY
    for (let calls = 0; ; calls++) {
      assert.ok(calls < 500)
      const answer = await one({ chatIds: ['long-chat'], max_chars, cursor })
      assert.ok(JSON.stringify(answer).length <= max_chars, `${JSON.stringify(answer).length} > ${max_chars}`)
      for (const { index, content } of answer.messages) {
        assert.ok(content.isWellFormed())
        parts.set(index, (parts.get(index) ?? '') + content)
      }
      if (!answer.leftOut?.cursor) break
      assert.ok(answer.leftOut.messages <= left)
      left = answer.leftOut.messages
      cursor = answer.leftOut.cursor
    }
    assert.deepEqual([...parts.values()], texts)
  }
})

test('long tool output is shortened in the middle and said to be so; alone it is given in full', async () => {
  const output = `begin ${'x'.repeat(5_000)} end`
  await at.write({ id: 'tool-chat' }, [
    say(1, 'go'),
    say(2, '', { role: 'tool', toolResults: [{ callId: 'c1', text: output }] }),
  ])
  const answer = await one({ chatIds: ['tool-chat'] })
  const [result] = answer.messages[1]!.tools!.results! as { text: string }[]
  assert.match(result!.text, /^begin x+\n\[… \d+ characters …\]\nx+ end$/)
  assert.equal(answer.leftOut?.cutToolTexts, 1)
  const alone = await one({ chatIds: ['tool-chat'], from: 1, to: 1 })
  assert.deepEqual(alone.messages[0]!.tools!.results, [{ text: output }])
  assert.equal(alone.leftOut, undefined)
})

const SHARED = 'Please check that the nightly export writes every invoice exactly once, even after a crash.'

test('several chats: merged in time order, with what they share and what only one has', async () => {
  await at.write({ id: 'chat-a', title: 'A' }, [
    say(1, SHARED, { id: 'a-message-1' }),
    say(5, 'It uses a transaction per invoice.', { role: 'assistant', id: 'a-message-2' }),
  ])
  await at.write({ id: 'chat-b', title: 'B' }, [
    say(2, 'How is the weather in the mountains today?', { id: 'b-message-1' }),
    say(3, `Hello. ${SHARED.replace('every', 'each')}`, { id: 'b-message-2' }),
  ])
  const answer = await several({ chatIds: ['chat-a', 'chat-b', 'nowhere', 'chat-a'] })
  assert.deepEqual(
    answer.meta.map(({ chatIdx, id, title, timeRange }) => ({ chatIdx, id, title, timeRange })),
    [
      { chatIdx: 0, id: 'chat-a', title: 'A', timeRange: { from: NOON + 60_000, to: NOON + 300_000 } },
      { chatIdx: 1, id: 'chat-b', title: 'B', timeRange: { from: NOON + 120_000, to: NOON + 180_000 } },
    ],
  )
  assert.deepEqual(
    answer.narrative.map(({ chatIdx, index, messageId }) => `${chatIdx} ${index} ${messageId}`),
    ['0 0 a-message-1', '1 0 b-message-1', '1 1 b-message-2', '0 1 a-message-2'],
  )
  assert.deepEqual(answer.commonAlignment, [
    {
      role: 'user',
      content: SHARED,
      refs: [
        { chatIdx: 0, index: 0, messageIdPrefix: 'a-messag' },
        { chatIdx: 1, index: 1, messageIdPrefix: 'b-messag' },
      ],
    },
  ])
  assert.deepEqual(answer.differences, [
    { chatIdx: 0, only: [{ index: 1, role: 'assistant', content: 'It uses a transaction per invoice.' }] },
    { chatIdx: 1, only: [{ index: 0, role: 'user', content: 'How is the weather in the mountains today?' }] },
  ])
  assert.deepEqual(answer.notFound, [{ id: 'nowhere', error: 'Session not found: nowhere' }])
})

test('forked chats tell their common beginning once', async () => {
  const prefix = [say(1, SHARED), say(2, 'I will.', { role: 'assistant' })]
  await at.write({ id: 'original' }, [...prefix, say(3, 'go on with the first idea')])
  await at.write({ id: 'the-fork', forkOf: 'original' }, [...prefix, say(4, 'try the second idea')])
  for (const chatIds of [
    ['original', 'the-fork'],
    ['the-fork', 'original'],
  ]) {
    const answer = await several({ chatIds })
    assert.deepEqual(
      answer.narrative.map((message) => message.content),
      [SHARED, 'I will.', 'go on with the first idea', 'try the second idea'],
    )
    const fork = answer.meta.find(({ id }) => id === 'the-fork')
    assert.equal(fork?.sharedWithFork, 2)
  }
})

test('many chats keep to the budget too', async () => {
  const ids = Array.from({ length: 12 }, (_, i) => `bulk-${i}`)
  for (const [i, id] of ids.entries()) {
    const messages = Array.from({ length: 30 }, (_, j) =>
      say(j, `${SHARED} ${j} ${'words of its own '.repeat(20)} ${i}`, { id: `${id}-${j}` }),
    )
    await at.write({ id }, messages)
  }
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const answer: SeveralChats = await several({ chatIds: ids, cursor })
    assert.ok(JSON.stringify(answer).length <= 10_000)
    assert.equal(cursor === undefined, answer.commonAlignment !== undefined)
    for (const { chatIdx, index } of answer.narrative) seen.add(`${chatIdx} ${index}`)
    cursor = answer.leftOut?.cursor
  } while (cursor)
  assert.equal(seen.size, 360)
})

test('only unknown ids, an ambiguous one, a broken cursor', async () => {
  await at.write({ id: 'same-1' }, [say(1, 'a')])
  await at.write({ id: 'same-2' }, [say(1, 'b')])
  const fails = async (input: Parameters<typeof gatherChats>[1], code: string, text: RegExp) =>
    assert.rejects(gatherChats(at, input, same), (error: unknown) => {
      assert.ok(error instanceof RecollectError)
      assert.equal(error.code, code)
      assert.match(error.message, text)
      return true
    })
  await fails({ chatIds: ['nowhere'] }, 'SESSION_NOT_FOUND', /^Session not found: nowhere$/)
  await fails({ chatIds: ['none-1', 'none-2'] }, 'SESSION_NOT_FOUND', /none-1, none-2/)
  await fails({ chatIds: ['same'] }, 'SESSION_NOT_FOUND', /could be any of 2 chats/)
  await fails({ chatIds: ['same-1'], cursor: 'later' }, 'INVALID_ARGUMENT', /not a cursor/)
})
