import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { readJson } from '../lines.ts'
import { gather, machineAt, type Reading, readMachine, unitsOf } from '../test-kit.ts'
import { exportedChat, isExportedChat, vscode } from './index.ts'

const FIXTURES = path.join(import.meta.dirname, 'fixtures')

let home: string
let user: string
before(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'))
  user = path.join(home, '.config/Code/User')
  fs.cpSync(path.join(FIXTURES, 'User'), user, { recursive: true })
})
after(() => fs.rmSync(home, { recursive: true, force: true }))

/** What a person sees of a chat, in a line for each message. */
function seen({ messages }: Reading, id: string): string[] {
  return messages[id]!.map((message) => {
    const tools = message.toolCalls?.map(({ server, tool }) => (server ? `${server}/${tool}` : tool))
    const marks = [message.kind, message.outcome, message.undone && 'undone', ...(tools ?? [])]
    return `${marks.filter(Boolean).join(' ')}: ${message.text}`
  })
}

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
    seen: ['request: Explain these files', 'answer: They are a module and a picture (retried).'],
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
    'injected: @agent Continue: "Continue to iterate?"',
    'answer: Continuing.',
    'injected: Terminal command finished',
    'answer: The tests pass.',
    'request undone: Also drop the cache',
    'answer undone: Dropped.',
    'request: Which port?',
  ])

  const [request, , answer, , continued] = reading.messages[id]!
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

test('the oldest formats', () => {
  const old = (name: string) => fs.readFileSync(path.join(FIXTURES, 'old', name))
  const reading = inWorkspace({
    'workspace.json': '{"folder":"file:///c%3A/My%20Proj"}',
    'chatSessions/1.json': old('v1.json'),
    'chatSessions/2.json': `\ufeff${old('v2.json')}`,
    'state.vscdb': stateDatabase({ 'interactive.sessions': String(old('interactive-sessions.json')) }),
  })
  assert.deepEqual(reading.problems, [])
  assert.deepEqual(new Set(reading.chats.map((chat) => chat.workspace)), new Set(['C:\\My Proj']))
  assert.deepEqual(
    reading.chats.map((chat) => chat.format),
    ['flat', 'flat v2', 'legacy', 'legacy v2'],
  )
  assert.deepEqual(seen(reading, '11111111-aaaa-4bbb-8ccc-000000000001'), [
    'request: How do I reverse a list in Python?',
    'answer: Use `list.reverse()` or slicing.',
    'request: And a string?',
    'answer cancelled: Slicing works there too: `s[::-1]`.',
    'request: Still there?',
    'answer failed: ',
    'notice: Network error',
  ])
  assert.deepEqual(
    reading.messages['11111111-aaaa-4bbb-8ccc-000000000001']!.map((message) => message.id).slice(0, 2),
    ['request/0', 'request/0/response'],
  )
  const second = reading.chats.find(({ id }) => id.endsWith('2'))!
  assert.deepEqual(
    [second.title, second.createdAt, second.updatedAt],
    ['Sort by date', 1720000000000, 1720000009000],
  )
  assert.deepEqual(seen(reading, second.id), [
    'request undone: Sort the entries by date #selection',
    'answer undone: Here is the tree:\n\nsrc\n  entries.js\n\nSorted.',
  ])
  assert.equal(reading.messages[second.id]![0]!.attachments![0]!.path, 'C:\\proj\\entries.js')
  assert.deepEqual(seen(reading, '11111111-aaaa-4bbb-8ccc-000000000003'), [
    'request: A regex for ISO dates',
    'answer: `\\d{4}-\\d{2}-\\d{2}`',
  ])
  const nameless = reading.chats.find(({ id }) => id.startsWith('interactive-'))!
  assert.deepEqual(seen(reading, nameless.id), [
    'request: What is a monad?',
    'answer: A monoid in the category of endofunctors.',
  ])
  assert.equal(reading.chats.length, 4)
})

test('an unchanged store of old sessions costs nothing more', () => {
  const sessions = fs.readFileSync(path.join(FIXTURES, 'old/interactive-sessions.json'), 'utf8')
  const folder = workspaceWith({
    'state.vscdb': stateDatabase({ 'interactive.sessions': sessions, other: '1' }),
  })
  const unit = vscode.unit('workspaceStorage/ws/state.vscdb', { path: folder })!
  const first = gather(vscode.read(unit, undefined, machineAt(folder)))
  assert.equal(first.chats.length, 2)
  const again = [...vscode.read(unit, first.checkpoint, machineAt(folder))]
  assert.deepEqual(again, [{ checkpoint: first.checkpoint }])
  fs.writeFileSync(unit.path, stateDatabase({ 'interactive.sessions': '[]' }))
  assert.notDeepEqual(
    gather(vscode.read(unit, first.checkpoint, machineAt(folder))).checkpoint,
    first.checkpoint,
  )
  fs.writeFileSync(unit.path, 'not a database at all, but long enough to look like one')
  assert.match(gather(vscode.read(unit, undefined, machineAt(folder))).problems[0]!.reason, /cannot be read/)
  fs.rmSync(folder, { recursive: true })
})

