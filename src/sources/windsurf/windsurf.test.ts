import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Chat } from '../../model/chat.ts'
import { withReader } from '../source.ts'
import { assertDialogs, lookInto, machineAt, readMachine } from '../test-kit.ts'
import { assertGrows, assertSurvives } from '../test-reader.ts'
import { homes } from './fixture-homes.ts'
import { windsurf as described } from './index.ts'

const windsurf = await withReader(described)

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-windsurf-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
homes[0]!.put(home)
const machine = machineAt(home)
const ID = '8e1f0000-0000-4000-8000-000000000001'

test('who said what, in a transcript of the hook', () => {
  const reading = readMachine(windsurf, machine)
  assertDialogs(reading, [
    [ID, ['Rename the cart to basket'], ['I will rename it.', '', '', 'It is a basket now.'], 2, 0],
  ])
  const [{ createdAt, updatedAt }] = reading.chats as [Chat]
  assert.ok(createdAt! <= updatedAt! && updatedAt! > Date.UTC(2020, 0), 'the time of its file')
  const [, , changed, ran] = lookInto(reading).messages(ID)
  assert.deepEqual(changed!.files, [{ path: '/home/me/shop/basket.ts', action: 'edit' }])
  assert.deepEqual(ran!.toolCalls![0]!.args, { command: 'npm test' })
})

test('what it keeps encrypted is named', () => {
  assert.deepEqual(windsurf.closed!(machine), [])
  const cascade = path.join(home, '.codeium/windsurf/cascade')
  fs.mkdirSync(cascade, { recursive: true })
  for (const name of ['a.pb', 'b.pb', 'notes.txt']) fs.writeFileSync(path.join(cascade, name), 'x')
  const [closed] = windsurf.closed!(machine)
  assert.deepEqual([closed!.path, closed!.files], [cascade, 2])
  assert.match(closed!.next, /post_cascade_response_with_transcript/)
})

test('read while it grows, and read once', () => assertGrows(windsurf, machine, { undated: true }))

test('no damage makes it throw', () => assertSurvives(windsurf, machine))
