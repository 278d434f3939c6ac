import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { RecollectError } from '../../model/errors.ts'
import type { Archive, Lease } from '../archive.ts'
import { DAMAGED_BYTES, dice, makeArchive, partsOf, readingOf, textsIn } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'

const DAMAGES = 50

test('damage at random places is noticed, and never gives changed text', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-damage-'))
  try {
    await makeArchive(path.join(home, 'whole'))
    const whole = fs.readFileSync(path.join(home, 'whole', 'archive.db'))
    const original = openSqliteArchive(path.join(home, 'whole'))
    const expected = await partsOf(original)
    for (const part of expected.values()) assert.ok(!(part instanceof Error), String(part))
    await original.close()
    const random = dice(2026)
    const outcomes = { noticed: 0, harmless: 0 }
    for (let number = 0; number < DAMAGES; number++) {
      const folder = path.join(home, String(number))
      fs.mkdirSync(folder)
      const bytes = Buffer.from(whole)
      const at = Math.floor(random() * (bytes.length - DAMAGED_BYTES))
      for (let i = 0; i < DAMAGED_BYTES; i++) bytes[at + i] = Math.floor(random() * 256)
      fs.writeFileSync(path.join(folder, 'archive.db'), bytes)
      outcomes[await outcomeOf(folder, expected, `damage ${number} at byte ${at}`)]++
      fs.rmSync(folder, { recursive: true })
    }
    assert.equal(outcomes.noticed + outcomes.harmless, DAMAGES)
    assert.ok(outcomes.noticed > outcomes.harmless, JSON.stringify(outcomes))
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

test('details that are gone are an error, not a message without tools', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-details-'))
  try {
    await makeArchive(home)
    const db = new DatabaseSync(path.join(home, 'archive.db'))
    db.exec('DELETE FROM block_detail')
    db.close()
    const archive = openSqliteArchive(home)
    const parts = [...(await partsOf(archive)).values()]
    await archive.close()
    const errors = parts.filter((part) => part instanceof RecollectError)
    assert.ok(errors.length > 0)
    for (const error of errors) assert.match(error.message, /Part of the chat .+ cannot be read/)
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

test('a search reads single rows, and notices one that is damaged or that a damaged neighbour was put before', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-rows-'))
  try {
    const damages = [
      { damage: 'UPDATE chat_message SET slot = slot - 1 WHERE key = 3', lost: 3, kept: 4 },
      { damage: 'DELETE FROM chat_message WHERE key = 3', lost: 4, kept: 2 },
    ]
    for (const [number, { damage, lost, kept }] of damages.entries()) {
      const folder = path.join(home, String(number))
      await makeArchive(folder)
      const db = new DatabaseSync(path.join(folder, 'archive.db'))
      db.exec('DROP TRIGGER unseal_chat_message_update; DROP TRIGGER unseal_chat_message_delete')
      db.exec(damage)
      db.close()
      const archive = openSqliteArchive(folder)
      const text = (key: number) => archive.searching((view) => view.text(key))
      assert.equal(typeof (await text(kept)), 'string', damage)
      await assert.rejects(text(lost), { code: 'ARCHIVE_DAMAGED' }, damage)
      await archive.close()
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

test('a secret whose mark is damaged is noticed, and its chat is not shown with it in the clear', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-marks-'))
  try {
    const random = dice(7)
    const reading = readingOf(1, random)
    reading.messages[0]!.message.text = 'DB_PASSWORD=tulip4meadow'
    reading.messages[2]!.message.text = 'it is tulip4meadow, I said'
    const whole = openSqliteArchive(home)
    const lease = (await whole.takeLease('test')) as Lease
    await whole.write([reading], lease)
    await whole.markSynced(lease)
    await whole.releaseLease(lease)
    const { key } = await whole.resolveChat('chat-1')
    assert.equal(whole.secretsSeen(key).size, 1)
    await whole.close()
    for (const damage of [
      'UPDATE chat_secret SET mark = mark + 1',
      'DELETE FROM chat_secret',
      'INSERT INTO redacted_chat VALUES (999)',
    ]) {
      const folder = fs.mkdtempSync(path.join(home, 'damaged-'))
      fs.copyFileSync(path.join(home, 'archive.db'), path.join(folder, 'archive.db'))
      const db = new DatabaseSync(path.join(folder, 'archive.db'))
      // As if no program had written it: nothing is noted.
      const waiting = db.prepare('SELECT * FROM unsealed').all()
      db.exec(damage)
      db.exec('DELETE FROM unsealed')
      for (const row of waiting) db.prepare('INSERT INTO unsealed VALUES (?, ?)').run(row.part!, row.range!)
      db.close()
      const archive = openSqliteArchive(folder)
      const [finding = ''] = await archive.check({ deep: false })
      assert.match(finding, /rows of the table (chat_secret|redacted_chat) are not what was written/)
      if (damage.includes('chat_secret'))
        assert.throws(() => archive.secretsSeen(key), { code: 'ARCHIVE_DAMAGED' })
      await archive.close()
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

async function outcomeOf(
  folder: string,
  expected: Map<string, unknown>,
  what: string,
): Promise<'noticed' | 'harmless'> {
  let archive: Archive
  try {
    archive = openSqliteArchive(folder)
  } catch (error) {
    assert.ok(error instanceof Error, what)
    return 'noticed'
  }
  try {
    const findings = await archive.check({ deep: true })
    const found = await partsOf(archive)
    for (const [name, part] of expected) {
      const now = found.get(name)
      if (now instanceof Error) {
        assert.ok(findings.length > 0, `${what}: ${name} is unreadable, yet the check found nothing: ${now}`)
        if (now instanceof RecollectError) assert.notEqual(now.code, 'INTERNAL', what)
      } else if (findings.length === 0) assert.deepEqual(now, part, `${what}: ${name}, unnoticed`)
      else if (name.startsWith('chat') || name.startsWith('search') || name === 'list')
        assert.deepEqual(textsIn(now), textsIn(part), `${what}: ${name} changed: ${findings}`)
    }
    return findings.length > 0 ? 'noticed' : 'harmless'
  } finally {
    await archive.close()
  }
}
