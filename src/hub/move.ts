import type { Database } from './database.ts'
import { PARTS } from './schema.ts'

/** So many rows at a time. */
const PAGE = 500

/** In a transaction of both, as the owner of the tables. */
export async function moveRows(
  from: Database,
  to: Database,
  space: number,
  onProgress?: (messages: number) => void,
): Promise<{ chats: number; messages: number }> {
  // Whoever pushes waits from here on, and finds the space moved.
  const [state] = await from.query<Record<string, unknown>>(
    'SELECT head, epoch FROM hub.space WHERE id = $1 FOR NO KEY UPDATE',
    [space],
  )
  const part = await partOf(from, space)
  for (const database of [from, to])
    for (const { name } of TABLES) {
      // Its policies ask who is a member: the owner is none. Only of this part, and only until the end.
      await database.query(`ALTER TABLE hub.${name}_${part} NO FORCE ROW LEVEL SECURITY`)
    }
  const counts: Record<string, number> = {}
  for (const { name, columns } of TABLES) {
    const table = `hub.${name}_${part}`
    // Of a move that did not come to its end.
    await to.query(`DELETE FROM ${table} WHERE space = $1`, [space])
    counts[name] = await copy(
      from,
      to,
      table,
      space,
      columns,
      (done) => name === 'message' && onProgress?.(done),
    )
    await from.query(`DELETE FROM ${table} WHERE space = $1`, [space])
  }
  await to.query(
    `SELECT setval(pg_get_serial_sequence('hub.chat', 'key'),
       greatest(nextval(pg_get_serial_sequence('hub.chat', 'key')), (SELECT coalesce(max(key), 1) FROM hub.chat_${part} WHERE space = $1)))`,
    [space],
  )
  await to.query('UPDATE hub.space SET head = $2, epoch = $3, home = NULL WHERE id = $1', [
    space,
    state!.head,
    state!.epoch,
  ])
  const progress = await from.query('SELECT machine, pushed, pulled FROM hub.progress WHERE space = $1', [
    space,
  ])
  await to.query(
    `INSERT INTO hub.progress (space, machine, pushed, pulled)
     SELECT $1, t.machine, t.pushed, t.pulled FROM jsonb_to_recordset($2) AS t(machine int, pushed bigint, pulled bigint)
     WHERE EXISTS (SELECT FROM hub.machine m WHERE m.key = t.machine)
     ON CONFLICT (space, machine) DO UPDATE SET pushed = excluded.pushed, pulled = excluded.pulled`,
    [space, JSON.stringify(progress)],
  )
  for (const database of [from, to])
    for (const { name } of TABLES)
      await database.query(`ALTER TABLE hub.${name}_${part} FORCE ROW LEVEL SECURITY`)
  return { chats: counts.chat ?? 0, messages: counts.message ?? 0 }
}

const TABLES: { name: string; columns: Record<string, string> }[] = [
  {
    name: 'chat',
    columns: {
      ...{ key: 'bigint', owner: 'int', machine: 'int', id: 'text', seq: 'bigint', hash: 'bigint' },
      ...{ format: 'smallint', header: 'bytea' },
    },
  },
  {
    name: 'message',
    columns: {
      ...{ chat: 'bigint', id: 'text', seq: 'bigint', hash: 'bigint', format: 'smallint', body: 'bytea' },
    },
  },
  {
    name: 'gone',
    columns: {
      ...{ owner: 'int', id: 'text', seq: 'bigint', by: 'int', format: 'smallint', note: 'bytea' },
    },
  },
]

async function copy(
  from: Database,
  to: Database,
  table: string,
  space: number,
  columns: Record<string, string>,
  onProgress: (done: number) => void,
): Promise<number> {
  const names = Object.keys(columns)
  const arrays = Object.values(columns).map((type, n) => `$${n + 2}::${type}[]`)
  await from.query(
    `DECLARE rows CURSOR FOR SELECT ${names.join(', ')} FROM ${table} WHERE space = ${Number(space)}`,
  )
  let count = 0
  for (;;) {
    const rows = await from.query<Record<string, unknown>>(`FETCH ${PAGE} FROM rows`)
    if (rows.length === 0) break
    await to.query(
      `INSERT INTO ${table} (space, ${names.join(', ')}) OVERRIDING SYSTEM VALUE SELECT $1::int, t.* FROM unnest(${arrays.join(', ')}) AS t`,
      [space, ...names.map((name) => rows.map((row) => row[name]))],
    )
    count += rows.length
    onProgress(count)
  }
  await from.query('CLOSE rows')
  return count
}

/** In which part of the tables the rows of a space are. */
async function partOf(database: Database, space: number): Promise<number> {
  const [row] = await database.query<{ part: number }>(
    `SELECT n AS part FROM generate_series(0, ${PARTS - 1}) n
     WHERE satisfies_hash_partition('hub.message'::regclass, ${PARTS}, n, $1::int)`,
    [space],
  )
  return row!.part
}
