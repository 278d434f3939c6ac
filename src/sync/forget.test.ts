import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import type { Archive, ArchivedChat } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { sources } from '../sources/index.ts'
import { fixtureHomes } from '../sources/test-homes.ts'
import { machineAt } from '../sources/test-kit.ts'
import { Syncer } from './sync.ts'
import { watch } from './watch.ts'

/**
 * After `forget` no byte of a chat is in any file of the archive, and none comes back: not by the next
 * syncs, nor when its file is written to, renamed, copied or forked. For every source.
 */
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-forget-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
let folders = 0
const newFolder = () => path.join(temp, String(++folders))

for (const { name, put } of fixtureHomes) {
  test(`${name}: forgotten for good`, async () => {
    const home = newFolder()
    put(home)
    const folder = newFolder()
    const kept = await opened(home, folder)
    const { archive, sync } = kept
    try {
      await sync()
      await sync()
      const all = await archive.listChats({ subagents: true }, { limit: 1000 })
      const { chat, words } = await telling(archive, all, folder)
      const units = await archive.unitsOf(chat)
      const before = (await archive.messages(chat)).length
      assert.notDeepEqual(leftIn(folder, words), [], 'the words cannot be seen before either')

      const forgotten = await archive.forget([chat])
      assert.equal(forgotten.pending, false)
      const isGone = async (when: string) => {
        assert.deepEqual(leftIn(folder, words), [], when)
        assert.deepEqual(await found(archive, words), [], when)
        await assert.rejects(archive.resolveChat(`${chat.source}:${chat.id}`), when)
      }
      await isGone('forgotten')
      await sync()
      await isGone('after a sync')
      for (const { path: file } of units) touch(file)
      await sync()
      await isGone('written to')
      fork(units[0]!.path, chat.id)
      await sync()
      await isGone('forked')
      for (const { path: file } of units) rename(file, chat.id)
      await sync()
      await sync()
      await isGone('renamed')

      const again = newFolder()
      put(again)
      fs.rmSync(home, { recursive: true })
      fs.renameSync(again, home)
      const row = (await archive.forgottenChats()).find((each) => each.id === chat.id)!
      assert.ok((await archive.letBack(row)).length > 0)
      await sync()
      const back = await archive.resolveChat(`${chat.source}:${chat.id}`)
      assert.equal((await archive.messages(back)).length, before)
    } finally {
      await archive.close()
    }
  })
}

test('taken back while somebody watches, a chat is read again at once', async () => {
  const home = newFolder()
  fixtureHomes.find(({ id }) => id === 'claude-code')!.put(home)
  const folder = newFolder()
  const [watching, other] = [openSqliteArchive(folder), openSqliteArchive(folder)]
  const end = new AbortController()
  const ended = watch({ archive: watching, sources, machine: machineAt(home), signal: end.signal })
  try {
    const chats = async () => await other.listChats({}, { limit: 1000 })
    const first = await eventually(async () =>
      (await other.overview()).lastSyncAt ? (await chats())[0] : undefined,
    )
    await other.forget([first])
    const [forgotten] = (await other.forgottenChats()).filter(({ id }) => id === first.id)
    await other.letBack(forgotten!)
    await eventually(async () => (await chats()).find(({ id }) => id === first.id))
  } finally {
    end.abort()
    await ended
    await watching.close()
    await other.close()
  }
})

/** Well below the minute after which a watcher looks at everything anyway. */
const PATIENCE_MS = 40_000

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const since = performance.now(); performance.now() - since < PATIENCE_MS; await sleep(50)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error('it did not happen')
}

async function opened(home: string, folder: string) {
  const archive = openSqliteArchive(folder)
  const lease = await archive.takeLease('test')
  assert.ok('holder' in lease)
  const syncer = new Syncer({ archive, sources, machine: machineAt(home) }, lease)
  return { archive, sync: () => syncer.syncAll() }
}

