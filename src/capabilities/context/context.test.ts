import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { redactJson } from '../../platform/redact.ts'
import { type Bench, bench, say } from '../../recall/test-kit.ts'
import type { Deps } from '../capability.ts'
import { contextCapabilities } from './index.ts'

let desk: Bench
let workspace: string
let file: string

before(async () => {
  desk = bench()
  const session = path.join(desk.home, 'abcd1.jsonl')
  fs.writeFileSync(session, '')
  const said = [say(1, 'Fix the pool.'), say(2, 'Fixed.', { role: 'assistant' })]
  await desk.write({ id: 'abcd1', title: 'Pool', resume: 'claude --resume abcd1' }, said, session)
})
after(() => desk.close())
beforeEach(() => {
  workspace = fs.mkdtempSync(path.join(desk.folder, 'ws-'))
  file = path.join(workspace, 'context.md')
})

type Answer = Record<string, unknown>

/** As a face calls it: arguments parsed, the answer held against its schema. */
async function call(
  name: string,
  input: object = {},
  more: Partial<Omit<Deps, 'machine'>> & { env?: object } = {},
) {
  const found = contextCapabilities.find((each) => each.name === name)
  assert.ok(found, name)
  const { env, ...rest } = more
  const machine = { ...desk.machine, env: { ...desk.machine.env, ...env } }
  const deps: Deps = { ...desk, machine, caller: {}, clean: redactJson, room: 10_000, ...rest }
  // Each has an input of its own, which only its own schema knows.
  const handle = found.handle as (deps: Deps, input: unknown) => Promise<unknown>
  const answer = await handle(deps, found.input.parse({ workspace, ...input }))
  assert.deepEqual(found.output.parse(answer), JSON.parse(JSON.stringify(answer)))
  return answer as Answer
}

test('every tool of the contract is there, in the set of context tools', () => {
  assert.deepEqual(contextCapabilities.map((each) => each.name).sort(), [
    'append_context',
    'archive_context',
    'export_conversation',
    'export_to_memory',
    'get_context_summary',
    'get_resume_command',
    'import_from_memory',
    'init_context',
    'read_context',
  ])
  for (const each of contextCapabilities) assert.equal(each.set, 'context')
})

