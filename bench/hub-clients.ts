/**
 * Real clients and a real server, in steps that can be run one after the other, so that a million messages can be taken in
 * pieces: one machine reads its files (sync), sends all of it to a team's space (push), and another takes it (pull). Of each: CPU seconds
 * of the client's process and of the server's backends, the most memory that the client had, what `hub status` said meanwhile, and at
 * the end the sizes of archives and tables.
 *
 *   node bench/hub-clients.ts --at postgres://…/database --keep FOLDER --home HOME sync push pull
 *
 * The database is of a superuser on this machine, because what the server costs is read off its processes.
 */
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parseUrl } from '../src/hub/address.ts'
import { connect } from '../src/hub/database.ts'

const { values, positionals: steps } = parseArgs({
  allowPositionals: true,
  options: { at: { type: 'string' }, keep: { type: 'string' }, home: { type: 'string' } },
})
const [at, keep, home] = [values.at!, values.keep!, values.home!]
const bin = path.join(import.meta.dirname, '..', 'bin', 'recollect')
const SPACE = 'all'
const LOOK_MS = 100
const SHOW_MS = 5_000
const ada = { HOME: home, RECOLLECT_HOME: path.join(keep, 'ada') }
const bob = { HOME: path.join(keep, 'nothing'), RECOLLECT_HOME: path.join(keep, 'bob') }
fs.mkdirSync(bob.HOME, { recursive: true })

const { address, login } = parseUrl(at)
const admin = await connect(address, login)
const [{ file } = { file: '' }] = await admin.query<{ file: string }>(
  `SELECT pg_read_file('postmaster.pid') AS file`,
)
const postmaster = Number(file.split('\n')[0])

for (const step of steps) {
  if (step === 'sync') show('read from files and indexed', await watched(ada, ['sync']))
  if (step === 'push') {
    if (!hasHub(ada)) {
      run(ada, ['hub', 'init', at, '--name', 'Ada', '--machine', 'laptop'])
      run(ada, ['hub', 'spaces', '--add', SPACE, '--tool-answers'])
      run(ada, ['hub', 'share', '/home', '--space', SPACE, '--yes'])
    }
    show('pushed', await watched(ada, ['hub', 'sync']))
  }
  if (step === 'pull') {
    if (!hasHub(bob)) {
      const { invitation } = run(ada, ['hub', 'invite', 'Bob', '--space', SPACE])
      run(bob, ['hub', 'join', invitation, '--machine', 'tower'])
    }
    show('pulled and indexed', await watched(bob, ['hub', 'sync']))
  }
}
if (hasHub(ada)) await sizes()
await admin.close()

interface Seen {
  out: string
  seconds: number
  client: number
  server: number
  peakMB: number
  wal: number
}

type Env = typeof ada

function hasHub({ RECOLLECT_HOME }: Env): boolean {
  return fs.existsSync(path.join(RECOLLECT_HOME, 'hub.json'))
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints
function run(env: Env, args: string[]): any {
  const out = execFileSync(process.execPath, [bin, ...args, '--json'], {
    env: { PATH: process.env.PATH, ...env },
  })
  return JSON.parse(String(out))
}

/** A command as its own process, looked at until it ends. */
async function watched(env: Env, args: string[]): Promise<Seen> {
  const [server, wal, began] = [backends(), await walAt(), performance.now()]
  const child = spawn(process.execPath, [bin, ...args, '--json'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (bytes) => {
    out += bytes
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let isOver = false
  void gone.then(() => {
    isOver = true
  })
  let [client, peakMB, shownAt] = [0, 0, performance.now()]
  while (!isOver) {
    try {
      client = cpuOf(child.pid!).own
      peakMB = Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024
    } catch {}
    if (args[0] === 'hub' && performance.now() - shownAt > SHOW_MS) {
      shownAt = performance.now()
      const { spaces } = run(env, ['hub', 'status'])
      const { sending, receiving } = spaces.find(({ space }: { space: string }) => space === SPACE) ?? {}
      console.log(
        `  ${((shownAt - began) / 1000).toFixed(0)} s:`,
        JSON.stringify({ ...(args[1] === 'sync' && { sending, receiving }) }),
      )
    }
    await Promise.race([gone, sleep(LOOK_MS)])
  }
  const seconds = (performance.now() - began) / 1000
  // A backend counts when the server has taken leave of it.
  await sleep(500)
  return { out, seconds, client, server: backends() - server, peakMB, wal: (await walAt()) - wal }
}

function show(what: string, { out, seconds, client, server, peakMB, wal }: Seen): void {
  const told = JSON.parse(out)
  const all = told.spaces?.find(({ space }: { space: string }) => space === SPACE)
  const messages: number = all ? Math.max(all.pushed, all.pulled) : told.added
  const rate = (of: number) => (of > 0 ? Math.round(messages / of).toLocaleString('en-US') : '')
  console.table({
    [what]: {
      messages,
      'wall s': Number(seconds.toFixed(1)),
      'client CPU s': Number(client.toFixed(1)),
      'per client CPU s': rate(client),
      'server CPU s': Number(server.toFixed(1)),
      'per server CPU s': all ? rate(server) : '',
      'client peak MB': Math.round(peakMB),
      'WAL MB': Math.round(wal / 1e6),
    },
  })
  if (!messages) console.log(out)
}

/** Of all backends that have ended, in CPU seconds; those of the looks at the status are among them, some milliseconds each. */
function backends(): number {
  return cpuOf(postmaster).children
}

function cpuOf(pid: number): { own: number; children: number } {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  return { own: (fields[11]! + fields[12]!) / 100, children: (fields[13]! + fields[14]!) / 100 }
}

async function walAt(): Promise<number> {
  const [row] = await admin.query<{ at: string }>(`SELECT pg_current_wal_lsn() - '0/0' AS at`)
  return Number(row!.at)
}

async function sizes(): Promise<void> {
  const [row] = await admin.query<{ rows: string; table: string; index: string }>(
    `SELECT (SELECT count(*) FROM hub.message) AS rows, sum(pg_table_size(c.oid)) AS table, sum(pg_indexes_size(c.oid)) AS index FROM pg_class c
     WHERE relnamespace = 'hub'::regnamespace AND relname ~ '^message_\\d'`,
  )
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const folder = (at: string) =>
    fs.existsSync(at)
      ? mb(
          fs
            .readdirSync(at, { recursive: true, withFileTypes: true })
            .filter((each) => each.isFile())
            .reduce((sum, each) => sum + fs.statSync(path.join(each.parentPath, each.name)).size, 0),
        )
      : 'none'
  console.log(
    `server: ${row!.rows} rows, ${mb(Number(row!.table))} + ${mb(Number(row!.index))} of indexes;`,
    `archives: ${folder(ada.RECOLLECT_HOME)} and ${folder(bob.RECOLLECT_HOME)}`,
  )
}