test('a title that only the list of chats has', () => {
  const log =
    '{"kind":0,"v":{"version":3,"sessionId":"s1","requests":[{"requestId":"r","message":{"text":"hi"}}]}}\n'
  const list = (title: string) =>
    stateDatabase({
      'chat.ChatSessionStore.index': JSON.stringify({
        version: 1,
        entries: { s1: { title, lastResponseState: 2 } },
      }),
    })
  const folder = workspaceWith({ 'chatSessions/s1.jsonl': log, 'state.vscdb': list('Greeting') })
  const unit = vscode.unit('workspaceStorage/ws/chatSessions/s1.jsonl', { path: folder })!
  const first = gather(vscode.read(unit, undefined, machineAt(folder)))
  assert.deepEqual([first.chats[0]!.title, first.chats[0]!.status], ['Greeting', 'cancelled'])
  fs.writeFileSync(path.join(folder, 'workspaceStorage/ws/state.vscdb'), list('A longer greeting'))
  fs.utimesSync(path.join(folder, 'workspaceStorage/ws/state.vscdb'), 1, 1)
  const second = gather(vscode.read(unit, first.checkpoint, machineAt(folder)))
  assert.equal(second.chats[0]!.title, 'A longer greeting')
  fs.rmSync(folder, { recursive: true })
})

test('transcripts stand in where there is no session', async (t) => {
  const id = '30e7ff0c-c6dd-42b4-9eb3-25f7c12c55b8'
  const transcript = (name: string) =>
    fs.readFileSync(
      path.join(FIXTURES, `User/workspaceStorage/69ebdf57/GitHub.copilot-chat/transcripts/${name}.jsonl`),
    )
  const session = fs.readFileSync(
    path.join(FIXTURES, `User/workspaceStorage/69ebdf57/chatSessions/${id}.jsonl`),
  )
  const place = (name: string) => `GitHub.copilot-chat/transcripts/${name}.jsonl`

  await t.test('on a remote machine', () => {
    const reading = inWorkspace({
      [place(id)]: transcript(id),
      'workspace.json': '{"folder":"file:///srv/app"}',
    })
    assert.deepEqual(
      reading.chats.map((chat) => [chat.id, chat.workspace, chat.createdAt, chat.format]),
      [[id, '/srv/app', Date.parse('2026-11-15T01:29:32.859Z'), 'transcript 0.67.0']],
    )
    assert.deepEqual(seen(reading, id), [
      'answer read_file: I will look at the file.\n',
      'tool: ',
      'answer replace_string_in_file: Now I edit it.\n',
      'tool: ',
      'answer: I added `toggle` to [todo.ts](src/todo.ts):\n\n- it keeps the list **immutable**\n- it flips `done`\n\n```ts\ntoggle(list, 1);\n```\n',
      'request: Reverse the word stressed, then try the failing tool',
      'answer mcp_lab-mcp_mcp_reverse: ',
      'tool: ',
      'answer lab_fail: ',
    ])
    assert.equal(reading.messages[id]![1]!.toolResults![0]!.durationMs, 1136)
  })
  await t.test('what a sub-agent was told is not a request', () => {
    const sub = '056a8a93-2a4c-4d3f-b324-84ce904f88ae'
    assert.deepEqual(seen(inWorkspace({ [place(sub)]: transcript(sub) }), sub), [
      'answer runSubagent: ',
      'delegated: Find all exports',
    ])
  })
  await t.test('not beside a session with requests', () => {
    const reading = inWorkspace({ [place(id)]: transcript(id), [`chatSessions/${id}.jsonl`]: session })
    assert.ok(reading.messages[id]!.every((message) => /^re(quest|sponse)_/.test(message.id)))
  })
  await t.test('beside a session that stayed empty', () => {
    const empty = '{"kind":0,"v":{"version":3,"requests":[],"inputState":{"inputText":"x"}}}\n'
    const reading = inWorkspace({ [place(id)]: transcript(id), [`chatSessions/${id}.jsonl`]: empty })
    assert.equal(reading.messages[id]!.length, 9)
  })
  await t.test('until the session is written, and never again after', () => {
    const folder = workspaceWith({ [place(id)]: transcript(id) })
    const unit = vscode.unit(`workspaceStorage/ws/${place(id)}`, { path: folder })!
    const beside = path.join(folder, `workspaceStorage/ws/chatSessions/${id}.jsonl`)
    assert.ok(unit.beside!.includes(beside))
    const first = gather(vscode.read(unit, undefined, machineAt(folder)))
    fs.mkdirSync(path.dirname(beside), { recursive: true })
    fs.writeFileSync(beside, session)
    const covered = [...vscode.read(unit, first.checkpoint, machineAt(folder))]
    assert.deepEqual(covered, [{ restart: true }, { checkpoint: { offset: 0, state: { covered: true } } }])
    fs.rmSync(beside)
    const deleted = [...vscode.read(unit, { offset: 0, state: { covered: true } }, machineAt(folder))]
    assert.deepEqual(deleted, [{ checkpoint: { offset: 0, state: { covered: true } } }])
    fs.rmSync(folder, { recursive: true })
  })
})

