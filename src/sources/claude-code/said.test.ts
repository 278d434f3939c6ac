import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saidBy } from './said.ts'

const said = (text: string) => saidBy({}, [{ type: 'text', text }])

/** What is recorded, and what of it was typed. */
const TYPED: [recorded: string, typed: string][] = [
  ['    if x:\n        return 1\n', '    if x:\n        return 1'],
  ['\n \n\tif x:\n\n\n\n  y', '\tif x:\n\n\n\n  y'],
  ['<system-reminder>z</system-reminder>\n\n    if x:', '    if x:'],
  ['<system-reminder>z</system-reminder> Hi', 'Hi'],
  ['  <ide_opened_file>a</ide_opened_file>\r\n    if x:', '    if x:'],
  ['    if x:\n<system-reminder>z</system-reminder>', '    if x:'],
]

test('a request keeps the indentation of its first line', () => {
  for (const [recorded, typed] of TYPED) {
    const { kind, text } = said(recorded)!
    assert.deepEqual({ kind, text }, { kind: 'request', text: typed }, recorded)
  }
})

test('what is no request is known behind blanks too', () => {
  assert.equal(said('  <task-notification>x</task-notification>')!.kind, 'injected')
  assert.deepEqual(said(' \n  /foo'), { kind: 'command', text: '/foo' })
  assert.equal(said('  <system-reminder>z</system-reminder>  \n')!.kind, 'injected')
  assert.equal(said(' [Request interrupted by user]')!.outcome, 'cancelled')
})
