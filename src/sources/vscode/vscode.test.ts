import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { withReader } from '../source.ts'
import { machineAt, readMachine } from '../test-kit.ts'
import { vscode as described } from './index.ts'
import { FIXTURES, inWorkspace, seen } from './test-workspace.ts'

const vscode = await withReader(described)

let home: string
let user: string
before(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'))
  user = path.join(home, '.config/Code/User')
  fs.cpSync(path.join(FIXTURES, 'User'), user, { recursive: true })
})
after(() => fs.rmSync(home, { recursive: true, force: true }))

const EDIT_ANSWER = `I will look at the file.

Now I edit it.

I added \`toggle\` to \`src/todo.ts\`:

- it keeps the list **immutable**
- it flips \`done\`

\`\`\`ts
toggle(list, 1);
\`\`\``

const CHATS: {
  what: string
  id: string
  title: string
  workspace?: string
  status: string
  seen: string[]
  format?: string
}[] = [
  {
    what: 'edits, an MCP tool and a failing tool',
    id: '30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8',
    title: 'Add toggle to todo module',
    workspace: '/home/me/proj',
    status: 'done',
    seen: [
      'request: Add a toggle function to the todo module',
      `answer read_file replace_string_in_file: ${EDIT_ANSWER}`,
      'request: Reverse the word stressed, then try the failing tool',
      'answer lab-mcp/mcp_reverse lab_fail: Reversed: **desserts**. The second tool failed.',
    ],
  },
  {
    what: 'a sub-agent',
    id: '056a8a93-2a4c-4d3f-b324-84ce904f88ae',
    title: 'Subagent',
    workspace: '/home/me/proj',
    status: 'done',
    seen: ['request: Delegate the research', 'answer runSubagent: The exports are add and toggle.'],
  },
  {
    what: 'a cancelled turn',
    id: '74869f77-236c-493c-aca5-dae4cc8d5276',
    title: 'Cancelled',
    workspace: '/home/me/proj',
    status: 'cancelled',
    seen: ['request: Count slowly to one thousand', 'answer cancelled: One, two, three,'],
  },
  {
    what: 'a failed turn',
    id: '3dcea58b-17c8-4313-93ee-db09ddd64df9',
    title: 'Model error',
    workspace: 'todo-app',
    status: 'failed',
    seen: [
      'request: This request makes the model fail',
      'answer failed: ',
      'notice: Sorry, your request failed. Please try again.\n\nClient Request Id: 6f04bcdd-6f37-4d0b-a5ad-7eef75d103be\n\nReason: Fake model exploded (500): Error: Fake model exploded (500)',
    ],
  },
  {
    what: 'a terminal command',
    id: 'f1c9fd63-9cd4-45ca-9492-ff8961099c39',
    title: 'Run a command',
    workspace: '/home/me/proj',
    status: 'done',
    seen: [
      'request: List the files with ls, then touch a file',
      'answer run_in_terminal: The folder has three entries.',
    ],
  },
  {
    what: 'attachments, and a request that was sent again',
    id: 'eea22105-9193-4d47-812f-65d6843ee5c4',
    title: 'Attachments in agent mode',
    workspace: '/home/me/proj',
    status: 'done',
    seen: [
      'request undone: Explain these files',
      'request: Explain these files',
      'answer: They are a module and a picture (retried).',
    ],
  },
  {
    what: 'a pasted picture',
    id: 'e90e45d2-6379-451b-9e89-8a2374f36488',
    title: 'Pasted picture',
    workspace: '/home/me/proj',
    status: 'done',
    seen: ['request: What did I paste?', 'answer: A pasted orange square.'],
  },
  {
    what: 'all kinds of characters',
    id: '3b513681-732f-4b68-915b-9717562afa9e',
    title: 'Юникод ✓',
    workspace: '/home/me/proj',
    status: 'done',
    seen: [
      'request: Привет! 你好 🙂 — «кавычки» "quotes" \\ back\\slash\nsecond line\n\tTabbed',
      'answer: Ответ: 你好 🙂🏽 \u202eRTL\u202c \u2028line sep. <b>html</b> & `code`\n\n$$x^2$$',
    ],
  },
  {
    what: 'a flat file',
    id: 'dd4cb04b-6615-4e1c-9645-e143585c3c09',
    title: 'Flat json session',
    workspace: '/home/me/proj',
    status: 'done',
    seen: [
      'request: Write in the flat format please',
      'answer lab_echo: Looking.\n\nFlat answer.',
      'request: And a second turn',
      'answer: Second flat answer.',
    ],
    format: 'flat v3',
  },
  {
    what: 'an earlier turn that was edited',
    id: '18ac9364-b08b-4782-b6d9-870233a067a2',
    title: 'Flat json session',
    workspace: '/home/me/proj',
    status: 'done',
    seen: [
      'request: Write in the flat format please',
      'answer lab_echo: Looking.\n\nFlat answer.',
      'request undone: And a second turn',
      'answer undone: Second flat answer.',
      'request: And a better second turn',
      'answer: Second answer, edited.',
    ],
  },
  {
    what: 'an empty window',
    id: '17c5f7c9-70c7-4053-b7c1-73e1a91abe64',
    title: 'Chat without a folder',
    status: 'done',
    seen: ['request: Hello from an empty window', 'answer lab_echo: Hi.\n\nAnswer in an empty window.'],
  },
  {
    what: 'a workspace of several folders',
    id: '7c3be0ac-9d2e-42b8-a370-2eef4ffb6a47',
    title: 'Multi-root',
    workspace: '/home/me/multi.code-workspace',
    status: 'done',
    seen: ['request: Which folders are open?', 'answer: todo-app and lib-b.'],
  },
]

