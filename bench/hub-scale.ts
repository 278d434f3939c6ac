/**
 * Whether a hub slows down as it grows, and whether it can be changed while machines use it. Rows come by COPY, 400 bytes a
 * body: three tenths in one huge space, the rest in 400, of which one stays as it is. A page of 500 of that one and of
 * 8,000 of the huge one are pulled, a page with nothing new, a message is looked up, and 1,000 are pushed: at 1 million rows and again at the
 * number given.
 *
 *   node bench/hub-scale.ts [rows] [--at postgres://…/database]
 *
 * With --at in a database that is there and stays (of a superuser, who may COPY): what an earlier run has made is kept, so
 * that millions of rows can be made in several steps. Its figures are those of the number given alone.
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
const HUGE = 0.3
const STEADY_ROWS = 2_500
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
  const names = ['huge', 'steady', ...Array.from({ length: SPACES - 1 }, (_, n) => `s${n}`)]
  for (const name of names) await addSpace(admin, { name, kind: 'team' })
  for (const name of ['huge', 'steady', 's7']) await letIn(admin, 'Ada', name)
  const slow = await connect(address, owner, { queryMs: 600_000 })
  for (const upTo of ROWS > 1_000_000 && !AT ? [1_000_000, ROWS] : [ROWS]) {
    const began = performance.now()
    const made = await fill(slow, upTo)
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`${made.toLocaleString('en-US')} rows made in ${seconds} s`)
    console.log(`${upTo.toLocaleString('en-US')} rows:`, await figures(admin, ada))
  }
  console.log('changed under load:', await changedUnderLoad(slow, ada, await idOf(admin, 's7')))
  await ada.close()
  await admin.close()
  await slow.close()
} finally {
  await server?.end()
}

async function fill(admin: Database, upTo: number): Promise<number> {
  const spaces = await admin.query<{ id: number; name: string; rows: string; file: string }>(
    `SELECT s.id, s.name, (SELECT count(*) FROM hub.message m WHERE m.space = s.id) AS rows,
       current_setting('data_directory') || '/rows' AS file
     FROM hub.space s WHERE s.kind = 'team' ORDER BY s.id`,
  )
  let made = 0
  for (const { id, name, rows, file } of spaces) {
    const wanted =
      name === 'huge'
        ? upTo * HUGE
        : name === 'steady'
          ? STEADY_ROWS
          : (upTo * (1 - HUGE) - STEADY_ROWS) / (SPACES - 1)
    const chats = Math.round((wanted - Number(rows)) / 49)
    if (chats < 1) continue
    const [{ h } = { h: '0' }] = await admin.query<{ h: string }>(
      'SELECT head AS h FROM hub.space WHERE id = $1',
      [id],
    )
    await admin.query(
      `INSERT INTO hub.chat (space, owner, machine, id, seq, hash, format, header)
       SELECT ${id}, 99, 99, 'codex:' || gen_random_uuid(), ${h} + n * 50, n, 1, '\\x7b7d' FROM generate_series(1, ${chats}) n`,
    )
    await admin.query(
      `COPY (SELECT ${id}::int, key, gen_random_uuid()::text, seq + n, n::bigint, 2::smallint, decode(repeat(md5(key::text || n), 25), 'hex')
         FROM hub.chat, generate_series(1, 49) n WHERE space = ${id} AND seq > ${h}) TO '${file}' (FORMAT binary)`,
    )
    await admin.query(
      `COPY hub.message (space, chat, id, seq, hash, format, body) FROM '${file}' (FORMAT binary)`,
    )
    await admin.query(`UPDATE hub.space SET head = ${h} + ${chats} * 50 + 49 WHERE id = ${id}`)
    made += chats * 49
  }
  await admin.query('VACUUM ANALYZE')
  return made
}

async function idOf(admin: Database, name: string): Promise<number> {
  const [row] = await admin.query<{ id: number }>('SELECT id FROM hub.space WHERE name = $1', [name])
  return row!.id
}

async function figures(admin: Database, ada: Database) {
  const [huge, steady, other] = [
    await idOf(admin, 'huge'),
    await idOf(admin, 'steady'),
    await idOf(admin, 's7'),
  ]
  let batch = await batchOf(ada, other, true)
  const pid = await pidOf(ada)
  const own = await pidOf(admin)
  const heads = new Map(
    (await admin.query<{ id: number; head: string }>('SELECT id, head FROM hub.space')).map(
      ({ id, head }): [number, number] => [id, Number(head)],
    ),
  )
  const pull = (space: number, after: number, most: number) =>
    ada.query('SELECT * FROM hub.pull_1($1, $2, $3)', [space, after, most])
  const somewhere = (space: number) => Math.floor(Math.random() * heads.get(space)! * 0.75)
  const page = await timed(pid, 200, () => pull(steady, somewhere(steady), 500))
  const pageOfHuge = await timed(pid, 50, () => pull(huge, somewhere(huge), 8_000))
  const empty = await timed(pid, 500, () => pull(steady, heads.get(steady)!, 500))
  const emptyOfHuge = await timed(pid, 500, () => pull(huge, heads.get(huge)!, 8_000))
  const lookUp = await timed(own, 300, await lookingUp(admin, steady))
  const lookUpInHuge = await timed(own, 300, await lookingUp(admin, huge))
  const [size] = await admin.query<{ table: string; index: string }>(
    `SELECT pg_size_pretty(sum(pg_table_size(c.oid))) AS table, pg_size_pretty(sum(pg_indexes_size(c.oid))) AS index FROM pg_class c
     WHERE relnamespace = 'hub'::regnamespace AND relname ~ '^message_\\d'`,
  )
  const push = await timed(pid, 50, () => pushed1000(ada, other, ++batch))
  return { page, pageOfHuge, empty, emptyOfHuge, lookUp, lookUpInHuge, push, ...size }
}

async function pidOf(database: Database): Promise<number> {
  const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return row!.pid
}

async function lookingUp(admin: Database, space: number): Promise<() => Promise<unknown>> {
  const some = await admin.query<{ chat: string; id: string }>(
    `SELECT chat, id FROM hub.message WHERE space = $1 AND seq % 37 = 0 LIMIT 300`,
    [space],
  )
  let at = 0
  return () => {
    const { chat, id } = some[at++ % some.length]!
    return admin.query('SELECT seq, body FROM hub.message WHERE space = $1 AND chat = $2 AND id = $3', [
      space,
      chat,
      id,
    ])
  }
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
