import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { statusNow } from '../../../src/model/status.ts'
import { syncOnce } from '../../../src/sync/once.ts'
import type { ShownGroup } from '../../src/dialogs/content.ts'
import { timesOf } from '../../src/dialogs/groups.ts'
import { host } from './fake-vscode.ts'
import { DEADLOCK, openView, openWindow, type TestWindow, until, writeDialog } from './kit.ts'

const OWN = 'aaaaaaaa-0000-4000-8000-000000000001'
const DAY = 86_400_000

test('chats are grouped by date, workspace or assistant', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, OWN, ['mine'], { title: 'Only here' })
  writeDialog(path.join(window.user, 'globalStorage', 'emptyWindowChatSessions'), `${OWN}0`, ['no folder'])
  await sync(window)
  assert.equal((await labels(window))[0], 'Today')
  assert.deepEqual((await titles(window, 'date today')).toSorted(), ['Only here', 'no folder'])
  await window.command('groupByAssistant')
  assert.deepEqual((await labels(window)).toSorted(), ['Claude Code', 'Copilot in VS Code'])
  await window.command('groupByWorkspace')
  assert.deepEqual((await labels(window)).toSorted(), [
    'No Folder',
    'This Workspace',
    'atlas',
    'courier',
    'shop',
    'shop',
  ])
  assert.deepEqual(await titles(window, 'here'), ['Only here'])
  const shop = await opened(window, 'workspace /home/alex/shop')
  assert.ok(shop.count > 2)
  assert.equal(shop.rows.length, shop.count)
  assert.ok(shop.rows.every(({ place }) => place === 'shop'))
})

test('each day has its group, by the calendar', () => {
  const now = new Date(2026, 2, 30, 9, 15).getTime()
  const at = (day: number, hour = 0) => new Date(2026, 2, day, hour).getTime()
  assert.deepEqual(timesOf('today', now), { updatedFrom: at(30) })
  // Where clocks go forward on the 29th, that day has 23 hours.
  assert.deepEqual(timesOf('yesterday', now), { updatedFrom: at(29), updatedBefore: at(30) })
  assert.deepEqual(timesOf('week', now), { updatedFrom: at(23), updatedBefore: at(29) })
  assert.deepEqual(timesOf('month', now), { updatedFrom: at(0), updatedBefore: at(23) })
  assert.deepEqual(timesOf('older', now), { updatedBefore: at(0) })
})

test('every group is complete, however many newer chats are elsewhere', async () => {
  await using window = await openWindow()
  const { archive } = await window.api.secretary()
  const now = Date.now()
  const reading = (source: string, from: number, many: number, at: number, workspace?: string) => ({
    source,
    path: `/made/${source}-${from}`,
    rank: 0,
    fingerprint: { stamp: '1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    generation: 1,
    chats: Array.from({ length: many }, (_, n) => ({
      source,
      id: `${source}-${from + n}`,
      title: `${source} ${from + n}`,
      updatedAt: at - n,
      ...(workspace && { workspace }),
    })),
    messages: Array.from({ length: many }, (_, n) => ({
      chatId: `${source}-${from + n}`,
      message: { id: 'm', order: 1, role: 'user' as const, kind: 'request' as const, text: 'x' },
    })),
    problems: [],
    begins: true,
    completes: true,
  })
  const lease = await archive.takeLease('test')
  if (!('holder' in lease)) throw new Error('in use')
  await archive.write(
    [
      reading('codex', 0, 1_200, now, '/p/busy'),
      reading('vscode', 0, 60, now - 40 * DAY),
      reading('vscode', 100, 70, now - 41 * DAY, '/p/quiet'),
    ],
    lease,
  )
  await archive.releaseLease(lease)
  await window.command('groupByWorkspace')
  const quiet = await opened(window, 'workspace /p/quiet')
  assert.deepEqual([quiet.count, quiet.rows.length, quiet.more], [70, 50, 20])
  const none = await opened(window, 'workspace ')
  assert.deepEqual([none.label, none.count, none.rows.length], ['No Folder', 60, 50])
  const view = await openView()
  view.send({ do: 'more', group: 'workspace /p/quiet' })
  assert.equal((await opened(window, 'workspace /p/quiet')).rows.length, 70)
  await window.api.dialogs.narrow({ sources: ['vscode'] })
  assert.equal((await group(window, 'workspace /p/quiet')).count, 70, 'counts under a filter are whole')
  await window.api.dialogs.narrow({ title: 'codex' })
  assert.equal((await group(window, 'workspace /p/busy')).count, 1_200)
  await window.command('groupByAssistant')
  assert.equal((await group(window, 'assistant codex')).count, 1_200)
})

test('a row tells how the chat is, where and when it was', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, OWN, ['first <b>request</b>', 'second'], {
    title: 'Named <i>so</i>',
    at: Date.now() - 120_000,
  })
  await sync(window)
  // Yesterday's, two minutes after midnight.
  const [row] = (await window.api.dialogs.content()).groups.flatMap(({ rows }) => rows)
  assert.deepEqual(
    [row?.title, row?.status, row?.age, row?.badge.letters, row?.can.import],
    ['Named <i>so</i>', 'done', '2 min. ago', 'VS', true],
  )
  assert.equal(row?.label, 'Named <i>so</i>, Done, Copilot in VS Code, shop, 2 minutes ago, 2 requests')
  assert.match(row?.tooltip ?? '', /Requests: 2 of 4 messages/)
  const view = await openView()
  assert.match(view.body, /Named &lt;i&gt;so/)
  assert.doesNotMatch(view.body, /<i>so/)
})

