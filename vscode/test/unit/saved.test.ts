import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqliteArchive } from '../../../src/archive/sqlite/index.ts'
import { host } from './fake-vscode.ts'
import { DEADLOCK, openView, openWindow, until } from './kit.ts'

test('a search is saved from the view, run again with all it is narrowed to, and removed', async () => {
  await using window = await openWindow()
  const { dialogs } = window.api
  const view = await openView()
  await window.command('saveSearch')
  assert.match(host.messages.at(-1) ?? '', /Search for something/)
  await dialogs.narrow({ sources: ['claude-code'] })
  await dialogs.search('deadlock')
  await until('what was found', () => view.body.includes('data-do="saveSearch"'))
  host.type = ({ value }) => `My ${value}`
  await window.command('saveSearch')
  const { archive } = await window.api.secretary()
  const [saved] = await archive.savedSearches()
  assert.equal(saved?.name, 'My deadlock')
  assert.deepEqual(saved.input, { intent_query: 'deadlock', source: ['claude-code'] })
  assert.equal((await dialogs.content()).found?.saved, 'My deadlock')

  await dialogs.narrow({})
  await dialogs.search('')
  await until('the saved search in the list', () => view.body.includes('data-saved="My deadlock"'))
  view.send({ do: 'saved', name: 'My deadlock' })
  const found = await until('it to be run', async () => (await dialogs.content()).found)
  assert.ok(found.rows.length > 0)
  assert.ok(found.rows.every(({ reference }) => reference.startsWith('claude-code:')))
  await until('its words in the box', () =>
    view.posted.some((message) => (message as { query?: string }).query === 'deadlock'),
  )
  await dialogs.search('')
  await until('it in the list again', () => view.body.includes('data-saved'))
  view.send({ do: 'removeSearch', name: 'My deadlock' })
  await until('it to be gone', () => !view.body.includes('data-saved'))
  assert.deepEqual(await archive.savedSearches(), [])
})

test('what another program saves is listed, and picked by the command', async () => {
  await using window = await openWindow()
  const view = await openView()
  await window.command('savedSearches')
  assert.match(host.messages.at(-1) ?? '', /no saved searches yet/)
  const other = openSqliteArchive((await window.api.secretary()).folder)
  const input = { regex: 'dead.ock', workspace: 'shop', match: 'any' }
  await other.saveSearch({ name: '<b>locks</b>', input, savedAt: 1 })
  await until('it in the view', () => view.body.includes('data-saved="&lt;b&gt;locks&lt;/b&gt;"'))
  assert.match(view.body, /title="\/dead\.ock\/ · workspace: shop"/)
  host.pick = ([first]) => first
  await window.command('savedSearches')
  const { found } = await window.api.dialogs.content()
  assert.equal(found?.saved, '<b>locks</b>')
  assert.ok(found.rows.some(({ reference }) => reference === `claude-code:${DEADLOCK}`))
  await other.close()
})

test('a search is narrowed by the filter that the view says', async () => {
  await using window = await openWindow()
  const { dialogs } = window.api
  const titles = async () => (await dialogs.content()).found?.rows.map(({ title }) => title) ?? []
  await dialogs.search('deadlock')
  const all = await titles()
  assert.ok(all.length > 1)
  await dialogs.narrow({ title: all[0]! })
  assert.deepEqual(await titles(), [all[0]])
  await dialogs.narrow({ sources: ['vscode'] })
  const { found } = await dialogs.content()
  assert.ok(found?.rows.every(({ reference }) => reference.startsWith('vscode:')))
})

test('a star is a pin', async () => {
  await using window = await openWindow()
  const view = await openView()
  const secretary = await window.api.secretary()
  await secretary.noter({ kind: 'owner' }).note(`claude-code:${DEADLOCK}`, { pinned: true })
  await until('the group', () => /data-group="pinned"[^>]*title="Starred/.test(view.body))
})
