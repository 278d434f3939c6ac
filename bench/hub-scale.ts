/**
 * Whether a hub slows down as it grows, and whether it can be changed while machines use it. Rows are made by the server
 * itself, 400 bytes a body, in 400 spaces; then a page and an empty page of one space are pulled, a message is looked up, and
 * 1,000 messages are pushed, at 1 million rows and again at the number given.
 *
 *   node bench/hub-scale.ts [rows] [--at postgres://…/database]
 *
 * With --at in a database that is there and stays: what an earlier run has made is kept, so that millions of rows can
 * be made in several steps. Its figures are those of the number given alone.
 */
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseUrl } from '../src/hub/address.ts'
import { addSpace, invite, letIn, setUp } from '../src/hub/admin.ts'
import { connect, type Database } from '../src/hub/database.ts'
import { testServer } from '../src/hub/test-kit.ts'

const ROWS = Number(process.argv[2] ?? 10_000_000)
const AT = process.argv.includes('--at') ? process.argv[process.argv.indexOf('--at') + 1] : undefined
const SPACES = 400
const server = AT
  ? undefined
  : await testServer({
      ...{ shared_buffers: '2GB', max_wal_size: '16GB', fsync: 'off', synchronous_commit: 'off' },
    })
try {
  const { address, login: owner } = parseUrl(AT ?? server!.url(await server!.database()))
  const admin = await connect(address, owner, { queryMs: 600_000 })
  await setUp(admin)
  const { login, password } = await invite(admin, address, 'Ada')
  const ada = await connect(address, { user: login, password }, { queryMs: 600_000 })
  for (let n = 1; n <= SPACES; n++) await addSpace(admin, { name: `s${n}`, kind: 'team' })
  for (const n of [7, 8]) await letIn(admin, 'Ada', `s${n}`)
  const [{ id: space } = { id: 0 }] = await admin.query<{ id: number }>(
    `SELECT id FROM hub.space WHERE name = 's7'`,
  )
  const slow = await connect(address, owner, { queryMs: 600_000 })
  for (const upTo of ROWS > 1_000_000 && !AT ? [1_000_000, ROWS] : [ROWS]) {
    await fill(slow, upTo)
    console.log(`${upTo.toLocaleString('en-US')} rows in ${SPACES} spaces:`, await figures(admin, ada, space))
  }
  console.log('changed under load:', await changedUnderLoad(slow, ada, space))
  await ada.close()
  await admin.close()
  await slow.close()
} finally {
  await server?.end()
}

async function fill(admin: Database, upTo: number): Promise<void> {
  const spaces = await admin.query<{ id: number; rows: string }>(
    `SELECT s.id, (SELECT count(*) FROM hub.message m WHERE m.space = s.id) AS rows FROM hub.space s
     WHERE s.kind = 'team' ORDER BY s.id`,
  )
  await admin.query('SET session_replication_role = replica')
  for (const { id, rows } of spaces) {
    const each = Math.round(upTo / SPACES) - Number(rows)
    if (each < 50) continue
    await admin.query(
      `WITH base AS (SELECT head AS h FROM hub.space WHERE id = ${id}),
       chats AS (INSERT INTO hub.chat (space, owner, machine, id, seq, hash, format, header)
         SELECT ${id}, 99, 99, 'codex:' || gen_random_uuid(), h + n * 50, n, 1, '\\x7b7d' FROM base, generate_series(1, ${Math.ceil(each / 50)}) n
         RETURNING key, seq)
       INSERT INTO hub.message (space, chat, id, seq, hash, format, body)
         SELECT ${id}, key, gen_random_uuid()::text, seq + n, n, 2, decode(repeat(md5(key::text || n), 25), 'hex')
         FROM chats, generate_series(1, 49) n`,
    )
    await admin.query(
      `UPDATE hub.space SET head = (SELECT max(seq) FROM hub.message m WHERE m.space = ${id}) WHERE id = ${id}`,
    )
  }
  await admin.query('VACUUM ANALYZE')
}