test('from the first line to the archive', async () => {
  assert.deepEqual(await call('init_context', { projectName: 'Shop' }), {
    success: true,
    path: file,
    template: 'standard',
  })
  const added = await call('append_context', { title: 'One', content: 'Did it.' })
  assert.match(String(added.timestamp), /^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  const exported = await call('export_conversation', { sessionId: 'abcd1' })
  assert.deepEqual([exported.success, exported.entry], [true, 'added'])
  const read = await call('read_context', { lastSessions: 1 })
  assert.match(String(read.content), /— Pool\n/)
  assert.equal((read.metadata as Answer).sessionCount, 2)
  const summary = await call('get_context_summary')
  assert.equal((summary.recentSessions as unknown[]).length, 2)
  assert.equal((await call('get_resume_command', { sessionId: 'abcd1' })).command, 'claude --resume abcd1')
  assert.equal((await call('export_to_memory', { target: 'claude-md' })).applied, false)
  assert.equal((await call('export_to_memory', { target: 'claude-md', apply: true })).applied, true)
  assert.equal((await call('import_from_memory', { from: 'claude-md', apply: true })).entry, 'added')
  const archived = await call('archive_context', { keepSessions: 1 })
  assert.deepEqual([archived.archived, archived.kept], [2, 1])
})

const ERRORS: [tool: string, input: object, code: string, state: 'none' | 'file' | 'read-only' | 'folder'][] =
  [
    ['read_context', {}, 'FILE_NOT_FOUND', 'none'],
    ['read_context', {}, 'READ_ERROR', 'folder'],
    ['append_context', { content: 'x' }, 'FILE_NOT_FOUND', 'none'],
    ['append_context', { content: 'x' }, 'WRITE_ERROR', 'read-only'],
    ['init_context', {}, 'FILE_EXISTS', 'file'],
    ['init_context', { workspace: '/nonexistent/ws' }, 'WRITE_ERROR', 'none'],
    ['export_conversation', { sessionId: 'nope' }, 'SESSION_NOT_FOUND', 'file'],
    ['export_conversation', { sessionId: 'abcd1' }, 'CONTEXT_NOT_FOUND', 'none'],
    ['export_conversation', { sessionId: 'abcd1' }, 'EXPORT_ERROR', 'read-only'],
    ['get_context_summary', {}, 'FILE_NOT_FOUND', 'none'],
    ['get_resume_command', {}, 'SESSION_NOT_FOUND', 'none'],
    ['export_to_memory', {}, 'FILE_NOT_FOUND', 'none'],
    ['export_to_memory', { target: 'agents-md', apply: true }, 'WRITE_ERROR', 'file'],
    ['import_from_memory', { from: 'claude-md' }, 'FILE_NOT_FOUND', 'file'],
    ['import_from_memory', { from: 'agents-md', apply: true }, 'WRITE_ERROR', 'read-only'],
    ['archive_context', {}, 'FILE_NOT_FOUND', 'none'],
    ['archive_context', { keepSessions: 0 }, 'WRITE_ERROR', 'read-only'],
  ]

for (const [tool, input, code, state] of ERRORS) {
  test(`${tool}: ${code}`, async () => {
    if (state === 'folder') fs.mkdirSync(file)
    else if (state !== 'none') {
      fs.writeFileSync(file, '## 2026-05-01 10:00 — e\n', { mode: state === 'file' ? 0o644 : 0o444 })
      fs.writeFileSync(path.join(workspace, 'AGENTS.md'), 'Tabs.\n', { mode: 0o444 })
    }
    await assert.rejects(call(tool, input), { code, hint: /\w/ })
  })
}

test('a path in CONTEXT_FILE_NAME is refused by each tool with a code of its own', async () => {
  const env = { CONTEXT_FILE_NAME: '../x.md' }
  await assert.rejects(call('read_context', {}, { env }), { code: 'READ_ERROR' })
  await assert.rejects(call('append_context', { content: 'x' }, { env }), { code: 'WRITE_ERROR' })
  await assert.rejects(call('export_conversation', { sessionId: 'abcd1' }, { env }), { code: 'EXPORT_ERROR' })
})

test('an address that is no folder here is refused by each tool with a code of its own', {
  skip: process.platform === 'win32',
}, async () => {
  const workspace = 'file://elsewhere/home/me/shop'
  await assert.rejects(call('read_context', { workspace }), { code: 'READ_ERROR', hint: /path/ })
  await assert.rejects(call('append_context', { content: 'x', workspace }), { code: 'WRITE_ERROR' })
  await assert.rejects(call('read_context', { workspace: 'file:///100%' }), { code: 'READ_ERROR' })
})

test('malformed arguments do not reach the handler', async () => {
  for (const [name, input] of [
    ['append_context', { content: ' \n' }],
    ['append_context', {}],
    ['read_context', { lastSessions: -1 }],
    ['read_context', { format: 'html' }],
    ['archive_context', { keepSessions: 1.5 }],
    ['export_to_memory', { target: '../x' }],
  ] as const) {
    await assert.rejects(call(name, input), { name: 'ZodError' })
  }
})

test('the caller’s folder stands in for a workspace; an argument beats the environment', async () => {
  fs.writeFileSync(file, 'here')
  const asked = { workspace: undefined }
  assert.equal((await call('read_context', asked, { caller: { workspace } })).content, 'here')
  assert.equal((await call('read_context', {}, { env: { WORKSPACE: '/elsewhere' } })).content, 'here')
  await assert.rejects(
    call('read_context', asked, { caller: { workspace }, env: { WORKSPACE: '/elsewhere' } }),
    { code: 'FILE_NOT_FOUND' },
  )
})

test('an answer fits its budget, and keeps the newest; more is given when asked for', async () => {
  const entry = (n: number) => `## 2026-05-01 10:0${n} — e${n}\n\n${'"quoted"\n'.repeat(300)}\n`
  fs.writeFileSync(file, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(entry).join(''))
  const fitting = await call('read_context')
  assert.ok(JSON.stringify(fitting).length <= 10_000)
  assert.equal((fitting.metadata as Answer).truncated, true)
  assert.ok(String(fitting.content).endsWith(entry(9)))
  const tight = await call('read_context', {}, { room: 3_000 })
  assert.ok(JSON.stringify(tight).length <= 3_000)
  const whole = await call('read_context', { maxBytes: 100_000 })
  assert.equal(whole.content, fs.readFileSync(file, 'utf8'))
  fs.writeFileSync(path.join(workspace, 'CLAUDE.md'), '"rule"\n'.repeat(5_000))
  assert.ok(JSON.stringify(await call('import_from_memory', { from: 'claude-md' })).length <= 10_000)
})

test('secrets are not read out, unless their owner wants them', async () => {
  const key = `sk-ant-${'a1B2'.repeat(10)}`
  fs.writeFileSync(file, `key ${key}\n`)
  assert.doesNotMatch(String((await call('read_context')).content), /sk-ant/)
  assert.equal((await call('read_context', {}, { clean: (value) => value })).content, `key ${key}\n`)
})
