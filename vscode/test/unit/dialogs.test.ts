import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type * as vscode from 'vscode'
import { syncOnce } from '../../../src/sync/once.ts'
import { statusOf } from '../../src/dialogs/filter.ts'
import type { GroupNode, Node } from '../../src/dialogs/nodes.ts'
import { host } from './fake-vscode.ts'
import { openWindow, type TestWindow, until, writeDialog } from './kit.ts'

const OWN = 'aaaaaaaa-0000-4000-8000-000000000001'

test('dialogs stand in their groups', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, OWN, ['mine'], { title: 'Only here' })
  writeDialog(path.join(window.user, 'globalStorage', 'emptyWindowChatSessions'), `${OWN}0`, ['no folder'])
  await sync(window)
  assert.deepEqual(await labels(window), ['This Workspace', 'All Workspaces', 'Other Assistants'])
  assert.deepEqual(await labels(window, 'here'), ['Only here'])
  assert.deepEqual((await labels(window, 'workspaces')).toSorted(), [
    'No Folder',
    'atlas',
    'courier',
    'shop',
    'shop',
  ])
  assert.deepEqual(await labels(window, 'assistants'), ['Claude Code'])
  const [shop] = (await children(window, 'workspaces')).filter(
    (node) => node.kind === 'group' && node.group.of === 'workspace' && node.group.path === '/home/alex/shop',
  )
  const inShop = (await window.api.dialogs.getChildren(shop)) ?? []
  assert.ok(inShop.length > 2)
  assert.ok(inShop.every((node) => node.kind === 'chat' && node.chat.workspace?.endsWith('shop')))
})

test('a dialog shows how it stands, when it was and how much was asked', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, OWN, ['first *request*', 'second'], { title: 'Named', at: Date.now() - 120_000 })
  await sync(window)
  const [node] = await children(window, 'here')
  const item = await window.api.dialogs.getTreeItem(node!)
  assert.deepEqual(
    [item.label, item.description, (item.iconPath as vscode.ThemeIcon).id, item.contextValue],
    ['Named', '2 minutes ago · 2 requests', 'pass', 'dialog importable'],
  )
  assert.equal(item.accessibilityInformation?.label, 'Named, Done, 2 minutes ago, 2 requests')
  assert.equal(item.command?.command, 'recollect.openDialog')
  await window.api.dialogs.resolveTreeItem?.(item, node!, undefined as never)
  const { value } = item.tooltip as vscode.MarkdownString
  assert.match(value, /first \\\*request\\\*/, 'the request is text, not markup')
  assert.match(value, /Requests: 2 of 4 messages/)
})

