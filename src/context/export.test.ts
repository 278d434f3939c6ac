import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openChat } from '../recall/current.ts'
import { type Bench, bench, NOON, say } from '../recall/test-kit.ts'
import { appendContext } from './append.ts'
import { checkContext } from './check.ts'
import { exportConversation } from './export.ts'
import type { Place } from './place.ts'
import { resumeCommand } from './resume.ts'
import { contentOf, emptyWorkspace, entriesOf, workspaceWith } from './test-kit.ts'

let desk: Bench
before(() => {
  desk = bench()
})
after(() => desk.close())

const talk = (id: string, more: object = {}) => ({
  id,
  title: `Chat ${id}`,
  workspace: '/home/me/shop',
  ...more,
})
const key = `sk-ant-${'a1B2'.repeat(10)}`

function write(id: string, more: object = {}): Promise<void> {
  return desk.write(talk(id, more), [
    say(1, `Fix the pool with ${key}`),
    say(2, 'I looked at it. Shall I use pgbouncer or a larger pool?', {
      role: 'assistant',
      toolCalls: [
        { id: 'c1', tool: 'Bash', args: { command: 'npm test', description: 'x' } },
        { id: 'c2', tool: 'str_replace_editor', args: { command: 'create', path: '/x' } },
      ],
    }),
    say(3, '', {
      role: 'tool',
      toolResults: [{ callId: 'c1', text: 'boom', exitCode: 2 }],
      files: [
        { path: '/home/me/shop/src/pool.ts', action: 'edit' },
        { path: '/home/me/shop/readme.md', action: 'read' },
      ],
    }),
    say(4, 'A larger pool.'),
    say(5, 'Done. We use max 20 instead of 10.\n\nNext steps:\n\n- load test\n- [ ] tell the team', {
      role: 'assistant',
    }),
  ])
}

const put = async (place: Place, id: string, options = {}) =>
  exportConversation(place, await openChat(desk, id), options, () => NOON)
const check = async (place: Place) =>
  (await checkContext({ place, machine: desk.machine, asker: desk })).entries.map(
    ({ source, state, edited }) => `${source} ${state}${edited ? ' edited' : ''}`,
  )

test('a summary tells requests, decisions, files, commands and what is open; secrets stay out', async () => {
  await write('aaaa1')
  const place = workspaceWith('# Head\n')
  const { exported, entry } = await put(place, 'aaaa1')
  assert.equal(entry, 'added')
  assert.deepEqual([exported.title, exported.messageCount], ['Chat aaaa1', 5])
  const [written] = entriesOf(place)
  assert.equal(written?.title, 'Chat aaaa1')
  assert.equal(written?.timestamp, exported.timestamp)
  assert.deepEqual(written?.provenance?.requests, [1, 2])
  const { content = '' } = written ?? {}
  for (const part of [
    '### Requests\n\n1. Fix the pool with [redacted: API key]\n2. A larger pool.',
    '### Decisions\n\n- “Shall I use pgbouncer or a larger pool?” — “A larger pool.”\n- We use max 20 instead of 10.',
    '### Files touched\n\n- `src/pool.ts` (edit)\n',
    '### Commands run\n\n- `npm test` (exit code 2)\n',
    '### Where it ended\n\nDone. We use max 20',
    '### Open\n\n- tell the team\n- load test\n- The last command failed: `npm test` (exit code 2)',
  ]) {
    assert.ok(content.includes(part), `${part}\n\nis not in\n\n${content}`)
  }
  assert.ok(!contentOf(place).includes(key))
  assert.ok((await put(workspaceWith(''), 'aaaa1', { clean: <T>(value: T) => value })).success)
})

test('in full, every request and answer is there', async () => {
  await write('aaaa2')
  const place = workspaceWith('')
  await put(place, 'aaaa2', { format: 'full' })
  const content = entriesOf(place)[0]?.content ?? ''
  assert.match(
    content,
    /### Request 1\n\nFix the pool[\s\S]*### Answer\n\nI looked[\s\S]*### Request 2\n\nA larger pool\./,
  )
  assert.equal(entriesOf(place).length, 1)
})

test('the same chat again: unchanged, then updated as the last entry, never doubled', async () => {
  await write('aaaa3')
  const place = workspaceWith('# Head\r\n')
  await put(place, 'aaaa3')
  await appendContext(place, { title: 'between', content: 'x' }, () => NOON)
  const before = contentOf(place)
  assert.equal((await put(place, 'aaaa3')).entry, 'unchanged')
  assert.equal(contentOf(place), before)
  await desk.write(talk('aaaa3'), [say(6, 'One more thing.')])
  const again = await put(place, 'aaaa3')
  assert.deepEqual([again.entry, again.note.includes('updated')], ['updated', true])
  assert.deepEqual(
    entriesOf(place).map((entry) => entry.title),
    ['between', 'Chat aaaa3'],
  )
  assert.match(entriesOf(place)[1]?.content ?? '', /Not answered yet: One more thing\./)
  assert.equal(contentOf(place).replaceAll('\r\n', '').includes('\n'), false, 'CRLF stays CRLF')
  assert.equal((await put(place, 'aaaa3', { format: 'full' })).entry, 'updated')
  assert.equal(entriesOf(place).length, 2)
})

