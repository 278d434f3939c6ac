import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { createTables } from './migrate.ts'
import { openPages, type Pages } from './raw-pages.ts'
import { childrenOf, type RawRow, rowsOn } from './raw-rows.ts'
import { migrations } from './schema.ts'

/** How the rows of a table look, by the letters of their values (raw-rows.ts). Columns that were added later may be missing. */
interface Look {
  table: string
  shape: RegExp
  /** No other table and no index looks so: its rows are known wherever they are found. */
  isSure: boolean
  /** In the order of its rows, where that is not the table's: tables without row numbers begin with their key. */
  columns?: string[]
}

const LOOKS: Look[] = [
  { table: 'chat', shape: /^ntt[tn]{5}[in]{2}[tn]{2}i[tn]{3}tii[if]/, isSure: true },
  { table: 'chat_message', shape: /^ni[tb][in]iii[if]itt[in]i[in]t[tn][tn]/, isSure: true },
  { table: 'block', shape: /^niiib$/, isSure: true },
  { table: 'block_detail', shape: /^nb$/, isSure: true },
  { table: 'vector', shape: /^ntbb[in]?$/, isSure: true },
  { table: 'unit', shape: /^ntttt[tbn]ii/, isSure: true },
  { table: 'problem', shape: /^i[in]ti$/, isSure: true },
  { table: 'redacted_chat', shape: /^n$/, isSure: false },
  { table: 'chat_secret', shape: /^iii$/, isSure: false },
  { table: 'unit_chat', shape: /^ii(iii[tn])?$/, isSure: false },
  { table: 'forgotten', shape: /^tti([tn](i)?)?$/, isSure: false },
  { table: 'forgotten_mark', shape: /^tbt$/, isSure: true },
  { table: 'forgotten_unit', shape: /^itt$/, isSure: true },
  { table: 'revived_unit', shape: /^ttii$/, isSure: true },
  { table: 'hub_space', shape: /^tti[tn]{2}$/, isSure: false },
  {
    table: 'remote_chat',
    shape: /^tttt[in]$/,
    isSure: false,
    columns: ['source', 'id', 'author', 'space', 'chat'],
  },
  { table: 'change_gone', shape: /^nttt[tn]$/, isSure: false },
  { table: 'setting', shape: /^t.$/, isSure: false },
  { table: 'seal', shape: /^ii[ib]$/, isSure: false },
  { table: 'unsealed', shape: /^ii$/, isSure: false },
]
/** SQLite's own indexes over ids: they still name what its row no longer does. */
const CHAT_IDS = 'sqlite_autoindex_chat_1'
const MESSAGE_IDS = 'sqlite_autoindex_chat_message_1'
const STEP = 256

export interface SalvageOptions {
  onProgress?: (progress: { done: number; all: number }) => void
}

/**
 * Copies every row that can be read out of a damaged archive into a new file, from its pages: neither its header
 * nor SQLite's trees are needed. Rows are not checked here. What SQLite's indexes say was there goes into the
 * tables `repair_chat` and `repair_message`.
 */
export function salvage(file: string, into: string, { onProgress }: SalvageOptions = {}): void {
  const pages = openPages(file)
  const db = new DatabaseSync(into, { enableForeignKeyConstraints: false })
  try {
    db.exec('PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF')
    createTables(db, 0, versionOf(pages))
    const triggers = db.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all()
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
    db.exec('DELETE FROM setting')
    if (has(db, 'seal')) db.exec('DELETE FROM seal; DELETE FROM unsealed')
    db.exec(`CREATE TABLE repair_chat (key INTEGER PRIMARY KEY, source TEXT, id TEXT);
      CREATE TABLE repair_message (key INTEGER PRIMARY KEY, chat INTEGER, id)`)
    copyRows(pages, db, onProgress)
    for (const { sql } of triggers) db.exec(String(sql))
  } finally {
    db.close()
    pages.close()
  }
}

