/**
 * How soon what is said is with the others: a line is written into an assistant's file on one machine, and waited for on the
 * server and in the archive of another machine. Two real clients (`recollect sync --watch`) and a real server with fsync on.
 *
 *   node bench/hub-fresh.ts [lines]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { adminOf, testServer } from '../src/hub/test-kit.ts'

const LINES = Number(process.argv[2] ?? 30)
const LOOK_MS = 5
/** Not in step with what looks every so often. */
const BETWEEN_MS = 700
const bin = path.join(import.meta.dirname, '..', 'bin', 'recollect')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-hub-fresh-'))
const server = await testServer({ fsync: 'on' })
const clients: ChildProcess[] = []
try {
  const database = await server.database()
  const { admin } = await adminOf(server, database)
  const [ada, bob] = ['ada', 'bob'].map((name) => ({
    HOME: path.join(temp, name, 'home'),
    RECOLLECT_HOME: path.join(temp, name, 'archive'),
  }))
  const file = path.join(ada!.HOME, '.claude', 'projects', '-work-shop', 'fresh.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.mkdirSync(bob!.HOME, { recursive: true })
  let said = 0
  const say = () => {
    const message = { role: 'user', content: `said ${++said}` }
    const line = { type: 'user', uuid: `u${said}`, sessionId: 'fresh', cwd: '/work/shop', message }
    fs.appendFileSync(file, `${JSON.stringify({ ...line, timestamp: new Date().toISOString() })}\n`)
  }
  say()
  run(ada!, ['sync'])
  run(ada!, ['hub', 'init', server.url(database), '--name', 'Ada', '--machine', 'laptop'])
  run(ada!, ['hub', 'share', '/work', '--space', 'team', '--yes'])
  const { invitation } = run(ada!, ['hub', 'invite', 'Bob', '--space', 'team'])
  run(bob!, ['hub', 'join', invitation, '--machine', 'tower'])
  for (const env of [ada!, bob!])
    clients.push(
      spawn(process.execPath, [bin, 'sync', '--watch'], {
        env: { PATH: process.env.PATH, ...env },
        stdio: 'ignore',
      }),
    )
  let heardAt = 0
  await admin.listen('recollect_hub', () => {
    heardAt = performance.now()
  })
  const archive = openSqliteArchive(bob!.RECOLLECT_HOME)
  const isThere = async () => {
    const [chat] = await archive.listChats({})
    return chat !== undefined && (await archive.messages(chat)).some(({ text }) => text === `said ${said}`)
  }
  while (!(await isThere())) await sleep(LOOK_MS)
  const [pushed, pulled]: [number[], number[]] = [[], []]
  for (let line = 0; line < LINES; line++) {
    await sleep(BETWEEN_MS + Math.random() * BETWEEN_MS)
    const began = performance.now()
    heardAt = 0
    say()
    while (!(await isThere())) await sleep(LOOK_MS)
    pulled.push(performance.now() - began)
    while (heardAt === 0) await sleep(LOOK_MS)
    pushed.push(heardAt - began)
  }
  console.log(
    `${LINES} lines written into a file; load ${os.loadavg()[0]!.toFixed(1)} on ${os.cpus().length} cores`,
  )
  console.log(`on the server: ${words(pushed)}`)
  console.log(`in the archive of another machine: ${words(pulled)}`)
  await archive.close()
  await admin.close()
} finally {
  for (const client of clients) {
    const gone = once(client, 'exit')
    client.kill('SIGTERM')
    await gone
  }
  await server.end()
  fs.rmSync(temp, { recursive: true, force: true })
}

// biome-ignore lint/suspicious/noExplicitAny: what a command prints
function run(env: Record<string, string>, args: string[]): any {
  const out = execFileSync(process.execPath, [bin, ...args, '--json'], {
    env: { PATH: process.env.PATH, ...env },
  })
  return JSON.parse(String(out))
}

function words(times: number[]): string {
  times.sort((a, b) => a - b)
  const at = (part: number) => `${Math.round(times[Math.floor((times.length - 1) * part)]!)} ms`
  return `median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`
}