async function figures(admin: Database, ada: Database, space: number) {
  let batch = await batchOf(ada, space, true)
  const [{ pid } = { pid: 0 }] = await ada.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const [{ head } = { head: '0' }] = await admin.query<{ head: string }>(
    'SELECT head FROM hub.space WHERE id = $1',
    [space],
  )
  const page = await timed(pid, 200, () =>
    ada.query('SELECT * FROM hub.pull_1($1, $2, 500)', [space, Math.floor(Math.random() * Number(head))]),
  )
  const empty = await timed(pid, 500, () => ada.query('SELECT * FROM hub.pull_1($1, $2, 500)', [space, head]))
  const some = await admin.query<{ chat: string; id: string }>(
    `SELECT chat, id FROM hub.message WHERE space = $1 AND seq % 37 = 0 LIMIT 300`,
    [space],
  )
  const [{ pid: own } = { pid: 0 }] = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  let at = 0
  const lookUp = await timed(own, 300, () => {
    const { chat, id } = some[at++ % some.length]!
    return admin.query('SELECT seq, body FROM hub.message WHERE space = $1 AND chat = $2 AND id = $3', [
      space,
      chat,
      id,
    ])
  })
  const [size] = await admin.query<{ table: string; index: string }>(
    `SELECT pg_size_pretty(sum(pg_table_size(c.oid))) AS table, pg_size_pretty(sum(pg_indexes_size(c.oid))) AS index FROM pg_class c
     WHERE relnamespace = 'hub'::regnamespace AND relname ~ '^message_\\d'`,
  )
  const push = await timed(pid, 50, () => pushed1000(ada, space, ++batch))
  return { page, empty, lookUp, push, ...size }
}

/** The number of this machine's last batch. */
async function batchOf(ada: Database, space: number, fence: boolean): Promise<number> {
  const [row] = await ada.query<{ told: { spaces: { id: number; pushed: number }[] } }>(
    'SELECT hub.hello_1($1) AS told',
    [{ fence }],
  )
  return row!.told.spaces.find(({ id }) => id === space)!.pushed
}

async function pushed1000(ada: Database, space: number, batch: number): Promise<void> {
  const ids = Array.from({ length: 1000 }, () => crypto.randomUUID())
  await ada.query('SELECT * FROM hub.push_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)', [
    ...[batch, space, [`codex:${ids[0]}`], [1], [1], [2]],
    ...[
      ids.map(() => 0),
      ids,
      ids.map((_, n) => n + 1),
      ids.map(() => 2),
      ids.map(() => 400),
      Buffer.alloc(2 + 400 * 1000, 'x'),
    ],
  ])
}

async function timed(pid: number, times: number, work: () => Promise<unknown>) {
  const walls: number[] = []
  const before = cpuOf(pid)
  for (let n = 0; n < times; n++) {
    const at = performance.now()
    await work()
    walls.push(performance.now() - at)
  }
  const cpu = ((cpuOf(pid) - before) / times) * 1000
  walls.sort((a, b) => a - b)
  return `p50 ${walls[times >> 1]!.toFixed(2)} ms, p95 ${walls[Math.floor(times * 0.95)]!.toFixed(2)} ms, server CPU ${cpu.toFixed(2)} ms`
}

function cpuOf(pid: number): number {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** A column, a table, indexes and all functions anew, while a machine pushes and pulls. */
async function changedUnderLoad(admin: Database, ada: Database, space: number) {
  let isOver = false
  let calls = 0
  let longest = 0
  let batch = await batchOf(ada, space, false)
  const working = (async () => {
    while (!isOver) {
      const at = performance.now()
      await pushed1000(ada, space, ++batch)
      await ada.query('SELECT * FROM hub.pull_1($1, $2, 500)', [space, 0])
      longest = Math.max(longest, performance.now() - at)
      calls += 2
    }
  })()
  await sleep(1_000)
  const normal = longest
  longest = 0
  const began = performance.now()
  await admin.query(`SET lock_timeout = '10s'`)
  await admin.query('SET ROLE hub_owner')
  await admin.query('ALTER TABLE hub.message ADD COLUMN IF NOT EXISTS more int')
  await admin.query('CREATE TABLE IF NOT EXISTS hub.later (id int)')
  for (const part of [0, 5, 11])
    await admin.query(`CREATE INDEX CONCURRENTLY ON hub.message_${part} (space, hash)`)
  await admin.query('RESET ROLE')
  await setUp(admin)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  isOver = true
  await working
  return { seconds, calls, errors: 0, longestMs: Math.round(longest), longestBeforeMs: Math.round(normal) }
}
