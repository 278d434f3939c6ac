import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { after as afterAll, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import { testHub } from './test-hub.ts'
import { adminOf, type CuttingProxy, cuttingProxy, noServer } from './test-kit.ts'
import { openMachine, type TestMachine } from './test-machine.ts'

/** More of it: RECOLLECT_KILLS=200. */
const ROUNDS = Number(process.env.RECOLLECT_KILLS ?? 24)
const NAMES = ['Ada', 'Bob', 'Cleo', 'Dan']
const SPACES = ['red', 'blue']

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

test('four machines and two spaces, with kills, cut connections and a server that crashes: local = server = replica', {
  skip: noServer() ?? false,
  timeout: 600_000,
}, async () => {
  const hub = await testHub({ spaces: SPACES, settings: { log_min_messages: 'panic' } })
  ends.push(() => hub.end())
  const { server, database, address } = hub
  const proxies: CuttingProxy[] = []
  const machines: TestMachine[] = []
  for (const name of NAMES) {
    const proxy = await cuttingProxy(address)
    ends.push(() => proxy.close())
    proxies.push(proxy)
    // It is told its spaces at its first exchange.
    const machine = await hub.machine(name, `${name}'s`, { spaces: SPACES, way: proxy.address(address) })
    for (const space of SPACES) await machine.share(space, { workspace: `/work/${space}` })
    machines.push(machine)
  }
  const children = machines.map(({ folder }, i) => started(folder, NAMES[i]!))
  ends.push(async () => Promise.all(children.map(({ process: child }) => killed(child))))
  for (let round = 0; round < ROUNDS; round++) {
    const i = round % NAMES.length
    // Each gets through before the next blow, however busy the system is; then it comes at any moment.
    await children[i]!.exchanged()
    await sleep(Math.random() * 100)
    const blow = round % 12
    if (blow === 5) await server.crash?.()
    else if (blow % 3 === 0) {
      await killed(children[i]!.process)
      children[i] = started(machines[i]!.folder, NAMES[i]!)
    } else proxies[i]!.cut()
  }
  for (const child of children) await child.exchanged()
  await Promise.all(children.map(({ process: child }) => killed(child)))
  // The first connection ended with the first crash.
  const { admin: after } = await adminOf(server, database)
  ends.push(() => after.close())
  const [{ least } = { least: '0' }] = await after.query<{ least: string }>(
    `SELECT min(n) AS least FROM (SELECT sum(pushed) AS n FROM hub.progress p JOIN hub.space s ON s.id = p.space
       WHERE s.kind = 'team' GROUP BY p.machine) each`,
  )
  assert.ok(Number(least) > 10, `every machine sent batches meanwhile: ${least}`)
  const opened = machines.map(({ folder }) => openMachine(folder))
  // Twice: what the last of them pushed, the first of them pull.
  for (let times = 0; times < 2; times++) for (const machine of opened) await machine.exchange()

  const said = await Promise.all(opened.map(({ lines }) => lines()))
  const own = said.map((lines) => lines.filter((line) => !line.includes('@')))
  const total = own.reduce((sum, lines) => sum + lines.length, 0)
  assert.ok(total > 100, `${total} messages were said`)
  for (const [i, lines] of said.entries()) {
    const others = NAMES.flatMap((name, j) =>
      j === i
        ? []
        : own[j]!.map((line) => line.replace(/^(\S+-(red|blue)-\d)/, `$1@${name} from ${name}'s by $2`)),
    )
    assert.deepEqual(
      lines.filter((line) => line.includes('@')),
      others.sort(),
      `the replica of ${NAMES[i]}`,
    )
  }
  await checkServer(after, total)
  const waiting = await Promise.all(opened.map(({ exchange }) => exchange()))
  for (const { pushed, pulled } of waiting.flat())
    assert.deepEqual({ pushed, pulled }, { pushed: 0, pulled: 0 })
  for (const { archive } of opened) {
    assert.deepEqual(await archive.check({ deep: true }), [])
    await archive.close()
  }
})

/** Each message once, each with a number of its own. */
async function checkServer(admin: Database, total: number): Promise<void> {
  const [row] = await admin.query<{ rows: string; seqs: string; head: boolean }>(
    `SELECT count(*) AS rows, count(DISTINCT (space, seq)) AS seqs,
       bool_and(seq <= (SELECT head FROM hub.space s WHERE s.id = space)) AS head
     FROM hub.message WHERE format <> 0`,
  )
  assert.deepEqual(row, { rows: String(total), seqs: String(total), head: true })
}

interface Child {
  process: ChildProcess
  /** Resolves when it next has sent something. */
  exchanged(): Promise<void>
}

function started(folder: string, name: string): Child {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'test-writer.ts'), folder, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let news: (() => void) | undefined
  child.stdout.on('data', () => news?.())
  return {
    process: child,
    exchanged: () =>
      new Promise((resolve) => {
        news = resolve
      }),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
