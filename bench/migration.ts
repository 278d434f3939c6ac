/**
 * How long an archive of the first edition takes to be brought up to date: `node bench/migration.ts [messages]`.
 * Made up out of a corpus of 30,000 messages: its chats again and again under other ids, in the tables and with the word
 * index of version 0.1.0. What is packed together is of one chat, so that repetition does not make it cheaper.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Archive, Lease } from '../src/archive/archive.ts'
import { detailOf, hashOf } from '../src/archive/body.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { readTitles, writeTitles } from '../src/archive/sqlite/index-docs.ts'
import { createTables } from '../src/archive/sqlite/migrate.ts'
import { oldListOf } from '../src/archive/sqlite/old-message-list.ts'
import { LESS_MEMORY, setFlags } from '../src/platform/little-memory.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { writeCorpus } from './corpus.ts'

const PART = 30_000
/** The tables of version 0.1.0 are those of the first two migrations. */
const FIRST_EDITION = 2

const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
const [messages = '1000000', folder] = process.argv.slice(2)
if (folder) await migrate(folder)
else {
  const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-migration-bench-'))
  try {
    const archive = path.join(temp, 'archive')
    await make(temp, archive, Math.ceil(Number(messages) / PART))
    const megabytes = (name: string) => Math.round(fs.statSync(path.join(archive, name)).size / 1e6)
    console.log(`${os.cpus().length} cores, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`)
    console.log(`an archive of 0.1.0 with ${messages} messages, ${megabytes('archive.db')} MB`)
    execFileSync(process.execPath, [import.meta.filename, messages, archive], { stdio: 'inherit' })
    for (const name of fs.readdirSync(archive)) console.log(`  ${name}: ${megabytes(name)} MB`)
  } finally {
    fs.rmSync(temp, { recursive: true, force: true })
  }
}

/** As the first sync of this version does it, with nothing to read. */
async function migrate(folder: string): Promise<void> {
  setFlags(LESS_MEMORY)
  const archive = await timed('opened, with a copy of it beside it', async () => openSqliteArchive(folder))
  const lease = (await archive.takeLease('bench')) as Lease
  let steps = 0
  await timed('packed and made smaller', () => archive.pack(lease, { onProgress: () => steps++ }))
  await timed('the word index in one piece, sums and checksums', () => archive.markSynced(lease))
  await archive.releaseLease(lease)
  const { chats, messages } = await archive.overview()
  const damage = await archive.check()
  console.log(`  ${steps} steps; ${chats} chats, ${messages} messages; ${damage[0] ?? 'nothing is damaged'}`)
  console.log(`  at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory`)
  await archive.close()
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  console.log(
    `  ${what}: ${seconds(performance.now() - began)} s, ${seconds((user + system) / 1000)} of CPU time`,
  )
  return result
}

async function make(temp: string, folder: string, copies: number): Promise<void> {
  const home = path.join(temp, 'home')
  writeCorpus(home, { messages: PART })
  const part = openSqliteArchive(path.join(temp, 'part'))
  await syncOnce({ archive: part, sources, machine: { platform: 'linux', home, env: {} } })
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const old = new DatabaseSync(path.join(folder, 'archive.db'))
  old.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
  createTables(old, 0, FIRST_EDITION)
  const rows = await rowsOf(part)
  await part.close()
  const index = new DatabaseSync(path.join(temp, 'part', 'archive.db'), { readOnly: true })
  for (let copy = 0; copy < copies; copy++) {
    old.exec('BEGIN')
    addChats(old, rows, copy * rows.messages.length)
    addWords(old, index, copy * rows.messages.length)
    old.exec('COMMIT')
  }
  index.close()
  old.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  old.close()
}

type Row = Record<string, string | number | null>

/** Chats and messages as rows of the first edition, with the keys that they have in the word index. */
async function rowsOf(archive: Archive): Promise<{ chats: Row[]; messages: Row[] }> {
  const chats: Row[] = []
  const messages: Row[] = []
  for (const chat of await archive.listChats({ subagents: true }, { limit: PART })) {
    const { key, source, id, title, workspace, createdAt, updatedAt, models } = chat
    const all = await archive.messages(chat)
    chats.push({
      ...{ key, source, id, title: title ?? null, workspace: workspace ?? null, messages: all.length },
      ...{ created_at: createdAt ?? null, updated_at: updatedAt ?? null, models: JSON.stringify(models) },
    })
    for (const message of all) {
      const detail = detailOf(message)
      messages.push({
        ...{ key: message.key, chat: key, id: message.id, unit: key, generation: 1, rank: 0, detail },
        ...{ position: message.order, place: message.index, role: message.role, kind: message.kind },
        ...{ text: message.text, hash: hashOf(message, detail), created_at: message.createdAt ?? null },
        ...{ model: message.model ?? null, input_tokens: message.usage?.input ?? null },
        output_tokens: message.usage?.output ?? null,
      })
    }
  }
  return { chats, messages }
}

/** All keys are so much larger. */
function addChats(old: DatabaseSync, rows: { chats: Row[]; messages: Row[] }, shift: number): void {
  const add = (table: string, row: Row) => {
    const names = Object.keys(row)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    statementOf(old, sql).run(...Object.values(row))
  }
  for (const row of rows.chats) {
    const key = Number(row.key) + shift
    add('chat', { ...row, key, id: `${row.id}-${shift}` })
    const unit = { key, source: row.source!, path: `/nowhere/${key}`, stamp: '1 1 1', fingerprint: '{}' }
    add('unit', { ...unit, generation: 1, read_at: 1 })
    add('unit_chat', { unit: key, chat: key })
  }
  for (const row of rows.messages) {
    const chat = Number(row.chat) + shift
    add('message', { ...row, key: Number(row.key) + shift, chat, unit: chat })
  }
}

/**
 * The word index once more, for other messages. Lists hold distances, so that only where they begin differs; the rows of
 * long ones are those of the first time.
 */
function addWords(old: DatabaseSync, index: DatabaseSync, shift: number): void {
  const segments = index.prepare('SELECT * FROM word_segment ORDER BY key').all()
  for (const segment of segments) {
    const documents = oldListOf(segment.documents as Uint8Array, shift)
    const titles = [...readTitles(segment.titles as Uint8Array)]
    const key = Number(segment.key) + shift
    statementOf(
      old,
      'INSERT INTO word_segment (key, newest, messages, base, documents, titles) VALUES (?, ?, ?, ?, ?, ?)',
    ).run(
      ...[key, key, segment.messages as number, Number(segment.base) + shift, documents],
      writeTitles(titles.map(({ chat, code }) => ({ chat: chat + shift, code }))),
    )
    const blocks = index.prepare('SELECT * FROM word_block WHERE segment = ? ORDER BY key')
    const add = statementOf(
      old,
      'INSERT INTO word_block (key, segment, field, first, data) VALUES (?, ?, ?, ?, ?)',
    )
    for (const { key: own, field, first, data } of blocks.iterate(segment.key as number))
      add.run(
        shift === 0 ? (own as number) : null,
        key,
        field as number,
        first as Uint8Array,
        data as Uint8Array,
      )
  }
}

function statementOf(db: DatabaseSync, sql: string): ReturnType<DatabaseSync['prepare']> {
  const known = statements.get(sql) ?? db.prepare(sql)
  statements.set(sql, known)
  return known
}