test('each status has its icon', async () => {
  await using window = await openWindow()
  const states = { running: 0, done: 1, cancelled: 2, failed: 3, waiting: 4 }
  for (const [name, value] of Object.entries(states)) {
    const file = writeDialog(window.chats, `aaaaaaaa-0000-4000-8000-00000000000${value}`, ['x'], {
      title: `the ${name} chat`,
    })
    const line = { kind: 1, k: ['requests', 0, 'modelState'], v: { value } }
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  await sync(window)
  const icons = (await children(window, 'here')).map((node) => {
    const item = window.api.dialogs.getTreeItem(node) as vscode.TreeItem
    return [item.label, (item.iconPath as vscode.ThemeIcon).id]
  })
  assert.deepEqual(Object.fromEntries(icons), {
    'the running chat': 'loading~spin',
    'the waiting chat': 'bell-dot',
    'the done chat': 'pass',
    'the failed chat': 'error',
    'the cancelled chat': 'circle-slash',
  })
})

test('a turn that has been running since yesterday was interrupted', () => {
  const chat = { status: 'running', updatedAt: 0 } as Parameters<typeof statusOf>[0]
  assert.equal(statusOf(chat, 60_000), 'running')
  assert.equal(statusOf(chat, 24 * 60 * 60_000), 'cancelled')
})

test('a filter narrows every group, and is taken off again', async () => {
  await using window = await openWindow()
  await window.api.dialogs.narrow({ title: 'deadlock' })
  assert.deepEqual(await labels(window), ['All Workspaces', 'Other Assistants'])
  assert.deepEqual(await labels(window, 'workspaces'), ['shop'])
  assert.ok(
    host.executed.some(
      ([name, key, value]) => name === 'setContext' && key === 'recollect.filtered' && value,
    ),
  )
  await window.api.dialogs.narrow({ title: 'nothing is called so' })
  assert.deepEqual(await labels(window), [])
  assert.equal(lastState(), 'filtered')
  await window.api.dialogs.narrow({ statuses: ['running'] })
  assert.deepEqual(await labels(window), [])
  await window.api.dialogs.narrow({ sources: ['claude-code'] })
  assert.deepEqual(await labels(window, 'assistants'), ['Claude Code'])
  await window.command('clearFilter')
  await until('the whole list', async () => (await labels(window)).length === 2)
})

test('an assistant that the settings leave out is not shown', async () => {
  await using window = await openWindow()
  host.settings['recollect.sources'] = { 'claude-code': false }
  assert.deepEqual(await labels(window), ['All Workspaces'])
})

test('long lists are shown a page at a time', async () => {
  await using window = await openWindow()
  for (let n = 0; n < 60; n++)
    writeDialog(window.chats, `aaaaaaaa-0000-4000-8000-0000000001${n}`, [`request ${n}`])
  await sync(window)
  const shown = await children(window, 'here')
  const last = shown.at(-1)
  assert.deepEqual([shown.length, last?.kind], [51, 'more'])
  await window.command('loadMore', last)
  assert.equal((await children(window, 'here')).length, 60)
})

test('an empty archive asks to read chats', async () => {
  await using window = await openWindow({ synced: false })
  assert.deepEqual(await labels(window), [])
  assert.equal(lastState(), 'empty')
})

test('dialogs whose folder is gone are shown, and those of other machines are not', async () => {
  await using window = await openWindow()
  const storage = (name: string, folder: string, id: string) => {
    const at = path.join(window.user, 'workspaceStorage', name)
    writeDialog(path.join(at, 'chatSessions'), id, [`in ${name}`], { title: name })
    fs.writeFileSync(path.join(at, 'workspace.json'), JSON.stringify({ folder }))
  }
  storage('moved', 'file:///nowhere/at/all', 'aaaaaaaa-0000-4000-8000-000000000001')
  storage('remote', 'vscode-remote://ssh-remote%2Bbox/srv/shop', 'aaaaaaaa-0000-4000-8000-000000000002')
  storage('there', `file://${window.folder}`, 'aaaaaaaa-0000-4000-8000-000000000003')
  storage('old', `file://${window.workspace}`, 'aaaaaaaa-0000-4000-8000-000000000004')
  writeDialog(window.chats, 'aaaaaaaa-0000-4000-8000-000000000005', ['here'])
  fs.writeFileSync(
    path.join(path.dirname(window.chats), 'workspace.json'),
    JSON.stringify({ folder: `file://${window.workspace}` }),
  )
  await sync(window)
  const orphans = await children(window, 'orphans')
  const reasons = orphans.flatMap((node) =>
    node.kind === 'chat' ? [[node.chat.title, node.orphan?.reason]] : [],
  )
  assert.deepEqual(Object.fromEntries(reasons), { moved: 'moved or deleted', old: 'made anew' })
  assert.match(String((await window.api.dialogs.getTreeItem(orphans[0]!)).contextValue), /orphan/)
})

test('a folder of Windows is one, however chats spell it', async () => {
  await using window = await openWindow()
  const folders = ['file:///c%3A/Work/Shop', 'file:///C:/Work/Shop', 'file:///c%3a/work/shop']
  for (const [index, folder] of folders.entries()) {
    const at = path.join(window.user, 'workspaceStorage', `spelt${index}`)
    const id = `bbbbbbbb-0000-4000-8000-00000000000${index}`
    writeDialog(path.join(at, 'chatSessions'), id, [`spelt ${index}`], { title: `spelt ${index}` })
    fs.writeFileSync(path.join(at, 'workspace.json'), JSON.stringify({ folder }))
  }
  await sync(window)
  const spelt = (await children(window, 'workspaces')).filter(
    (node) =>
      node.kind === 'group' && node.group.of === 'workspace' && /work.shop$/i.test(node.group.path ?? ''),
  )
  assert.equal(spelt.length, 1)
  assert.equal((await window.api.dialogs.getChildren(spelt[0]))?.length, 3)
  await window.api.dialogs.narrow({ title: 'spelt' })
  assert.equal((await children(window, 'workspaces')).length, 1, 'and so it is in a narrowed list')
})

async function sync({ api }: TestWindow): Promise<void> {
  const secretary = await api.secretary()
  await syncOnce({ archive: secretary.archive, ...secretary.readable() })
  api.dialogs.refresh()
}

async function children({ api }: TestWindow, of?: GroupNode['group']['of']): Promise<Node[]> {
  const top = (await api.dialogs.getChildren()) ?? []
  if (!of) return top
  const group = top.find((node) => node.kind === 'group' && node.group.of === of)
  return group ? ((await api.dialogs.getChildren(group)) ?? []) : []
}

async function labels(window: TestWindow, of?: GroupNode['group']['of']): Promise<string[]> {
  const nodes = await children(window, of)
  return nodes.map((node) => String((window.api.dialogs.getTreeItem(node) as vscode.TreeItem).label))
}

function lastState(): unknown {
  return host.executed.findLast(([name, key]) => name === 'setContext' && key === 'recollect.state')?.[2]
}
