import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gather } from '../test-kit.ts'
import { home, made, read } from './test-database.ts'

const MESSAGE = 'msg_1dcde34c1001AAAAAAAAAAAAAA'
const AT = 1_794_700_000_000
const quoted = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`

const PARTS = [
  {
    type: 'tool',
    tool: 'question',
    callID: 'q1',
    state: {
      status: 'completed',
      input: { questions: [{ question: 'Which?' }, { question: 'Where?' }, { question: 'When?' }] },
      output: 'User has answered your questions: …',
      metadata: { answers: [['Red', 'Blue'], ['at the top, please'], []] },
      time: { start: AT + 1000, end: AT + 2000 },
    },
  },
  {
    type: 'tool',
    tool: 'bash',
    callID: 'b1',
    state: {
      status: 'error',
      input: { command: 'rm -rf build' },
      error:
        'The user rejected permission to use this specific tool call with the following feedback: keep the build folder',
      time: { start: AT + 3000, end: AT + 4000 },
    },
  },
  {
    type: 'tool',
    tool: 'task',
    callID: 't1',
    state: { status: 'completed', output: 'ok', metadata: { sessionId: 'ses_child' } },
  },
  { type: 'file', mime: 'image/png', filename: 'shot.png', url: 'data:image/png;base64,iVBORw0KGgo=' },
  {
    type: 'step-finish',
    cost: 0.02,
    tokens: { input: 10, output: 4, reasoning: 1, cache: { read: 90, write: 0 } },
  },
  {
    type: 'step-finish',
    cost: 0.01,
    tokens: { input: 5, output: 2, reasoning: 0, cache: { read: 100, write: 0 } },
  },
]

/** A session without a folder of its own, whose answer tells its tokens step by step. */
const SQL = `
  INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) VALUES ('prj', '/home/me/shop', 1, 1, '[]');
  INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
    VALUES ('ses_asked', 'prj', 's', '', 'Asked', '1.18.33', 1, 5000);
  INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('${MESSAGE}', 'ses_asked', 1000, 5000,
    ${quoted({ role: 'assistant', modelID: 'm', time: { created: AT, completed: AT + 5000 } })});
  ${PARTS.map(
    (part, at) => `INSERT INTO part (id, message_id, session_id, time_created, time_updated, data)
    VALUES ('prt_${at}', '${MESSAGE}', 'ses_asked', 1000, 5000, ${quoted(part)});`,
  ).join('')}`

test('answers and refusals are requests; a folder and tokens are found where they are', () => {
  const { file } = home()
  made(file, SQL).close()
  const reading = gather(read(file))
  const [answer, ...said] = reading.messages.ses_asked!
  assert.deepEqual(
    said.map(({ kind, via, text, createdAt }) => [kind, via, text, createdAt]),
    [
      ['request', 'answer', 'Red, Blue\nat the top, please', AT + 2000],
      ['request', 'refusal', 'keep the build folder', AT + 4000],
    ],
  )
  const { usage } = answer!
  assert.deepEqual(usage, { input: 205, output: 6, cached: 190, cacheWrite: 0, reasoning: 1, cost: 0.03 })
  assert.equal(answer?.toolResults?.[2]?.chat, 'ses_child')
  assert.equal(reading.chats.find(({ id }) => id === 'ses_asked')?.workspace, '/home/me/shop')
})
