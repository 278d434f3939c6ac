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

/** What a person who works with transcripts asks about them. */
const ABOUT = [
  '[Request interrupted by user] is in my log: why?',
  '<system-reminder> in my log: what writes it?',
  '<local-command-stdout> in my log: what writes it?',
  '<bash-input> is a tag that I want to read',
  '<task-notification> is a tag that I want to read',
  '<teammate-message id="a"> is a tag that I want to read',
]

test('a request that begins like a record of the tool itself is a request', () => {
  for (const text of ABOUT) assert.deepEqual(said(text), { kind: 'request', text })
  const text = 'This session is being continued from a previous conversation that ran out of context. Go on.'
  assert.equal(said(text)!.kind, 'summary')
  assert.deepEqual(saidBy({ promptSource: 'typed' }, [{ type: 'text', text }]), { kind: 'request', text })
})
