import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sideIn } from '../../src/side.ts'
import { host } from './fake-vscode.ts'
import { openView, openWindow, until } from './kit.ts'

const UI = 1
const WORKSPACE = 2

test('says whose archive is shown, and which other one there is', () => {
  const remote = { remoteName: 'wsl', isUi: true, isWeb: false }
  assert.equal(sideIn({ ...remote, remoteName: undefined }), undefined)
  assert.deepEqual(sideIn(remote), { of: 'local', name: 'This Computer', other: 'WSL' })
  assert.deepEqual(sideIn({ ...remote, isUi: false }), { of: 'remote', name: 'WSL', other: 'This Computer' })
  const server = { remoteName: '127.0.0.1:8080', isUi: false, isWeb: true }
  assert.deepEqual(sideIn(server), { of: 'remote', name: '127.0.0.1' })
})

test('on the local side of a remote window it offers to run beside the workspace, and back', async () => {
  await using window = await openWindow({ extensionKind: UI })
  host.remoteName = 'ssh-remote'
  host.settings['remote.extensionKind'] = { 'some.other': ['ui'] }
  const view = await openView()
  await until('the side in the title', () => view.title === 'Chats on This Computer')
  await window.command('otherSide')
  assert.match(
    host.messages.at(-1) ?? '',
    /You see the chats on This Computer. Show the chats on SSH instead\?/,
  )
  assert.deepEqual(host.settings['remote.extensionKind'], { 'some.other': ['ui'] }, 'not without a yes')
  host.answer = 'Switch and Reload'
  await window.command('otherSide')
  assert.deepEqual(host.settings['remote.extensionKind'], {
    'some.other': ['ui'],
    'recollect.recollect-vscode': ['workspace'],
  })
  assert.equal(host.executed.at(-1)?.[0], 'workbench.action.reloadWindow')
})

test('on the remote side it shows that archive, and offers the way back', async () => {
  await using window = await openWindow({ extensionKind: WORKSPACE })
  host.remoteName = 'wsl'
  host.settings['remote.extensionKind'] = { 'recollect.recollect-vscode': ['workspace'] }
  const view = await openView()
  await until('the side in the title', () => view.title === 'Chats on WSL')
  host.answer = 'Switch and Reload'
  await window.command('otherSide')
  assert.deepEqual(host.settings['remote.extensionKind'], {})
})

test('Show Status says where chats were looked for, and on which side', async () => {
  await using window = await openWindow({ extensionKind: WORKSPACE })
  host.remoteName = 'wsl'
  let shown: { label: string; detail?: string; description?: string }[] = []
  host.pick = (items) => {
    shown = items
    return undefined
  }
  await window.command('showStatus')
  const line = (label: RegExp) => shown.find((each) => label.test(each.label))
  assert.ok(line(/You see the chats on WSL/))
  const claude = line(/^\$\(pass\) Claude Code$/)
  assert.match(claude?.detail ?? '', /\.claude.projects$/)
  assert.match(claude?.description ?? '', /^\d+ chats, latest /)
  const codex = line(/^\$\(circle-slash\) Codex$/)
  assert.match(codex?.detail ?? '', /\.codex/, 'also where nothing was')
})
