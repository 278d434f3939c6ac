/**
 * What servers cost that nobody asks anything: `node bench/idle.ts [--servers 4] [--seconds 60] [--messages 3000] [--keep FOLDER]`.
 * Several on one archive, of which one keeps it up to date. CPU time of all their threads and processes, as a share of one core. First until
 * all chats were looked through for secrets, which happens once after they came.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { built } from './built.ts'
import { writeCorpus } from './corpus.ts'
import { type Running, started } from './mcp-process.ts'

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '60' },
    messages: { type: 'string', default: '3000' },
    keep: { type: 'string' },
  },
})
/** Until what is done in the first minute after a start is over. */
const SETTLE_MS = 70_000

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-idle-'))
try {
  const bin = built(path.join(temp, 'package'))
  const home = path.join(values.keep ?? temp, `home-${values.messages}`)
  if (!fs.existsSync(home)) writeCorpus(home, { messages: Number(values.messages) })
  const archive = path.join(temp, 'archive')
  const kept = values.keep && path.join(values.keep, `archive-${values.messages}`)
  if (kept && fs.existsSync(kept)) fs.cpSync(kept, archive, { recursive: true })
  const env = { PATH: process.env.PATH ?? '', HOME: home, RECOLLECT_HOME: archive }
  execFileSync(process.execPath, [bin, 'sync'], { env, stdio: 'ignore' })
  const servers = Array.from({ length: Number(values.servers) }, () => started(bin, env))
  for (const server of servers) {
    await server.greet()
    await server.call('search_conversations', { query: 'deadlock' })
  }
  await sleep(SETTLE_MS)
  await lookedThrough(servers)
  const before = servers.map((server) => server.cpuMs())
  await sleep(Number(values.seconds) * 1000)
  const shares = servers.map((server, at) => (server.cpuMs() - before[at]!) / Number(values.seconds) / 10)
  const memory = servers.map((server) => {
    const { processes, ownMB } = server.beside()
    const beside = processes > 0 ? `, ${processes} beside it ${ownMB.toFixed(0)}` : ''
    return `${server.rssMB().toFixed(0)} (own ${server.ownMB().toFixed(0)}${beside})`
  })
  console.log(`CPU of each while idle, % of a core: ${shares.map((share) => share.toFixed(2)).join(', ')}`)
  console.log(`all together: ${shares.reduce((sum, share) => sum + share, 0).toFixed(2)} %`)
  console.log(`memory of each, MB: ${memory.join(', ')}`)
  await Promise.all(servers.map((server) => server.end()))

  /** The thread that syncs does it, a little at a time. */
  async function lookedThrough(all: Running[]): Promise<void> {
    const db = new DatabaseSync(path.join(archive, 'archive.db'), { readOnly: true })
    const left = () => Number(db.prepare('SELECT count(*) AS n FROM secret_todo').get()!.n)
    const spent = () => all.reduce((sum, server) => sum + server.cpuMs(), 0)
    const [began, cpu, chats] = [performance.now(), spent(), left()]
    while (left() > 0) await sleep(500)
    db.close()
    const seconds = (performance.now() - began) / 1000
    const share = (spent() - cpu) / seconds / 10
    console.log(`${chats} chats looked through in ${seconds.toFixed(0)} s, ${share.toFixed(1)} % of a core`)
  }
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}