test('an exported chat', () => {
  const session = readJson(path.join(FIXTURES, 'every-part.json')) as Record<string, unknown>
  const { responderUsername, initialLocation, requests } = session
  const document = { responderUsername, initialLocation, requests }
  assert.ok(isExportedChat(document))
  const reading = gather(exportedChat(document, 'chat.json'))
  assert.deepEqual([reading.chats[0]!.id, reading.chats[0]!.format], ['request_a', 'export'])
  assert.equal(reading.messages.request_a!.filter((message: Message) => message.kind === 'request').length, 3)
  assert.ok(!isExportedChat({ requests: [] }) && !isExportedChat([]) && !isExportedChat(null))
})

test('both files of one session, the log ranked higher', () => {
  const [flat, log] = ['json', 'jsonl'].map((ending) =>
    vscode.unit(`workspaceStorage/ws/chatSessions/a.${ending}`, { path: '/u' }),
  )
  const transcript = vscode.unit('workspaceStorage/ws/GitHub.copilot-chat/transcripts/a.jsonl', {
    path: '/u',
  })
  const store = vscode.unit('workspaceStorage/ws/state.vscdb', { path: '/u' })
  assert.ok(log!.rank! > flat!.rank! && flat!.rank! > store!.rank! && store!.rank! > transcript!.rank!)
  assert.deepEqual(
    [log, flat, store, transcript].map((unit) => unit!.growth),
    ['append', 'whole', 'database', 'append'],
  )
})

test('a second window on a workspace shares its sessions', () => {
  const unit = vscode.unit('workspaceStorage/ab12-1/GitHub.copilot-chat/transcripts/x.jsonl', { path: '/u' })
  assert.ok(unit!.beside!.includes(path.join('/u/workspaceStorage/ab12/chatSessions/x.jsonl')))
})

test('which files and folders count', () => {
  const root = { path: '/u' }
  for (const folder of [
    'workspaceStorage',
    'workspaceStorage/ab12',
    'workspaceStorage/no-workspace/chatSessions',
    'workspaceStorage/ab12/GitHub.copilot-chat/transcripts',
    'globalStorage/emptyWindowChatSessions',
    'globalStorage/transferredChatSessions',
  ]) {
    assert.ok(vscode.enters(folder, root), folder)
  }
  for (const folder of [
    'History',
    'workspaceStorage/ab12/chatEditingSessions',
    'globalStorage/github.copilot-chat',
  ]) {
    assert.ok(!vscode.enters(folder, root), folder)
  }
  for (const file of [
    'settings.json',
    'workspaceStorage/ab12/workspace.json',
    'workspaceStorage/ab12/state.vscdb.backup',
    'workspaceStorage/ab12/chatEditingSessions/x/state.json',
    'globalStorage/storage.json',
  ]) {
    assert.equal(vscode.unit(file, root), undefined, file)
  }
})

test('other people’s sessions, where they are at hand', (t) => {
  const samples = path.join(import.meta.dirname, '../../../../shared/samples/public/vscode')
  if (!fs.existsSync(samples)) return t.skip('not here')
  const counts = fs
    .readdirSync(samples)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const document = readJson(path.join(samples, name))
      assert.ok(isExportedChat(document), name)
      const { messages } = gather(exportedChat(document, name))
      const all = Object.values(messages).flat()
      const count = (kind: string) => all.filter((message) => message.kind === kind).length
      const calls = all.flatMap((message) => message.toolCalls ?? [])
      const answered = all.flatMap((message) => message.toolResults ?? [])
      assert.equal(new Set(calls.map((call) => call.id)).size, calls.length, name)
      return [name.slice(0, 2), count('request'), count('answer'), calls.length, answered.length].join(' ')
    })
  assert.deepEqual(counts, [
    '01 3 3 13 13',
    '02 4 4 0 0',
    '03 7 7 16 16',
    '04 1 1 1 1',
    '05 1 1 1 0',
    '06 1 1 1 1',
    '08 1 1 30 30',
    '10 2 2 8 8',
    '11 6 6 1 1',
    '12 2 2 0 0',
    '13 1 1 0 0',
  ])
})

function inWorkspace(files: Record<string, string | Buffer>): Reading {
  const folder = workspaceWith(files)
  const machine = machineAt('/nowhere')
  const source = { ...vscode, roots: () => [{ path: folder }] }
  try {
    assert.ok(unitsOf(source, machine).length > 0)
    return readMachine(source, machine)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

/** A `User` folder with one workspace of these files. */
function workspaceWith(files: Record<string, string | Buffer>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, 'workspaceStorage/ws', name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  return folder
}

function stateDatabase(values: Record<string, string>): Buffer {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-db-'))
  const file = path.join(folder, 'state.vscdb')
  const db = new DatabaseSync(file)
  db.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  const insert = db.prepare('INSERT INTO ItemTable VALUES (?, ?)')
  for (const [key, value] of Object.entries(values)) insert.run(key, value)
  db.close()
  const bytes = fs.readFileSync(file)
  fs.rmSync(folder, { recursive: true })
  return bytes
}

/** As it would be stored: without what is undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
