import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Machine } from '../../platform/machine.ts'
import { sources } from '../index.ts'
import { type ReadableSource, type Unit, withReader } from '../source.ts'
import { fixtureHomes } from '../test-homes.ts'
import { gather, machineAt, unitsOf } from '../test-kit.ts'
import { count, unknownIn } from './survey.ts'

const readers = new Map(
  await Promise.all(sources.map(async (source) => [source.id, await withReader(source)] as const)),
)

const surveys = Object.fromEntries(
  await Promise.all(sources.map(async (source) => [source.id, (await source.survey()).survey] as const)),
)

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-coverage-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

/** Put into fixtures so that readers meet something new. */
const MADE_UP = new Set(['future.event', 'part/something from next year', 'meta/latency', 'Future'])

test('a glance begins with a line: the rest of a long one is no record of its own', () => {
  const file = path.join(temp, 'long.jsonl')
  const long = { type: 'user', message: { content: Array(5_000).fill({ tool: { name: 'x' } }) } }
  const lines = [long, { type: 'summary' }].map((line) => `${JSON.stringify(line)}\n`)
  const seen = (id: string) => [
    ...count(surveys[id]!, { path: file, growth: 'append' }, { glance: true }).kinds.keys(),
  ]
  fs.writeFileSync(file, lines.join(''))
  assert.deepEqual(seen('claude-code'), ['summary'])
  assert.deepEqual(seen('codex'), ['response_item/summary', 'session_meta'])
  fs.writeFileSync(file, lines[0]!)
  assert.deepEqual(seen('claude-code'), [])
})

test('no kind is both used and ignored', () => {
  for (const [id, survey] of Object.entries(surveys))
    assert.deepEqual(
      [...survey.used].filter((kind) => survey.ignored.has(kind)),
      [],
      id,
    )
})

const homes = fixtureHomes.map((fixture, at) => {
  const home = path.join(temp, String(at))
  fixture.put(home)
  const source = readers.get(fixture.id)!
  return { ...fixture, source, machine: machineAt(home), units: unitsOf(source, machineAt(home)) }
})

for (const { id, name, source, machine, units } of homes) {
  test(`${name}: no kind is unknown, and nothing that was typed is missing`, () => {
    assert.ok(units.length > 0)
    for (const unit of units) {
      const tally = count(surveys[id]!, unit)
      const unknown = unknownIn(surveys[id]!, tally).filter(([kind]) => !MADE_UP.has(kind))
      assert.deepEqual(unknown, [], unit.path)
      // A transcript beside its session says nothing.
      if (unit.standsIn) continue
      const reading = gather(source.read(unit, undefined, machine))
      const requests = Object.values(reading.messages)
        .flat()
        .filter(({ kind }) => kind === 'request')
      assert.ok(requests.length >= tally.turns, `${requests.length} of ${tally.turns} in ${unit.path}`)
    }
  })
}

test('what is new is noticed', () => {
  const seen = homes.flatMap(({ id, units }) =>
    units.flatMap((unit) => unknownIn(surveys[id]!, count(surveys[id]!, unit)).map(([kind]) => kind)),
  )
  assert.deepEqual(new Set(seen), MADE_UP)
})

test('a glance at the end of a long file notices it as well, and reads only that', () => {
  const { source, units } = homes.find(({ id }) => id === 'claude-code')!
  const file = path.join(temp, 'long.jsonl')
  const line = fs.readFileSync(units[0]!.path, 'utf8').split('\n')[0]!
  fs.writeFileSync(file, `${`${line}\n`.repeat(Math.ceil(1_000_000 / line.length))}{"type":"brand-new"}\n`)
  const survey = surveys[source.id]!
  const unit: Unit = { path: file, growth: 'append' }
  const tally = count(survey, unit, { glance: true })
  assert.deepEqual(unknownIn(survey, tally), [['brand-new', 1]])
  assert.ok(sum(tally.kinds) < sum(count(survey, unit).kinds) / 3)
})

test('records that are ignored on purpose make no difference', () => {
  for (const { id, source, machine, units } of homes) {
    for (const unit of units) {
      if (unit.growth !== 'append' || !unit.path.endsWith('.jsonl')) continue
      const bytes = fs.readFileSync(unit.path)
      const lines = bytes.toString('latin1').split('\n')
      const kindsOf = lines.map((line) => kindsIn(id, unit, Buffer.from(line, 'latin1')))
      const whole = said(source, unit, machine)
      for (const kind of new Set(kindsOf.flat())) {
        if (!surveys[id]!.ignored.has(kind)) continue
        // Spaces in their place: what stands behind them keeps its own.
        const blanked = lines.map((line, at) =>
          isOnly(id, kindsOf[at]!, kind) ? ' '.repeat(line.length) : line,
        )
        fs.writeFileSync(unit.path, Buffer.from(blanked.join('\n'), 'latin1'))
        const without = said(source, unit, machine)
        fs.writeFileSync(unit.path, bytes)
        assert.deepEqual(without, whole, `${id} ${kind} in ${unit.path}`)
      }
    }
  }
})

/** The kinds of one line by itself. */
function kindsIn(id: string, unit: Unit, line: Buffer): string[] {
  const alone = path.join(temp, 'alone', path.basename(path.dirname(unit.path)), path.basename(unit.path))
  fs.mkdirSync(path.dirname(alone), { recursive: true })
  fs.writeFileSync(alone, line)
  return [...count(surveys[id]!, { ...unit, path: alone }).kinds.keys()]
}

function isOnly(id: string, kinds: string[], kind: string): boolean {
  // Codex is counted at the end of a file, under the kind of its header.
  return (
    kinds.includes(kind) && kinds.every((each) => each === 'session_meta' || !surveys[id]!.used.has(each))
  )
}

function said(source: ReadableSource, unit: Unit, machine: Machine) {
  return JSON.parse(JSON.stringify(gather(source.read(unit, undefined, machine)).messages))
}

function sum(kinds: Map<string, number>): number {
  return [...kinds.values()].reduce((all, each) => all + each, 0)
}
