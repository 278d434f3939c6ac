import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { sources } from '../sources/index.ts'
import type { Source, Unit } from '../sources/source.ts'
import { fixtureHomes } from '../sources/test-homes.ts'
import { lineEnds, machineAt, unitsOf } from '../sources/test-kit.ts'
import { Syncer } from './sync.ts'

/**
 * What the archive holds does not depend on when a file was read: reading a file again and again
 * while it grows, through the real syncer and its checkpoints, ends as reading it once does.
 */
const STEPS = 12

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-prefix-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
let folders = 0
const folder = () => path.join(temp, String(++folders))

for (const { id, name, put } of fixtureHomes) {
  test(`${name}: read while it grows, and read once`, async () => {
    const home = folder()
    put(home)
    const source = sources.find((each) => each.id === id)!
    const machine = machineAt(home)
    const units = unitsOf(source, machine).sort(byName).map(filesOf)
    for (const file of units.flat()) fs.utimesSync(file, AT_THE_END, AT_THE_END)
    const once = await archived(machine, sources, [() => {}])
    // One unit after the other, as they came to be; the files of one grow together.
    const growing = units.map((files) => files.map(growth))
    for (const file of units.flat()) fs.rmSync(file, { force: true })
    const parts = Array.from({ length: STEPS }, (_, at) => (at + 1) / STEPS)
    const steps = growing.flatMap((files) =>
      parts.map((part) => () => {
        for (const write of files) write(part)
      }),
    )
    // Nobody else reads anything there: `once` asked them all.
    const grown = await archived(machine, [source], steps)
    assert.deepEqual(
      grown.map((chat) => chat.id),
      once.map((chat) => chat.id),
    )
    for (const [at, chat] of grown.entries()) assert.deepEqual(chat, once[at])
  })
}

/** Titles come after what they are of, and the copy of a session after the session. */
const LATER = /session_index|0000000000e1\.jsonl/

function byName({ path: a }: Unit, { path: b }: Unit): number {
  return Number(LATER.test(a)) - Number(LATER.test(b)) || (a < b ? -1 : 1)
}

const AT_THE_END = new Date('2026-01-02T03:04:05Z')
let writes = 0

/** Each writing is later than the one before, and the last one at the same time as if there were no other. */
function touch(file: string, isLast: boolean): void {
  const at = isLast ? AT_THE_END : new Date(AT_THE_END.getTime() - 1e9 + ++writes * 1000)
  fs.utimesSync(file, at, at)
}

/** What an archive says after a sync behind each step. */
async function archived(machine: ReturnType<typeof machineAt>, sources: Source[], steps: (() => void)[]) {
  const archive = openSqliteArchive(folder())
  try {
    const lease = await archive.takeLease('test')
    assert.ok('holder' in lease)
    const syncer = new Syncer({ archive, sources, machine }, lease)
    for (const step of steps) {
      step()
      await syncer.syncAll()
    }
    return await said(archive)
  } finally {
    await archive.close()
  }
}

async function said(archive: Archive): Promise<{ id: string }[]> {
  const chats = await archive.listChats({ subagents: true }, { limit: 1000 })
  const told = await Promise.all(
    chats.map(async ({ key, createdAt, updatedAt, ...chat }) => {
      const messages = (await archive.messages({ key, ...chat })).map(({ key: _, ...message }) => message)
      // Without times of their own, chats have that of the file as it was first read.
      const isDated = messages.some((message) => message.createdAt !== undefined)
      return { ...chat, ...(isDated && { createdAt, updatedAt }), messages }
    }),
  )
  return JSON.parse(JSON.stringify(told.sort((a, b) => (a.id < b.id ? -1 : 1))))
}

/** A unit's own file, and those beside it that grow with it. */
function filesOf({ path: file, beside = [] }: Unit): string[] {
  return [file, ...beside].filter((each) => /\.(jsonl|json|md|db|vscdb)$/.test(each) && fs.existsSync(each))
}

/** Writes a part of a file: 1 is the whole. */
function growth(file: string): (part: number) => void {
  const bytes = fs.readFileSync(file)
  const write = (part: number, content: Buffer | string) => {
    fs.writeFileSync(file, part === 1 ? bytes : content)
    touch(file, part === 1)
  }
  if (bytes.subarray(0, 6).toString() === 'SQLite')
    return (part) => {
      write(part, bytes)
      deleteRows(file, part)
      touch(file, part === 1)
    }
  if (file.endsWith('.json')) {
    const document = JSON.parse(bytes.toString())
    return (part) => write(part, JSON.stringify(cut(document, part)))
  }
  const ends = lineEnds(bytes)
  return (part) => {
    const end = ends[Math.round(part * ends.length) - 1] ?? 0
    // Half of the next line is there as well, every other time.
    const half =
      Math.round(part * STEPS) % 2 ? Math.floor(((ends[ends.indexOf(end) + 1] ?? end) - end) / 2) : 0
    write(part, bytes.subarray(0, end + half))
  }
}

/** Documents are rewritten with each message. */
const LISTS = ['messages', 'requests', 'history', 'chatMessages', 'items', 'timeline']

function cut(document: unknown, part: number): unknown {
  const first = (list: unknown[]) => list.slice(0, Math.round(part * list.length))
  if (Array.isArray(document)) return first(document)
  if (typeof document !== 'object' || document === null) return document
  const lists = Object.entries(document).filter(
    ([name, value]) => LISTS.includes(name) && Array.isArray(value),
  )
  return { ...document, ...Object.fromEntries(lists.map(([name, value]) => [name, first(value)])) }
}

/** Databases get row after row. */
const TABLES = ['message', 'messages', 'cursorDiskKV', 'threads']

function deleteRows(file: string, part: number): void {
  const db = new DatabaseSync(file)
  for (const table of TABLES) {
    const known = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table)
    if (!known) continue
    const last = Number(db.prepare(`SELECT max(rowid) AS last FROM "${table}"`).get()?.last ?? 0)
    db.prepare(`DELETE FROM "${table}" WHERE rowid > ?`).run(Math.round(part * last))
  }
  const hasParts = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'part'").get()
  if (hasParts) db.exec('DELETE FROM part WHERE message_id NOT IN (SELECT id FROM message)')
  db.close()
}
