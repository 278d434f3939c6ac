import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isExportedChat } from '../../../src/sources/vscode/session.ts'
import { syncOnce } from '../../../src/sync/once.ts'
import { importable } from '../../src/session-file.ts'
import { host, McpStdioServerDefinition } from './fake-vscode.ts'
import { DEADLOCK, manifest, openWindow, QUEUE, until, writeDialog } from './kit.ts'

test('every command of the manifest is there, and no other', async () => {
  await using _ = await openWindow({ synced: false })
  const declared = manifest.contributes.commands.map(({ command }) => command)
  assert.deepEqual([...host.commands.keys()].toSorted(), declared.toSorted())
})

test('copies a request, the chosen one where there are several', async () => {
  await using window = await openWindow()
  host.pick = (items) => items[1]
  await window.command('copyRequest', DEADLOCK)
  const { request } = await window.call('get_request', { sessionId: DEADLOCK, index: 2 })
  assert.equal(host.clipboard, request)
})

test('copies how to resume, or says that there is no way', async () => {
  await using window = await openWindow()
  await window.command('copyResumeCommand', DEADLOCK)
  assert.equal(host.clipboard, `claude --resume ${DEADLOCK}`)
  await window.command('copyResumeCommand', QUEUE)
  assert.match(host.messages.at(-1) ?? '', /cannot be resumed/)
})

test('hands a dialog over through context.md, and starts the file where there is none', async () => {
  await using window = await openWindow()
  const file = path.join(window.workspace, 'context.md')
  await window.command('exportToContext', DEADLOCK)
  assert.equal(fs.existsSync(file), false, 'not without being asked')
  host.answer = 'Create context.md'
  await window.command('exportToContext', DEADLOCK)
  assert.match(fs.readFileSync(file, 'utf8'), /Deadlock between checkout and the stock import/)
  assert.match(host.messages.at(-1) ?? '', /Wrote 1 chat to context/)
})

test('exports as Markdown, to a file that only its owner can read', async () => {
  await using window = await openWindow()
  host.saveTo = path.join(window.folder, 'out.md')
  await window.command('exportMarkdown', [DEADLOCK, QUEUE])
  const text = fs.readFileSync(host.saveTo, 'utf8')
  assert.match(text, /Deadlock between checkout/)
  assert.match(text, /message queue/i)
  if (process.platform !== 'win32') assert.equal(fs.statSync(host.saveTo).mode & 0o777, 0o600)
})