test('each status has its sign, and what waits is counted', async () => {
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
  const shown = (await group(window, 'date today')).rows.map(({ title, status }) => [title, status])
  assert.deepEqual(
    Object.fromEntries(shown),
    Object.fromEntries(Object.keys(states).map((name) => [`the ${name} chat`, name])),
  )
  const view = await openView()
  for (const name of Object.keys(states))
    assert.match(view.body, new RegExp(`<span class="status ${name}"><svg`))
  assert.equal(view.badge?.value, 1)
})

test('a turn that has been running since yesterday was interrupted', () => {
  const chat = { status: 'running', updatedAt: 0 } as const
  assert.equal(statusNow(chat, 60_000), 'running')
  assert.equal(statusNow(chat, DAY), 'cancelled')
})

test('a filter narrows every group; one without hits shows a way out', async () => {
  await using window = await openWindow()
  await window.api.dialogs.narrow({ title: 'deadlock' })
  await window.command('groupByWorkspace')
  assert.deepEqual(await labels(window), ['shop'])
  assert.ok(
    host.executed.some(
      ([name, key, value]) => name === 'setContext' && key === 'recollect.filtered' && value,
    ),
  )
  const view = await openView()
  assert.match(view.body, /Only “deadlock”.*data-do="clearFilter"/s)
  await window.api.dialogs.narrow({ title: 'nothing is called so' })
  assert.deepEqual(await labels(window), [])
  assert.equal(lastState(), 'filtered')
  const way = /No chats match the filter.*nothing is called so.*data-do="clearFilter".*data-do="search"/s
  await until('the message and the way out', () => way.test(view.body))
  view.send({ do: 'press', command: 'clearFilter' })
  await until('the whole list', async () => (await labels(window)).length > 2)
  await window.api.dialogs.narrow({ statuses: ['running'] })
  assert.deepEqual(await labels(window), [])
  await window.api.dialogs.narrow({ sources: ['claude-code'] })
  await window.command('groupByAssistant')
  assert.deepEqual(await labels(window), ['Claude Code'])
})

test('only this workspace, when wanted', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, OWN, ['mine'], { title: 'Only here' })
  await sync(window)
  await window.api.dialogs.narrow({ here: true })
  assert.deepEqual(await labels(window), ['Today'])
  assert.deepEqual(await titles(window, 'date today'), ['Only here'])
})

test('an assistant that the settings leave out is not shown', async () => {
  await using window = await openWindow()
  host.settings['recollect.sources'] = { 'claude-code': false }
  await window.command('groupByAssistant')
  assert.deepEqual(await labels(window), ['Copilot in VS Code'])
})

test('pinned, renamed and put away: ours, and kept', async () => {
  await using window = await openWindow()
  const reference = `claude-code:${DEADLOCK}`
  const files = () => fs.readdirSync(path.join(window.folder, 'home', '.claude'), { recursive: true }).length
  const before = files()
  await window.command('pin', { webviewSection: 'chat', reference, references: [reference] })
  assert.deepEqual((await labels(window))[0], 'Pinned')
  host.type = ({ value }) => `My ${value}`
  await window.command('rename', reference)
  const [pinned] = (await group(window, 'pinned')).rows
  assert.match(pinned?.title ?? '', /^My Deadlock between checkout/)
  await sync(window)
  assert.match((await group(window, 'pinned')).rows[0]?.title ?? '', /^My Deadlock/, 'also after a sync')
  await window.command('archive', [reference])
  assert.ok(!(await labels(window)).includes('Pinned'))
  const away = await opened(window, 'archived')
  assert.deepEqual(
    away.rows.map((row) => row.reference),
    [reference],
  )
  await window.command('unarchive', [reference])
  await window.command('unpin', [reference])
  assert.ok(!(await labels(window)).includes('Archived'))
  assert.equal(files(), before)
})

