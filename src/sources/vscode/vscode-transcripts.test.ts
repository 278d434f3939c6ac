import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { withReader } from '../source.ts'
import { gather, machineAt } from '../test-kit.ts'
import { vscode as described } from './index.ts'
import { FIXTURES, inWorkspace, seen, workspaceWith } from './test-workspace.ts'

const vscode = await withReader(described)

let home: string
let user: string
before(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-'))
  user = path.join(home, '.config/Code/User')
  fs.cpSync(path.join(FIXTURES, 'User'), user, { recursive: true })
})
after(() => fs.rmSync(home, { recursive: true, force: true }))

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