test('an entry edited by hand is not replaced, and both say so', async () => {
  await write('aaaa4')
  const place = workspaceWith('')
  await put(place, 'aaaa4')
  fs.writeFileSync(place.file, contentOf(place).replace('### Open', 'My own remark.\n\n### Open'))
  assert.deepEqual(await check(place), ['claude-code:aaaa4 unchanged edited'])
  await desk.write(talk('aaaa4'), [say(6, 'More.')])
  const again = await put(place, 'aaaa4')
  assert.deepEqual([again.entry, again.note.includes('by hand')], ['added', true])
  assert.match(contentOf(place), /My own remark/)
  assert.equal(entriesOf(place).length, 2)
})

test('check tells which sources are unchanged, went on, changed or are gone', async () => {
  for (const id of ['bbbb1', 'bbbb2', 'bbbb3', 'bbbb4']) await write(id)
  const place = workspaceWith('')
  for (const id of ['bbbb1', 'bbbb2', 'bbbb3', 'bbbb4']) await put(place, id)
  await desk.write(talk('bbbb2'), [say(6, 'And then?')])
  await desk.write(talk('bbbb3'), [say(5, 'Rewritten.', { role: 'assistant' })])
  await desk.archive.forget([await desk.archive.resolveChat('bbbb4')])
  assert.deepEqual(await check(place), [
    'claude-code:bbbb1 unchanged',
    'claude-code:bbbb2 continued',
    'claude-code:bbbb3 changed',
    'claude-code:bbbb4 missing',
  ])
})

test('SESSION_NOT_FOUND, CONTEXT_NOT_FOUND, EXPORT_ERROR', async () => {
  await write('cccc1')
  await assert.rejects(put(workspaceWith(''), 'nope1'), { code: 'SESSION_NOT_FOUND' })
  await assert.rejects(put(emptyWorkspace(), 'cccc1'), { code: 'CONTEXT_NOT_FOUND', hint: /init_context/ })
  const place = workspaceWith('x\n')
  fs.chmodSync(place.file, 0o444)
  await assert.rejects(put(place, 'cccc1'), { code: 'EXPORT_ERROR' })
  assert.equal(contentOf(place), 'x\n')
})

const asIs = <T>(value: T): T => value

test('the resume command of a chat, and of the newest one in the workspace that has one', async () => {
  const { workspace } = emptyWorkspace()
  const place = { ...emptyWorkspace(), workspace }
  const later = (n: number) => ({ workspace, updatedAt: NOON + n, createdAt: NOON })
  const file = (id: string) => {
    const made = path.join(desk.folder, `${id}.jsonl`)
    fs.writeFileSync(made, '')
    return made
  }
  await desk.write(
    { id: 'dddd1', ...later(1), resume: 'claude --resume dddd1' },
    [say(1, 'one')],
    file('dddd1'),
  )
  const codex = { source: 'codex', ...later(2e6), resume: 'codex resume dddd2' }
  await desk.write({ id: 'dddd2', ...codex }, [say(1, 'two')], file('dddd2'))
  // Newer, but its file is gone.
  await desk.write({ id: 'dddd4', ...later(4e6), resume: 'claude --resume dddd4' }, [say(1, 'four')])
  await desk.write({ id: 'dddd3', source: 'vscode', ...later(3e6) }, [say(1, 'three')])
  const newest = await resumeCommand(desk, place, asIs)
  assert.deepEqual([newest.command, newest.source], ['codex resume dddd2', 'codex'])
  const named = await resumeCommand(desk, place, asIs, 'dddd1')
  assert.deepEqual([named.success, named.command, named.sessionId], [true, 'claude --resume dddd1', 'dddd1'])
  assert.equal(typeof named.updatedAt, 'number')
  await assert.rejects(resumeCommand(desk, place, asIs, 'dddd3'), {
    code: 'SESSION_NOT_FOUND',
    hint: /export/,
  })
  await assert.rejects(resumeCommand(desk, place, asIs, 'dddd4'), { message: /its file is gone/ })
  await assert.rejects(resumeCommand(desk, emptyWorkspace(), asIs), { code: 'SESSION_NOT_FOUND' })
  await assert.rejects(resumeCommand(desk, place, asIs, 'nope2'), { code: 'SESSION_NOT_FOUND' })
})