async function wordsOf(archive: Archive, chat: ArchivedChat): Promise<Set<string>> {
  const messages = await archive.messages(chat)
  return new Set([chat.title, ...stringsIn(messages)].join('\n').match(/[A-Za-z]{6,40}/g) ?? [])
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The chat with the most words that no other has. */
async function telling(archive: Archive, all: ArchivedChat[], folder: string) {
  const each = await Promise.all(
    all.map(async (chat) => {
      const others = all.filter(({ key, parentId }) => key !== chat.key && parentId !== chat.id)
      const said = await wordsOf(archive, chat)
      const words = await distinctive(archive, said, others, chat, folder)
      return { chat, words: words.filter((word) => !all.some(({ id }) => id.includes(word))) }
    }),
  )
  const chosen = each.toSorted((a, b) => b.words.length - a.words.length)[0]
  assert.ok(chosen && chosen.words.length > 0, 'nothing to look for')
  return chosen
}

/** Words of this chat alone, by which a trace of it is known. */
async function distinctive(
  archive: Archive,
  words: Set<string>,
  others: ArchivedChat[],
  chat: ArchivedChat,
  folder: string,
): Promise<string[]> {
  const db = new DatabaseSync(path.join(folder, 'archive.db'), { readOnly: true })
  const rows = db
    .prepare(
      "SELECT type || 's' || name || tbl_name || sql AS text FROM sqlite_master UNION ALL SELECT path FROM unit",
    )
    .all()
  // What is noted of files that do not tell of it, and where the index of a database was read to: numbers and ids.
  const units = db.prepare(
    'SELECT checkpoint FROM unit WHERE key NOT IN (SELECT unit FROM unit_chat WHERE chat = ?)',
  )
  const notes = units.all(chat.key).map(({ checkpoint }) => unpacked(checkpoint))
  db.close()
  const messages = await archive.messages(chat)
  const ids = messages.flatMap(({ id, toolCalls }) => [id, ...(toolCalls ?? []).map((call) => call.id)])
  const known = [JSON.stringify(rows), ...notes, ...ids, chat.id, ...chat.models, ...OWN]
  for (const other of others) known.push(JSON.stringify(other), ...(await wordsOf(archive, other)))
  const elsewhere = known.join(' ').toLowerCase()
  return [...words].filter((word) => !elsewhere.includes(word.toLowerCase()))
}

/** Words that the archive has of its own. */
const OWN = [
  'answer request assistant injected delegated summary command notice',
  'revision complete database',
]

/** Which of the words are in a file of the archive: as they are, or in what is packed. */
function leftIn(folder: string, words: string[]): string[] {
  const left = new Set<string>()
  for (const each of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, each)
    if (!fs.statSync(file).isFile()) continue
    const bytes = fs.readFileSync(file)
    const rows = each === 'archive.db' ? rowsOf(file) : []
    const texts = [bytes.toString('latin1'), ...packedIn(bytes), ...rows]
    for (const word of words) if (texts.some((text) => text.includes(word))) left.add(word)
  }
  return [...left]
}

const PACKED = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** What lies packed somewhere in a file, in a row or in what is left of one. */
function packedIn(bytes: Buffer): string[] {
  const found: string[] = []
  for (let at = bytes.indexOf(PACKED); at >= 0; at = bytes.indexOf(PACKED, at + 1)) {
    try {
      found.push(zlib.zstdDecompressSync(bytes.subarray(at, endOfFrame(bytes, at))).toString('latin1'))
    } catch {
      // The rest of it lies on other pages: rows are looked at one by one as well.
    }
  }
  return found
}

/** By the format of zstd: a header, blocks with their sizes, a checksum. */
function endOfFrame(bytes: Buffer, start: number): number {
  const about = bytes[start + 4]!
  const isSingle = (about >> 5) & 1
  const sizes = [isSingle, 2, 4, 8]
  let at = start + 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][about & 3]! + sizes[about >> 6]!
  for (let isLast = false; !isLast; ) {
    const block = bytes.readUIntLE(at, 3)
    isLast = (block & 1) === 1
    at += 3 + (((block >> 1) & 3) === 1 ? 1 : block >> 3)
  }
  return at + ((about >> 2) & 1 ? 4 : 0)
}

