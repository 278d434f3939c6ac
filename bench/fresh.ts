/**
 * How soon a new chat is found: `node bench/fresh.ts [--messages 30000] [--keep FOLDER] [--starts 10] [--checkout]`.
 * A server is started, a chat is written a second later, and searched for until it is there: with an archive that is
 * in step, and with none, while everything is read for the first time; and the memory of a server that had all of it read.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { at, built } from './built.ts'
import { writeCorpus } from './corpus.ts'
import { started } from './mcp-process.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '30000' },
    keep: { type: 'string' },
    starts: { type: 'string', default: '10' },
    /** Run from its sources instead of the package. */
    checkout: { type: 'boolean', default: false },
  },
})
const AFTER_MS = 1_000
const ASK_AGAIN_MS = 10
const PATIENCE_MS = 60_000
const FIRST_SYNCS = 3
const SETTLED_MS = 15_000
const SEARCHES = 20

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-fresh-'))
try {
  const root = path.join(import.meta.dirname, '..')
  const bin = values.checkout ? path.join(root, 'bin', 'recollect') : built(path.join(temp, 'package'))
  const home = path.join(values.keep ?? temp, `home-${values.messages}`)
  if (!fs.existsSync(home)) writeCorpus(home, { messages: Number(values.messages) })
  const archive = path.join(temp, 'archive')
  const env = { PATH: process.env.PATH ?? '', HOME: home, RECOLLECT_HOME: archive }
  const first: number[] = []
  for (let start = 0; start < FIRST_SYNCS; start++) {
    fs.rmSync(archive, { recursive: true, force: true })
    first.push(await found(bin, env))
  }
  fs.rmSync(archive, { recursive: true, force: true })
  const memory = await memoryAfterAll(bin, env)
  execFileSync(process.execPath, [bin, 'sync'], { env, stdio: 'ignore' })
  const inStep: number[] = []
  for (let start = 0; start < Number(values.starts); start++) inStep.push(await found(bin, env))
  const words = (times: number[]) =>
    `median ${Math.round(at(times, 0.5))} ms, longest ${Math.round(Math.max(...times))} ms of ${times.length}`
  console.log(`${os.cpus().length} cores, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`)
  console.log(`a chat written a second after the start of a server, until a search finds it:`)
  console.log(`  the archive in step: ${words(inStep)}`)
  console.log(`  everything is read for the first time: ${words(first)}`)
  console.log(`a server that had everything read: ${memory}`)
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}

async function found(bin: string, env: Record<string, string>): Promise<number> {
  const server = started(bin, env)
  const id = randomUUID()
  const project = path.join(env.HOME ?? '', '.claude', 'projects', '-tmp-fresh')
  try {
    await server.greet()
    await sleep(Math.max(0, AFTER_MS - server.age()))
    const word = `fresh${id.replaceAll('-', '')}`
    fs.mkdirSync(project, { recursive: true })
    fs.writeFileSync(path.join(project, `${id}.jsonl`), `${JSON.stringify(request(id, word))}\n`)
    const began = performance.now()
    // Answers name a chat by the beginning of its id.
    while (!(await server.call('search_conversations', { query: word })).includes(id.slice(0, 8))) {
      if (performance.now() - began > PATIENCE_MS) throw new Error('the chat was not found')
      await sleep(ASK_AGAIN_MS)
    }
    return performance.now() - began
  } finally {
    await server.end()
    fs.rmSync(project, { recursive: true, force: true })
  }
}

/** When the process that reads has ended, and after some searches. */
async function memoryAfterAll(bin: string, env: Record<string, string>): Promise<string> {
  const server = started(bin, env)
  const now = () => `${server.rssMB().toFixed(0)} MB, ${server.ownMB().toFixed(0)} of them its own`
  try {
    await server.greet()
    while (server.beside().processes === 0) await sleep(ASK_AGAIN_MS)
    while (server.beside().processes > 0) await sleep(AFTER_MS)
    await sleep(SETTLED_MS)
    const before = now()
    for (let n = 0; n < SEARCHES; n++)
      await server.call('search_conversations', { query: `deadlock pool ${n}` })
    return `${before}; after ${SEARCHES} searches ${now()}`
  } finally {
    await server.end()
  }
}

function request(sessionId: string, word: string) {
  return {
    ...{
      type: 'user',
      uuid: randomUUID(),
      parentUuid: null,
      sessionId,
      cwd: '/tmp/fresh',
      version: '2.1.325',
    },
    ...{ timestamp: new Date().toISOString(), message: { role: 'user', content: `where is ${word}` } },
  }
}