test('real sessions', async (t) => {
  const reading = readMachine(vscode, machineAt(home))
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(
    reading.chats.map((chat) => chat.id).sort(),
    CHATS.map((chat) => chat.id).sort(),
    'every chat once, and none for a session in which only a draft was typed',
  )
  for (const expected of CHATS) {
    await t.test(expected.what, () => {
      const chat = reading.chats.find(({ id }) => id === expected.id)!
      const { what, seen: lines, ...header } = expected
      const { title, workspace, status, id, source, format, createdAt, updatedAt } = chat
      assert.deepEqual(
        { source, id, title, workspace, status, format },
        { workspace: undefined, source: 'vscode', format: 'log v3', ...header },
      )
      assert.ok(createdAt! > 1_794_700_000_000 && updatedAt! > createdAt!)
      assert.deepEqual(seen(reading, expected.id), lines)
    })
  }
})

test('what a turn holds besides its text', () => {
  const { messages } = readMachine(vscode, machineAt(home))
  const [request, answer, , second] = messages['30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8']!
  assert.deepEqual(
    [request!.id, request!.order, request!.createdAt, answer!.id, answer!.order, answer!.createdAt],
    [
      'request_955715d2-bf8c-4213-9337-381ac8d06354',
      0,
      1794706169453,
      'response_b28ee3b8-45e2-4f74-9d6e-7b1d53267716',
      1,
      1794706178434,
    ],
  )
  assert.equal(answer!.thinking, 'The user wants a new function. I should read the file first.')
  assert.equal(answer!.model, 'labfake-1')
  assert.equal(answer!.latencyMs, 8981)
  assert.deepEqual(answer!.toolCalls![0], {
    id: 'call_bodk9q88',
    server: undefined,
    tool: 'read_file',
    args: { filePath: '/home/me/proj/src/todo.ts', startLine: 1, endLine: 20 },
  })
  assert.match(answer!.toolResults![0]!.text!, /^export interface Todo .*\n\nexport function add/)
  assert.deepEqual(answer!.files, [
    { path: '/home/me/proj/src/todo.ts', action: 'edit' },
    { path: '/home/me/proj/src/todo.ts', action: 'read' },
  ])
  assert.deepEqual(second!.toolResults, [
    { callId: 'call_dwgvcn54', text: 'desserts' },
    {
      callId: 'call_im6z4svg',
      error: 'ERROR while calling tool: lab_fail always fails\nPlease check your input and try again.',
    },
  ])

  const [, subagent] = messages['056a8a93-2a4c-4d3f-b324-84ce904f88ae']!
  assert.deepEqual(plain(subagent!.toolCalls![0]!.args), {
    description: 'Find exports',
    prompt: 'Find all exports',
  })
  assert.equal(subagent!.toolResults![0]!.text, 'Subagent result: add, toggle.')

  const [, terminal] = messages['f1c9fd63-9cd4-45ca-9492-ff8961099c39']!
  const { command, cwd } = terminal!.toolCalls![0]!.args as Record<string, string>
  assert.deepEqual([command, cwd], ['ls -1', '/home/me/proj'])
  assert.deepEqual(terminal!.toolResults, [
    { callId: 'call_f6v7s4od', text: 'README.md\npackage.json\nsrc', exitCode: 0, durationMs: 1 },
  ])

  const [attaching] = messages['eea22105-9193-4d47-812f-65d6843ee5c4']!
  assert.deepEqual(plain(attaching!.attachments), [
    { name: 'todo.ts', type: 'file', path: '/home/me/proj/src/todo.ts' },
    { name: 'src', type: 'file', path: '/home/me/proj/src' },
  ])
  const [pasting] = messages['e90e45d2-6379-451b-9e89-8a2374f36488']!
  const [picture] = pasting!.attachments!
  assert.deepEqual([picture!.name, picture!.type, picture!.mimeType], ['Pasted Image', 'image', 'image/png'])
  assert.match(picture!.path!, /vscode-chat-images\/image-\d+\.png$/)
  assert.ok(picture!.bytes! > 0)
})