test('search in the view: results stay until they are taken away', async () => {
  await using window = await openWindow()
  const view = await openView()
  view.send({ do: 'find', text: 'deadlock' })
  await until('results', () => /class="passage">.*<mark>deadlock<\/mark>/is.test(view.body))
  const { found } = await window.api.dialogs.content()
  assert.equal(found?.rows[0]?.reference, `claude-code:${DEADLOCK}`)
  view.hide()
  view.dispose()
  const again = await openView()
  assert.match(again.webview.html, /value="deadlock"/, 'when the view comes back, so do they')
  assert.match(again.body, /<mark>deadlock/i)
  again.send({ do: 'open', reference: found?.rows[0]?.reference, index: found?.rows[0]?.found?.index })
  const panel = await until('the reader', () => host.panels.at(-1))
  panel.send({ do: 'ready' })
  const ready = await until('what to mark', () =>
    panel.posted.find((each) => Array.isArray((each as { marks?: string[] }).marks)),
  )
  assert.ok((ready as { marks: string[] }).marks.includes('deadlock'))
  again.send({ do: 'find', text: 'xyzzyplugh' })
  await until('that there is nothing', () => /No results for “xyzzyplugh”/.test(again.body))
  again.send({ do: 'find', text: '' })
  await until('all chats', () => /data-group="date older"/.test(again.body))
})

test('the view follows the archive while it is seen, and catches up when it is seen again', async () => {
  await using window = await openWindow()
  const view = await openView()
  const shows = (title: string) => new RegExp(title).test(view.body)
  writeDialog(window.chats, OWN, ['one'], { title: 'Came while seen' })
  await syncQuietly(window)
  await until('the new chat', () => shows('Came while seen'))
  view.hide()
  writeDialog(window.chats, `${OWN}2`, ['two'], { title: 'Came while hidden' })
  await syncQuietly(window)
  view.hide(false)
  await until('the other new chat', () => shows('Came while hidden'))
  const secretary = await window.api.secretary()
  const caller = { kind: 'owner' } as const
  await secretary.noter(caller).note(`vscode:${OWN}`, { pinned: true })
  await until('a pin that another program set', () => /data-group="pinned"/.test(view.body))
})

test('an empty archive asks to read chats; one that cannot be opened says why', async () => {
  await using window = await openWindow({ synced: false })
  const view = await openView()
  assert.equal(lastState(), 'empty')
  assert.match(view.body, /No chats yet.*data-do="syncNow".*data-do="openWalkthrough"/s)
  const other = path.join(window.folder, 'other')
  fs.mkdirSync(other)
  fs.writeFileSync(path.join(other, 'archive.db'), 'this is no database, '.repeat(100))
  host.settings['recollect.archiveFolder'] = other
  host.configurationChanged?.({ affectsConfiguration: () => true })
  await until('the failure', () => /cannot be opened.*data-do="showStatus"/s.test(view.body))
})

test('chats whose folder is gone are shown, and those of other machines are not', async () => {
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
  const orphans = await opened(window, 'orphans')
  assert.deepEqual(orphans.rows.map(({ title }) => title).toSorted(), ['moved', 'old'])
  assert.ok(orphans.rows.every(({ can }) => can.import))
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
  await window.command('groupByWorkspace')
  const { groups } = await window.api.dialogs.content()
  const spelt = groups.filter(({ name }) => /^workspace c:.work.shop$/i.test(name))
  assert.equal(spelt.length, 1)
  assert.equal((await opened(window, spelt[0]!.name)).rows.length, 3)
  await window.api.dialogs.narrow({ title: 'spelt' })
  const narrowed = (await window.api.dialogs.content()).groups.filter(({ name }) => /^workspace /.test(name))
  assert.equal(narrowed.length, 1, 'and so it is in a narrowed list')
})

async function syncQuietly({ api }: TestWindow): Promise<void> {
  const secretary = await api.secretary()
  await syncOnce({ archive: secretary.archive, ...secretary.readable() })
}

async function sync(window: TestWindow): Promise<void> {
  await syncQuietly(window)
  window.api.dialogs.refresh()
}

async function labels({ api }: TestWindow): Promise<string[]> {
  return (await api.dialogs.content()).groups.map(({ label }) => label)
}

async function group({ api }: TestWindow, name: string): Promise<ShownGroup> {
  const { groups } = await api.dialogs.content()
  const found = groups.find((each) => each.name === name)
  assert.ok(found, `${name} among ${groups.map((each) => each.name).join(', ')}`)
  return found
}

/** The group with its chats, opened as a click does. */
async function opened(window: TestWindow, name: string): Promise<ShownGroup> {
  const view = await openView()
  view.send({ do: 'turn', group: name, isOpen: true })
  return await until(`${name} to open`, async () => {
    const found = await group(window, name)
    return found.isOpen ? found : undefined
  })
}

async function titles(window: TestWindow, name: string): Promise<string[]> {
  return (await group(window, name)).rows.map(({ title }) => title)
}

function lastState(): unknown {
  return host.executed.findLast(([name, key]) => name === 'setContext' && key === 'recollect.state')?.[2]
}