function copyRows(pages: Pages, db: DatabaseSync, onProgress: SalvageOptions['onProgress']): void {
  const owners = ownersIn(pages)
  const insert = inserting(db)
  db.exec('BEGIN')
  for (let number = 1; number <= pages.count; number++) {
    if (number % STEP === 0) onProgress?.({ done: number, all: pages.count })
    if (pages.isFree(number)) continue
    const owner = ownerOf(pages, owners, number)
    for (const row of rowsOn(pages, number)) {
      if (owner === CHAT_IDS && row.shape === 'tti')
        insert('repair_chat', [row.values[2], row.values[1], row.values[0]] as SQLInputValue[])
      else if (owner === MESSAGE_IDS && /^i[tb]i$/.test(row.shape))
        insert('repair_message', [row.values[2], row.values[0], row.values[1]] as SQLInputValue[])
      else {
        const table = tableOf(row, owner)
        if (table) insert(table, valuesOf(row))
      }
    }
  }
  db.exec('COMMIT')
}

/** A row's values, its key among them. */
function valuesOf({ rowid, values, shape }: RawRow): SQLInputValue[] {
  return (
    rowid !== undefined && shape.startsWith('n') ? [rowid, ...values.slice(1)] : values
  ) as SQLInputValue[]
}

function tableOf(row: RawRow, owner: string | undefined): string | undefined {
  const named = owner === 'message' ? 'chat_message' : owner
  const isOf = ({ shape }: Look) => shape.test(row.shape)
  const own = LOOKS.find((look) => look.table === named)
  if (own && isOf(own)) return own.table
  // A damaged page above may have led to it.
  return LOOKS.find((look) => look.isSure && isOf(look))?.table
}

/** Puts rows into tables, as many columns as a row has; the first of two that are the same counts. */
function inserting(db: DatabaseSync): (table: string, values: SQLInputValue[]) => void {
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']> | undefined>()
  const messages = has(db, 'message') ? 'message' : 'chat_message'
  return (table, values) => {
    const name = table === 'chat_message' ? messages : table
    const known = `${name} ${values.length}`
    if (!statements.has(known)) {
      const columns =
        LOOKS.find((look) => look.table === table)?.columns ??
        db
          .prepare('SELECT name FROM pragma_table_info(?) ORDER BY cid')
          .all(name)
          .map((column) => String(column.name))
      const chosen = columns.slice(0, values.length).map((column) => `"${column}"`)
      const marks = chosen.map(() => '?').join(', ')
      statements.set(
        known,
        columns.length < values.length || columns.length === 0
          ? undefined
          : db.prepare(`INSERT OR IGNORE INTO ${name} (${chosen.join(', ')}) VALUES (${marks})`),
      )
    }
    try {
      statements.get(known)?.run(...values)
    } catch {
      // A value that its column does not take: no row of ours.
    }
  }
}

function has(db: DatabaseSync, table: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined
}

/** Which table or index a page belongs to, as far as the list of tables and the pages above it can be read. */
function ownersIn(pages: Pages): Map<number, string> {
  let roots = rootsIn(pages, [1, ...below(pages, 1)])
  // The first page is damaged: what it names stands elsewhere too, if the list is a long one.
  if (roots.size === 0)
    roots = rootsIn(
      pages,
      Array.from({ length: pages.count }, (_, page) => page + 1),
    )
  const owners = new Map(roots)
  for (const [root, name] of roots)
    for (const page of below(pages, root)) if (!owners.has(page)) owners.set(page, name)
  return owners
}

function rootsIn(pages: Pages, numbers: number[]): Map<number, string> {
  const roots = new Map<number, string>()
  for (const number of numbers) {
    if (pages.isFree(number)) continue
    for (const { shape, values } of rowsOn(pages, number))
      if (/^ttti[tn]$/.test(shape) && (values[0] === 'table' || values[0] === 'index'))
        roots.set(Number(values[3]), String(values[1]))
  }
  return roots
}

function below(pages: Pages, root: number): Set<number> {
  const found = new Set<number>()
  const waiting = childrenOf(pages, root)
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    if (found.has(page)) continue
    found.add(page)
    waiting.push(...childrenOf(pages, page))
  }
  return found
}

const DEEPEST = 20

function ownerOf(pages: Pages, owners: Map<number, string>, number: number): string | undefined {
  let page: number | undefined = number
  for (let depth = 0; page !== undefined && depth < DEEPEST; depth++) {
    const owner = owners.get(page)
    if (owner !== undefined) return owner
    page = pages.parentOf(page)
  }
  return undefined
}

/** How many migrations the archive had. */
function versionOf(pages: Pages): number {
  const version = pages.read(1)?.readUInt32BE(60) ?? 0
  return version >= 1 && version <= migrations.length ? version : migrations.length
}
