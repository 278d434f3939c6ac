import assert from 'node:assert/strict'
import fs from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Machine } from '../platform/machine.ts'
import { diceFrom, mutatedJson, mutations, randomFrom } from './mutations.ts'
import type { ReadableSource } from './source.ts'
import { anyCuts, gather, lineEnds, plainly, type Reading, readGrowing, unitsOf } from './test-kit.ts'

/** Every file that grows, read piece by piece, tells what one reading does; `undated` where chats have the file's times. */
export function assertGrows(source: ReadableSource, machine: Machine, { undated = false } = {}): void {
  const random = randomFrom(3)
  const told = (reading: Reading) => {
    const { chats, messages } = plainly(reading)
    const isTime = ([name]: [string, unknown]) => name === 'createdAt' || name === 'updatedAt'
    const kept = (chat: object) =>
      Object.fromEntries(Object.entries(chat).filter((entry) => !undated || !isTime(entry)))
    return { chats: chats.map(kept), messages }
  }
  for (const unit of unitsOf(source, machine)) {
    if (unit.growth === 'database') continue
    const bytes = fs.readFileSync(unit.path)
    const whole = told(gather(source.read(unit, undefined, machine)))
    const ways = Array.from({ length: 20 }, () => anyCuts(bytes.length, 5, random))
    for (const cuts of [lineEnds(bytes), ...ways])
      assert.deepEqual(told(readGrowing(source, unit, machine, cuts)), whole, unit.path)
  }
}

/** Damages every file so often in all; no reading may throw, and no state may grow out of bounds. */
export function assertSurvives(source: ReadableSource, machine: Machine, times = 2000): void {
  const units = unitsOf(source, machine)
  assert.ok(units.length > 0)
  for (const unit of units) {
    const bytes = fs.readFileSync(unit.path)
    for (const damaged of mutations(bytes, Math.ceil(times / units.length))) {
      fs.writeFileSync(unit.path, damaged)
      const { checkpoint } = gather(source.read(unit, undefined, machine))
      assert.ok((JSON.stringify(checkpoint) ?? '').length < 256 * 1024)
    }
    fs.writeFileSync(unit.path, bytes)
  }
}

/** Damages the values of one column, one after the other. */
export function assertSurvivesRows(
  source: ReadableSource,
  machine: Machine,
  [table, column]: [string, string],
  times = 500,
): void {
  const below = diceFrom(5)
  for (const unit of unitsOf(source, machine)) {
    if (unit.growth !== 'database') continue
    const bytes = fs.readFileSync(unit.path)
    const db = new DatabaseSync(unit.path)
    const rows = db.prepare(`SELECT rowid AS row, CAST(${column} AS TEXT) AS value FROM ${table}`).all()
    for (let time = 0; time < times; time++) {
      const { row, value } = rows[below(rows.length)]!
      db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(
        mutatedJson(String(value), below),
        Number(row),
      )
      gather(source.read(unit, undefined, machine))
    }
    db.close()
    fs.writeFileSync(unit.path, bytes)
  }
}
