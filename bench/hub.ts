/**
 * What a hub costs: messages pushed for each CPU second of the server's backend, and messages pulled and indexed for each
 * of the client's. A real PostgreSQL, from npm or as RECOLLECT_TEST_PG_BIN names it, with fsync on; CPU time, because
 * the machine may be busy.
 *
 *   node bench/hub.ts [messages] [--sealed]
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Archive, Lease } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { addSpace, invite, letIn, setUp } from '../src/hub/admin.ts'
import type { Database } from '../src/hub/database.ts'
import { Exchange } from '../src/hub/exchange.ts'
import { join, setPhrase } from '../src/hub/membership.ts'
import { changeSpace, joinedHub } from '../src/hub/settings.ts'
import { adminOf, testServer } from '../src/hub/test-kit.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { writeCorpus } from './corpus.ts'

const messages = Number(process.argv[2] ?? 60_000)
const isSealed = process.argv.includes('--sealed')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-hub-bench-'))
const server = await testServer({ fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB' })
try {
  const { admin, address } = await adminOf(server, await server.database())
  await setUp(admin)
  await addSpace(admin, { name: 'team', kind: 'team', answers: true })
  const home = path.join(folder, 'home')
  writeCorpus(home, { messages })
  const first = await machine('Ada')
  const reading = process.cpuUsage()
  await syncOnce({
    archive: first.archive,
    sources,
    machine: { platform: 'linux', home, env: {} },
    threads: 0,
  })
  const read = process.cpuUsage(reading)
  const { messages: there } = await first.archive.overview()
  const second = await machine(isSealed ? 'Ada' : 'Bob')

  const space = isSealed ? "Ada's own" : 'team'
  const share = isSealed ? { all: true } : { workspace: '/home' }
  changeSpace(first.folder, space, (each) => ({ ...each, shares: [share] }))

  const [walBefore] = await admin.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at')
  const pushed = await measured(admin, first, (exchanged) => exchanged.pushed)
  const [wal] = await admin.query<{ bytes: string }>('SELECT pg_current_wal_lsn() - $1::pg_lsn AS bytes', [
    walBefore!.at,
  ])
  await first.archive.pushFromTheStart(space)
  const again = await measured(admin, first, (exchanged) => exchanged.pushed)
  const pulled = await measured(admin, second, (exchanged) => exchanged.pulled)
  const [size] = await admin.query<{ table: string; index: string }>(
    `SELECT sum(pg_table_size(c.oid)) AS table, sum(pg_indexes_size(c.oid)) AS index FROM pg_class c
     WHERE relnamespace = 'hub'::regnamespace AND relname ~ '^message_\\d'`,
  )
  const mb = (bytes: string | undefined) => `${(Number(bytes) / 1e6).toFixed(0)} MB`
  const rate = (count: number, seconds: number) => Math.round(count / seconds).toLocaleString('en-US')
  console.table({
    'for comparison: read from files and indexed': row({
      count: there,
      server: 0,
      client: (read.user + read.system) / 1e6,
    }),
    push: row(pushed),
    'told again, nothing to write': row(again),
    'pull and index': row(pulled),
  })
  console.log(
    `${isSealed ? 'sealed' : 'plain, redacted'}; WAL ${mb(wal?.bytes)}, table ${mb(size?.table)}, indexes ${mb(size?.index)}`,
  )

  function row({ count, server: s, client }: Measured) {
    return {
      messages: count,
      'server CPU s': Number(s.toFixed(2)),
      'per server CPU s': s > 0 ? rate(count, s) : '',
      'client CPU s': Number(client.toFixed(2)),
      'per client CPU s': rate(count, client),
    }
  }

  async function machine(person: string) {
    const own = fs.mkdtempSync(path.join(folder, 'machine-'))
    const invitation = await invite(admin, address, person)
    await letIn(admin, person, 'team')
    await join(invitation, { folder: own, label: person })
    await setPhrase(own, `${person}'s own`, 'a phrase for the bench')
    return { folder: own, archive: openSqliteArchive(own) }
  }
} finally {
  await server.end()
  fs.rmSync(folder, { recursive: true, force: true })
}

interface Measured {
  count: number
  server: number
  client: number
}

async function measured(
  admin: Database,
  { folder: own, archive }: { folder: string; archive: Archive },
  countOf: (exchanged: { pushed: number; pulled: number }) => number,
): Promise<Measured> {
  const lease = (await archive.takeLease('bench', 'hub')) as Lease
  const renewing = setInterval(() => void archive.renewLease(lease), 1_000)
  const settings = joinedHub(own)
  const exchange = await Exchange.begin({ archive, folder: own, lease }, settings)
  const [{ pid } = { pid: 0 }] = await admin.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE usename = $1',
    [settings.login.user],
  )
  const [before, client] = [cpuOf(pid), process.cpuUsage()]
  const exchanged = await exchange.exchange()
  const { user, system } = process.cpuUsage(client)
  const spent = cpuOf(pid) - before
  await exchange.close()
  clearInterval(renewing)
  await archive.releaseLease(lease)
  return {
    count: exchanged.reduce((sum, each) => sum + countOf(each), 0),
    server: spent,
    client: (user + system) / 1e6,
  }
}

/** Of a process of Linux, in seconds. */
function cpuOf(pid: number): number {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
