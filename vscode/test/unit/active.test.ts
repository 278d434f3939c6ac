import assert from 'node:assert/strict'
import { test } from 'node:test'
import { host } from './fake-vscode.ts'
import { DEADLOCK, openView, openWindow, QUEUE, type TestWindow, until } from './kit.ts'

test('a command is about the open reader first, then about what is selected', async () => {
  await using window = await openWindow()
  await select(window, QUEUE)
  await window.command('openDialog', DEADLOCK)
  await window.command('copyResumeCommand')
  assert.equal(host.clipboard, `claude --resume ${DEADLOCK}`)
  host.panels[0]!.turn(false)
  host.clipboard = ''
  await window.command('copyResumeCommand')
  assert.equal(host.clipboard, '', 'the selected one cannot be resumed')
  assert.match(host.messages.at(-1) ?? '', /cannot be resumed/)
})

test('forget takes the chat that is read, and not the one that is selected', async () => {
  await using window = await openWindow()
  const { archive } = await window.api.secretary()
  await select(window, QUEUE)
  await window.command('openDialog', DEADLOCK)
  host.answer = 'Forget'
  await window.command('forget')
  await assert.rejects(archive.resolveChat(DEADLOCK), { code: 'SESSION_NOT_FOUND' })
  assert.ok(await archive.resolveChat(QUEUE))
})

test('of two readers the one in front counts', async () => {
  await using window = await openWindow()
  await window.command('openDialog', DEADLOCK)
  await window.command('openDialog', QUEUE)
  host.panels[1]!.turn(true, false)
  host.panels[0]!.turn(true)
  await window.command('copyResumeCommand')
  assert.equal(host.clipboard, `claude --resume ${DEADLOCK}`)
})

test('forget on a group, or on nothing, asks for nothing and forgets nothing', async () => {
  await using window = await openWindow()
  const secretary = await window.api.secretary()
  const before = await secretary.archive.chatCount()
  host.answer = 'Forget'
  const group = { webviewSection: 'group', webview: 'recollect.dialogs' }
  for (const given of [[group], [group, [group]], [], [undefined]]) {
    await window.command('forget', ...given)
    assert.equal(host.quickPicks.length, 0, 'no list to pick from')
    assert.match(host.messages.at(-1) ?? '', /select/i)
  }
  assert.equal(await secretary.archive.chatCount(), before)
})

test('the page of the view may forget what it names, and nothing by a group', async () => {
  await using window = await openWindow()
  const { archive } = await window.api.secretary()
  const view = await openView()
  host.answer = 'Forget'
  const before = await archive.chatCount()
  for (const references of [[], undefined, 'all', [1]])
    view.send({ do: 'run', command: 'forget', references })
  view.send({ do: 'run', command: 'forget', group: 'date today' })
  view.send({ do: 'press', command: 'forget' })
  view.send({ do: 'run', command: 'forget', references: [`claude-code:${DEADLOCK}`] })
  await until('it to be gone', async () => (await archive.chatCount()) < before)
  await assert.rejects(archive.resolveChat(DEADLOCK), { code: 'SESSION_NOT_FOUND' })
  // With it went its sub-agent's chat.
  assert.equal(await archive.chatCount(), before - 2)
})

test('readers of forgotten chats close, also those that cannot be seen', async () => {
  await using window = await openWindow()
  await window.command('openDialog', DEADLOCK)
  await window.command('openDialog', QUEUE)
  host.panels[0]!.turn(false)
  host.answer = 'Forget'
  await window.command('forget', [DEADLOCK])
  assert.deepEqual(
    host.panels.map(({ isDisposed }) => isDisposed),
    [true, false],
  )
})

/** As a click on its row does. */
async function select(window: TestWindow, id: string): Promise<void> {
  const { archive } = await window.api.secretary()
  const { source } = await archive.resolveChat(id)
  const view = await openView()
  view.send({ do: 'select', references: [`${source}:${id}`] })
  await until('the selection', () => window.api.dialogs.selection.length)
}