/** All that is in the rows of the archive, unpacked. */
function* rowsOf(file: string): Generator<string> {
  const db = new DatabaseSync(file, { readOnly: true })
  for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all())
    for (const row of db.prepare(`SELECT * FROM "${name}"`).all())
      for (const value of Object.values(row)) yield unpacked(value)
  db.close()
}

function unpacked(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value)
  const bytes = Buffer.from(value)
  return (isPacked(bytes) ? zlib.zstdDecompressSync(bytes) : bytes).toString('latin1')
}

async function found(archive: Archive, words: string[]): Promise<string[]> {
  return await archive.searching((view) =>
    words.filter((word) =>
      (['said', 'thought', 'tools', 'title'] as const).some(
        (field) => view.postings(field, word.toLowerCase()).size > 0,
      ),
    ),
  )
}

let moments = 0

function touch(file: string): void {
  if (!fs.existsSync(file)) return
  const at = new Date(Date.parse('2026-06-01T00:00:00Z') + ++moments * 1000)
  fs.utimesSync(file, at, at)
}

/** The same messages under another id, as a fork has them. */
function fork(file: string, id: string): void {
  const other = otherId(id)
  if (isDatabase(file)) {
    changeDatabase(file, id, other)
    return
  }
  const target = copyTo(file, id, other, 'copy')
  for (const each of filesIn(target)) {
    const bytes = fs.readFileSync(each)
    if (!isPacked(bytes)) fs.writeFileSync(each, bytes.toString().replaceAll(id, other))
    touch(each)
  }
}

function rename(file: string, id: string): void {
  if (isDatabase(file)) {
    changeDatabase(file, otherId(id), otherId(otherId(id)))
    return
  }
  if (!fs.existsSync(file)) return
  copyTo(file, id, otherId(otherId(id)), 'move')
}

/** Like the id, and another one. */
function otherId(id: string): string {
  const last = id.at(-1)!
  const next = last === '9' || last === 'f' ? '0' : String.fromCharCode(last.charCodeAt(0) + 1)
  return id.slice(0, -1) + next
}

/** Where a file's name or folder tells the id, beside it under the other; else in a folder beside its own. */
function copyTo(file: string, id: string, other: string, how: 'copy' | 'move'): string {
  const parts = file.split(path.sep)
  let at = parts.findIndex((part) => part.includes(id))
  const name = parts[at]?.replace(id, other) ?? `${parts.at(-2)}-${how}`
  if (at < 0) at = parts.length - 2
  const from = parts.slice(0, at + 1).join(path.sep)
  const to = [...parts.slice(0, at), name].join(path.sep)
  fs.cpSync(from, to, { recursive: true })
  if (how === 'move') fs.rmSync(from, { recursive: true })
  return to
}

function filesIn(target: string): string[] {
  if (fs.statSync(target).isFile()) return [target]
  return fs
    .readdirSync(target, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(target, name))
    .filter((each) => fs.statSync(each).isFile())
}

function isPacked(bytes: Buffer): boolean {
  return bytes.indexOf(PACKED) === 0
}

function isDatabase(file: string): boolean {
  return fs.existsSync(file) && fs.readFileSync(file).subarray(0, 6).toString() === 'SQLite'
}

function changeDatabase(file: string, id: string, other: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA foreign_keys = OFF')
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  for (const { name } of tables)
    for (const column of db.prepare(`SELECT name FROM pragma_table_info('${name}')`).all())
      db.prepare(
        `UPDATE OR IGNORE "${name}" SET "${column.name}" = replace("${column.name}", ?, ?)
         WHERE typeof("${column.name}") IN ('text', 'blob') AND instr(CAST("${column.name}" AS TEXT), ?) > 0
           AND substr(CAST("${column.name}" AS BLOB), 1, 4) <> x'28b52ffd'`,
      ).run(id, other, id)
  db.close()
  touch(file)
}
