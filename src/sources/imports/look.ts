import fs from 'node:fs'
import path from 'node:path'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { type Json, object } from '../json.ts'
import { jsonLines, readJson } from '../lines.ts'
import type { Look } from '../sign.ts'

const LINES = 12
const HEAD_BYTES = 8192
const MOST_BYTES = 256 * 1024 * 1024
const SQLITE = 'SQLite format 3\0'

/** `name` is what the file is called where it came from. */
export function lookAt(file: string, name = path.basename(file)): Look {
  const head = lazily(() => beginningOf(file))
  const isText = () => /^[\s\ufeff\0]*[{[]/.test(head())
  const lines = lazily(() => (isText() ? firstLines(file, name) : []))
  const document = lazily(() => {
    const isDocument = isText() && !(lines().length > 1) && fs.statSync(file).size <= MOST_BYTES
    return isDocument ? tried(() => readJson(file)) : undefined
  })
  const database = lazily(() =>
    head().startsWith(SQLITE) ? (tried(() => contentOf(file)) ?? NOTHING) : NOTHING,
  )
  return {
    file,
    name,
    get lines() {
      return lines()
    },
    get document() {
      return document()
    },
    get head() {
      return head()
    },
    columns: (table) => database().columns.get(table) ?? [],
    hasKey: (key) => database().keys.has(key),
  }
}

interface Content {
  columns: Map<string, string[]>
  keys: Set<string>
}

const NOTHING: Content = { columns: new Map(), keys: new Set() }

/** How the keys begin under which Cursor and VS Code keep chats in their tables of values. */
const KEYS: [table: string, key: string][] = [
  ['cursorDiskKV', 'composerData:'],
  ['ItemTable', 'interactive.sessions'],
  ['ItemTable', 'workbench.panel.aichat.view.aichat.chatdata'],
]
const MOST_TABLES = 200

function contentOf(file: string): Content {
  const db = openForeignDatabase(file)
  try {
    const names = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' LIMIT ${MOST_TABLES}`).all()
    const columns = new Map(names.map(({ name }) => [String(name), columnsOf(db, String(name))]))
    const keys = KEYS.filter(([table, key]) => {
      if (!columns.get(table)?.includes('key')) return false
      const found = db.prepare(`SELECT 1 FROM "${table}" WHERE key >= ? AND key < ? LIMIT 1`)
      return found.get(key, `${key}\u{10ffff}`) !== undefined
    })
    return { columns, keys: new Set(keys.map(([, key]) => key)) }
  } finally {
    db.close()
  }
}

/** Nothing where the first line is no record by itself: then it is a document of many lines. */
function firstLines(file: string, name: string): Json[] {
  const found: Json[] = []
  let looked = 0
  for (const line of jsonLines(file)) {
    const record = object(line.value)
    if (looked === 0 && !name.endsWith('.jsonl') && (!record || line.offset > 3)) return []
    if (record) found.push(record)
    if (++looked >= LINES) break
  }
  return found
}

function beginningOf(file: string): string {
  const bytes = Buffer.alloc(HEAD_BYTES)
  const fd = fs.openSync(file, 'r')
  try {
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, HEAD_BYTES, 0))
  } finally {
    fs.closeSync(fd)
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