test('gathers several dialogs in one document', async () => {
  await using window = await openWindow()
  await window.command('gather', [DEADLOCK, QUEUE])
  const [text = ''] = host.documents
  assert.match(text, /^# Gathered chats/)
  assert.match(text, /\*\*\[0\]\*\* .*\n- \*\*\[1\]\*\*/)
  assert.match(text, /## In chronological order/)
})

test('forgets only when the person means it', async () => {
  await using window = await openWindow()
  const { archive } = await window.api.secretary()
  await window.command('forget', DEADLOCK)
  assert.ok(await archive.resolveChat(DEADLOCK))
  host.answer = 'Forget'
  await window.command('forget', DEADLOCK)
  await assert.rejects(archive.resolveChat(DEADLOCK), { code: 'SESSION_NOT_FOUND' })
})

test('the search box finds while one types, and opens where the words stand', async () => {
  await using window = await openWindow()
  const searching = window.command('search')
  const box = await until('the box', () => host.quickPicks.at(-1))
  await until('the latest dialogs', () => box.items.length > 5)
  box.type('deadlock')
  await until(
    'the answer',
    () => box.items.some(({ label }) => label.startsWith('Deadlock')) && box.items.length < 5,
  )
  assert.match(box.items[0]?.detail ?? '', /deadlock/i)
  box.type('dedlock')
  await until('a typo forgiven', () => box.items.some(({ label }) => label.startsWith('Deadlock')))
  await until('what was corrected', () => /No results for "dedlock"; searched for deadlock/.test(box.title))
  box.type('deadlock')
  await until('nothing to explain', () => box.title === 'Search Chats')
  box.type('?!')
  await until('a note', () => box.items.length === 1 && /search for/.test(box.items[0]?.label ?? ''))
  box.type('deadlock')
  const found = await until('the answer again', () =>
    box.items.find(({ label }) => label.startsWith('Deadlock')),
  )
  box.accept(found)
  await searching
  assert.match(host.panels.at(-1)?.webview.html ?? '', /Deadlock/)
})

test('what goes wrong is said with what to do next', async () => {
  await using window = await openWindow()
  await window.command('openSource', 'nobody-knows')
  assert.match(host.messages.at(-1) ?? '', /^Recollect: Session not found: nobody-knows/)
})

test('opens the file that a dialog was read from', async () => {
  await using window = await openWindow()
  await window.command('openSource', DEADLOCK)
  const [, target] = host.executed.findLast(([name]) => name === 'vscode.open') ?? []
  assert.match(String(target), new RegExp(`${DEADLOCK}\\.jsonl$`))
})

test('writes a file that Import Chat takes, with every request and picture', async () => {
  await using window = await openWindow()
  const picture = { $base64: 'A'.repeat(5_000) }
  const file = writeDialog(window.chats, 'aaaaaaaa-0000-4000-8000-000000000001', ['one', 'two'], {
    title: 'Moved',
  })
  const line = {
    kind: 1,
    k: ['requests', 1, 'variableData'],
    v: { variables: [{ kind: 'image', value: picture }] },
  }
  fs.appendFileSync(file, `${JSON.stringify(line)}\n{"kind":1,"k":["half`)
  const secretary = await window.api.secretary()
  await syncOnce({ archive: secretary.archive, ...secretary.readable() })
  host.saveTo = path.join(window.folder, 'chat.json')
  host.answer = 'Import Now'
  await window.command('exportForImport', 'vscode:aaaaaaaa-0000-4000-8000-000000000001')
  const written: {
    requests: { message: { text: string }; variableData: { variables: { value: unknown }[] } }[]
  } = JSON.parse(fs.readFileSync(host.saveTo, 'utf8'))
  assert.ok(isExportedChat({ ...written }))
  assert.deepEqual(
    written.requests.map((request) => request.message.text),
    ['one', 'two'],
  )
  assert.deepEqual(written.requests[1]?.variableData.variables[0]?.value, picture)
  assert.equal(host.executed.at(-1)?.[0], 'workbench.action.chat.import')
})

test('real session files, logs and flat ones, become importable', () => {
  const fixtures = path.join(import.meta.dirname, '../../../src/sources/vscode/fixtures/User')
  const files = fs
    .globSync('**/chatSessions/*.json*', { cwd: fixtures })
    .map((file) => path.join(fixtures, file))
  const taken = files.map(importable).filter((chat) => chat !== undefined)
  assert.ok(files.length >= 10)
  assert.ok(taken.length >= files.length - 2, 'all but those in which nothing was asked')
  for (const chat of taken) assert.ok(isExportedChat(chat) && chat.requests.length > 0)
  assert.equal(importable(path.join(fixtures, 'nothing.json')), undefined)
})

test('models are offered one set of tools: ours, or the MCP server where that is wanted', async () => {
  await using _ = await openWindow({ synced: false })
  assert.deepEqual(host.mcp.get('recollect')!.provideMcpServerDefinitions(), [])
  for (const { when } of manifest.contributes.languageModelTools)
    assert.equal(when, '!config.recollect.mcpServer')
  const sent = manifest.contributes.languageModelTools.map(
    ({ name, modelDescription: description, inputSchema }) => ({ name, description, inputSchema }),
  )
  assert.ok(JSON.stringify(sent).length < 12_000, `${JSON.stringify(sent).length} characters`)
  const { inputSchema } = sent.find(({ name }) => name.endsWith('_get_request'))!
  assert.deepEqual(inputSchema.required, ['index'])
})

test('the MCP server is offered on our own runtime, with the archive of the settings', async () => {
  await using window = await openWindow({ synced: false })
  const provider = host.mcp.get('recollect')!
  host.settings['recollect.mcpServer'] = true
  const [server] = provider.provideMcpServerDefinitions()
  assert.ok(server instanceof McpStdioServerDefinition)
  assert.equal(server.command, process.execPath)
  assert.match(server.args[0] ?? '', /dist.mcp-server\.js$/)
  assert.equal(server.env.RECOLLECT_HOME, path.join(window.folder, 'archive'))
  assert.equal(server.env.RECOLLECT_VSCODE_USER, window.user)
  assert.equal(server.cwd?.fsPath, window.workspace)
  host.settings['recollect.mcpServer'] = false
  assert.deepEqual(provider.provideMcpServerDefinitions(), [])
})

test('reads chats when asked, though the settings say not to by itself', async () => {
  await using window = await openWindow({ synced: false })
  await window.command('syncNow')
  assert.match(host.messages.at(-1) ?? '', /^The archive has \d+ chats from 2 assistants\.$/)
  const secretary = await window.api.secretary()
  assert.equal(secretary.state, undefined, 'and stops then')
})
