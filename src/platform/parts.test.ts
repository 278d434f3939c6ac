import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { removeLeftParts } from './parts.ts'

const DEAD = 999_999_999
/** The machine was started after it. */
const BEFORE_START = new Date(Date.now() - os.uptime() * 1_000 - 60_000)

test('what dead processes left goes, and nothing else', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-parts-'))
  try {
    const gone = [
      `2026-11-15T152000Z.part-${DEAD}`,
      `2026-11-15T152000Z.part-${DEAD}-journal`,
      `2026-11-15T152000Z-2.pages.part-${DEAD}`,
      `2026-11-15T152000Z.backup.part-${DEAD}`,
      `archive-of-0.1.0-2026-11-15.db.part-${DEAD}`,
      `archive.db.restoring-${DEAD}`,
      `archive.db.restoring-${DEAD}-wal`,
      `archive.repairing-${DEAD}`,
      `elsewhere.json.part-${DEAD}`,
      `rewriting.part-${DEAD}`,
    ]
    const kept = [
      'archive.db',
      'archive.db-wal',
      'archive-set-aside-2026-11-15T152000Z.db',
      `archive.db.restoring-${process.pid}`,
      `film.mp4.part-${DEAD}`,
      `notes-${DEAD}`,
      `report.part-${DEAD}.md`,
    ]
    for (const name of [...gone, ...kept]) fs.writeFileSync(path.join(folder, name), '')
    assert.equal(removeLeftParts(folder), false)
    assert.deepEqual(fs.readdirSync(folder).sort(), kept.toSorted())
    fs.writeFileSync(path.join(folder, `rewriting.part-${process.ppid}`), '')
    assert.equal(removeLeftParts(folder), true, 'somebody is at work')
    assert.equal(removeLeftParts(path.join(folder, 'not there')), false)
    fs.utimesSync(path.join(folder, `rewriting.part-${process.ppid}`), BEFORE_START, BEFORE_START)
    assert.equal(removeLeftParts(folder), false, 'the number is of another process now')
    assert.deepEqual(fs.readdirSync(folder).sort(), kept.toSorted())
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
