import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listLines, statusLine } from './screen.ts'
import { textOf } from './spans.ts'
import { initialState, type State } from './state.ts'

const LONG = `/home/me/${'a-folder-with-a-long-name/'.repeat(6)}archive.db`
const REASON = `The archive ${LONG} is read-only here: nothing can be written to it.`
const state: State = { ...initialState({ columns: 80, rows: 24 }), sync: { state: 'failed', reason: REASON } }
const found = { entries: [{ source: 'codex', chatId: 'c', title: 'A chat' }], hasMore: false }

test('why nothing is synced is in sight, however long the path of the archive is', () => {
  for (const each of [state, { ...state, found }])
    assert.match(textOf(statusLine(each, 80)), /^not synced: The archive …\/archive\.db is read-only here/)
  const windows = String.raw`C:\Users\me\AppData\Local\recollect\archive.db is in use`
  const failed: State = { ...state, sync: { state: 'failed', reason: windows } }
  assert.equal(textOf(statusLine(failed, 80)), String.raw`not synced: …\archive.db is in use`)
})

test('an empty list says that nothing is read, and why, in whole', () => {
  const empty: State = { ...state, found: { entries: [], hasMore: false } }
  const text = listLines(empty).map(textOf).join('').replace(/\s+/g, '')
  assert.ok(text.includes(REASON.replace(/\s+/g, '')), text)
})