test('every kind of part', () => {
  const reading = inWorkspace({
    'chatSessions/x.json': fs.readFileSync(path.join(FIXTURES, 'every-part.json')),
  })
  const id = '22222222-aaaa-4bbb-8ccc-000000000001'
  assert.deepEqual(plain(reading.chats), [
    {
      source: 'vscode',
      id,
      workspace: '/home/me/proj',
      repository: 'https://github.com/me/proj.git',
      branch: 'main',
      createdAt: 1780000000000,
      updatedAt: 1780000050000,
      status: 'waiting',
      format: 'flat v3',
    },
  ])
  assert.deepEqual(seen(reading, id), [
    'request: Move the store to Postgres',
    'summary: The user moves a store to Postgres.',
    `answer read_file grep_search run_in_terminal Playwright/browser_navigate recollect/search_conversations tool_without_a_part: ${[
      'I will change `store.ts` and `openStore`.',
      'Which version?\n> 16, the newest, please\nWhich extensions?\n> pg_trgm, vector',
      'Plan\n1. Add a pool\n2. Move the tables\n> approve\n> keep SQLite for tests',
      'Database name\nWhich one?\n> {"name":"shop"}',
      'Run the migration?\nIt cannot be undone.',
      'Done:\n\n```ts\nopenStore()\n```',
    ].join('\n\n')}`,
    'request via answer: 16, the newest, please\npg_trgm, vector',
    'request via answer: keep SQLite for tests',
    'request via answer: shop',
    'injected: @agent Continue: "Continue to iterate?"',
    'answer: Continuing.',
    'injected: Terminal command finished',
    'answer: The tests pass.',
    'request undone: Also drop the cache',
    'answer undone: Dropped.',
    'request: Which port?',
  ])

  const [request, , answer, , , , , continued] = reading.messages[id]!
  assert.deepEqual(plain(request!.attachments), [
    { name: 'file:store.ts', type: 'file', path: '/home/me/proj/src/store.ts' },
    { name: 'Screenshot', type: 'image', mimeType: 'image/png', bytes: 4 },
    { name: 'Pasted code', type: 'paste', text: 'select 1' },
    { name: 'npm test', type: 'terminalCommand', text: 'npm test\n1 failing' },
    { name: 'Cannot find name', type: 'diagnostic', text: "Cannot find name 'pg'." },
    { name: 'instructions', type: 'promptText' },
    { name: 'Docs', type: 'generic', url: 'https://node-postgres.com/apis/pool' },
  ])
  assert.equal(answer!.thinking, 'First the schema.')
  assert.equal(answer!.model, 'claude-sonnet-5')
  assert.deepEqual(answer!.usage, { input: 1010, output: 55, cached: 400 })
  assert.deepEqual(continued!.usage, { input: 7, output: 8 })
  assert.equal(answer!.latencyMs, 8000)
  const call = (n: number) => `11111111-0000-4000-8000-00000000000${n}`
  assert.deepEqual(
    answer!.toolCalls!.map(({ id, args }) => [id, plain(args)]),
    [
      [call(1), { filePath: '/home/me/proj/src/store.ts' }],
      [call(2), { query: 'openStore' }],
      [call(3), { command: "psql -c 'select 2'", cwd: '/home/me/proj' }],
      [call(4), { url: 'http://localhost' }],
      [call(5), { query: 'postgres' }],
      ['toolu_3', 'not json'],
    ],
  )
  assert.deepEqual(plain(answer!.toolResults), [
    { callId: call(1), text: 'export const openStore = () => {}\n// end' },
    { callId: call(2), text: 'Searched text for `openStore`, 3 results' },
    { callId: call(3), text: 'ERROR: no server', exitCode: 2, durationMs: 40 },
    { callId: call(4), error: 'not allowed by the user' },
    { callId: call(5), error: 'nothing found' },
    { callId: 'toolu_3', text: 'ok' },
  ])
  assert.deepEqual(answer!.files, [
    { path: '/home/me/proj/src/store.ts', action: 'edit' },
    { path: '/home/me/proj/src/pg.ts', action: 'create' },
    { path: '/home/me/proj/src/lite.ts', action: 'delete' },
    { path: '/home/me/proj/b.sql', action: 'rename' },
    { path: '/home/me/proj/.env', action: 'create' },
    { path: '/home/me/proj/src/store.ts', action: 'read' },
  ])
  assert.deepEqual(plain(answer!.citations), [
    { url: 'https://github.com/me/proj/pull/7', title: 'Use Postgres', text: 'Moves the store' },
    { url: 'https://www.postgresql.org/docs/' },
    { url: 'https://github.com/x/y', title: 'MIT', text: 'pool()' },
  ])
  const kept = JSON.stringify(reading)
  for (const never of [
    'unsent draft',
    'queued request',
    'injected</context>',
    'iVBORw0KGgo',
    'Always answer',
  ]) {
    assert.ok(!kept.includes(never), never)
  }
})

/** As it would be stored: without what is undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
