/**
 * A streaming replica for reading: how soon after a push it has it, and that a machine which is sent there pulls all there is
 * while what it says itself waits. Two real servers of one version on this machine.
 *
 *   node bench/hub-replica.ts [messages]
 */
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../src/hub/database.ts'
import { changeHub } from '../src/hub/settings.ts'
import { testHub } from '../src/hub/test-hub.ts'
import { postgresOf } from '../src/hub/test-kit.ts'
import { say } from '../src/hub/test-machine.ts'

const MESSAGES = Number(process.argv[2] ?? 20_000)
const PORT = 5433
const hub = await testHub({ settings: { fsync: 'on' } })
const { server, address } = hub
const ada = await hub.machine('Ada', 'laptop', { spaces: ['team'] })
const bob = await hub.machine('Bob', 'tower', { spaces: ['team'] })
await ada.share('team', { workspace: '/work' })
for (let chat = 0; chat < MESSAGES / 200; chat++)
  await ada.write(
    { id: `c${chat}`, workspace: '/work' },
    Array.from({ length: 200 }, (_, n) => say(n, `said ${chat} ${n} `.repeat(10))),
  )
await ada.exchange()

await server.stop!()
const copy = `${server.folder}-replica`
execFileSync('cp', ['-a', server.folder!, copy])
fs.writeFileSync(path.join(copy, 'standby.signal'), '')
fs.appendFileSync(
  path.join(copy, 'postgresql.auto.conf'),
  `primary_conninfo = 'host=${address.host} port=${address.port} user=postgres'\nport = ${PORT}\n`,
)
const { command, options } = postgresOf(copy)
await server.start!()
const flags = { port: PORT, listen_addresses: '', unix_socket_directories: address.host, max_connections: 60 }
const replica = spawn(
  command,
  ['-D', copy, ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
  { ...options, stdio: 'ignore' },
)
try {
  const there = { ...address, port: PORT }
  const standby = await reached(() => connect(there, { user: 'postgres' }))
  const head = async () =>
    Number((await standby.query<{ head: string }>(`SELECT head FROM hub.space WHERE name = 'team'`))[0]!.head)
  const lags: number[] = []
  for (let n = 0; n < 100; n++) {
    const before = await head()
    await ada.write({ id: `more-${n}`, workspace: '/work' }, [say(1, `more ${n}`)])
    await ada.exchange()
    const at = performance.now()
    while ((await head()) === before) await sleep(1)
    lags.push(performance.now() - at)
  }
  lags.sort((a, b) => a - b)
  changeHub(bob.folder, (now) => ({ ...now!, address: there }))
  await bob.share('team', { workspace: '/work' })
  await bob.write({ id: 'of-bob', workspace: '/work' }, [say(1, 'it waits')])
  const cpu = process.cpuUsage()
  const [team] = (await bob.exchange()).filter(({ space }) => space === 'team')
  const { user, system } = process.cpuUsage(cpu)
  console.log({
    seenAfterMs: { p50: lags[50]!.toFixed(1), p95: lags[95]!.toFixed(1) },
    pulled: team?.pulled,
    pushed: team?.pushed,
    said: team?.trouble?.code,
    perClientCpuSecond: Math.round(team!.pulled / ((user + system) / 1e6)),
  })
  await standby.close()
} finally {
  replica.kill('SIGQUIT')
  await hub.end()
}

async function reached<T>(tryOnce: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await tryOnce()
    } catch (error) {
      if (tries === 400) throw error
      await sleep(25)
    }
  }
}
