import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { sources } from '../index.ts'
import { fixtureHomes } from '../test-homes.ts'
import { gather, machineAt, unitsOf } from '../test-kit.ts'
import { surveys } from './index.ts'
import { count, unknownIn } from './survey.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-coverage-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

test('every source can be surveyed, and no kind is both used and ignored', () => {
  assert.deepEqual(Object.keys(surveys).sort(), sources.map(({ id }) => id).sort())
  for (const [id, survey] of Object.entries(surveys)) {
    assert.deepEqual(
      [...survey!.used].filter((kind) => survey!.ignored.has(kind)),
      [],
      id,
    )
  }
})

for (const [at, { id, name, put }] of fixtureHomes.entries()) {
  test(`${name}: nothing unknown, and what was typed is there`, () => {
    const home = path.join(temp, String(at))
    put(home)
    const source = sources.find((each) => each.id === id)!
    const survey = surveys[id]!
    const machine = machineAt(home)
    const units = unitsOf(source, machine)
    assert.ok(units.length > 0, 'has units')
    for (const unit of units) {
      const tally = count(survey, unit)
      const reading = gather(source.read(unit, undefined, machine))
      const requests = Object.values(reading.messages)
        .flat()
        .filter(({ kind }) => kind === 'request')
      const where = path.relative(home, unit.path)
      console.log(
        where,
        tally.turns,
        requests.length,
        JSON.stringify(unknownIn(survey, tally)),
        [...tally.kinds].length,
      )
    }
  })
}
