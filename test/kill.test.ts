import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { appendMessage, writeCorpus } from '../bench/corpus.ts'
import { bundled } from '../scripts/bundle.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { claudeCode } from '../src/sources/claude-code/index.ts'
import { copilotCli } from '../src/sources/copilot-cli/index.ts'
import { vscode } from '../src/sources/vscode/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { contentOf } from './archive-content.ts'

const KILLS = 200
const MESSAGES = 400
/** So many messages are written at once, so that a sync has a dozen writes to be killed in. */
const PIECE = 32
/** After so many kills of a round a chat grows. */
const GROWS_AT = 3

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kill-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
const home = path.join(temp, 'home')
/** As it is shipped, in one file: half of the time of a killed sync would be spent loading it. */
const SCRIPT = path.join(temp, 'bundle', 'sync.js')

test(`a sync killed ${KILLS} times at random points ends with the archive of an undisturbed one`, async () => {
  await bundled({ dir: path.dirname(SCRIPT), input: { sync: 'test/sync-process.ts' } })
  writeCorpus(home, { messages: MESSAGES, seed: 7 })
  const chat = growingChat()
  chat.grow()
  const expected = await undisturbed()
  const random = numbers(42)
  let rounds = 0
  let killed = 0
  const kills = { inWrite: 0, betweenWrites: 0 }
  for (; killed < KILLS; rounds++) {
    const folder = path.join(temp, `killed-${rounds}`)
    chat.shrink()
    // Now and then all at once, as a sync of so little would really write it.
    const most = rounds % 4 === 3 ? Infinity : PIECE
    // Every third reads in a thread beside the one that writes.
    const threads = rounds % 3 === 1 ? 1 : 0
    let written = 0
    for (let kill = 0; ; kill++) {
      if (kill === GROWS_AT) chat.grow()
      const sync = start(folder, most, threads)
      if (killed < KILLS) await sync.killAt(Math.floor(random() * 3), random())
      await sync.ended
      written += sync.count('written')
      if (sync.child.signalCode !== 'SIGKILL') break
      killed++
      if (sync.count('writing') > sync.count('written')) kills.inWrite++
      else if (written > 0) kills.betweenWrites++
    }
    if (!chat.isGrown()) {
      chat.grow()
      await start(folder, most, threads).ended
    }
    const archive = openSqliteArchive(folder)
    assert.deepEqual(await archive.check(), [])
    assert.deepEqual(await contentOf(archive), expected)
    await archive.close()
    fs.rmSync(folder, { recursive: true })
  }
  const seen = `${rounds} rounds, ${JSON.stringify(kills)}`
  assert.ok(rounds >= 5 && kills.inWrite >= KILLS / 5 && kills.betweenWrites >= KILLS / 20, seen)
})

/** A chat to which something is said while syncs are killed. */
function growingChat(): { grow(): void; shrink(): void; isGrown(): boolean } {
  const folder = path.join(home, '.claude', 'projects')
  const [project] = fs.readdirSync(folder)
  const [name] = fs.readdirSync(path.join(folder, project!)).filter((each) => each.endsWith('.jsonl'))
  const file = path.join(folder, project!, name!)
  const before = fs.readFileSync(file)
  appendMessage(home, file)
  const more = fs.readFileSync(file).subarray(before.length)
  fs.truncateSync(file, before.length)
  const isGrown = () => fs.statSync(file).size > before.length
  return {
    isGrown,
    grow: () => fs.appendFileSync(file, more),
    shrink: () => fs.truncateSync(file, before.length),
  }
}

async function undisturbed(): Promise<unknown> {
  const archive = openSqliteArchive(path.join(temp, 'undisturbed'))
  const sources = [claudeCode, copilotCli, vscode]
  await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  const content = await contentOf(archive)
  await archive.close()
  return content
}

interface Sync {
  child: ChildProcess
  ended: Promise<unknown>
  /** How often it said so. */
  count(what: string): number
  /** Kills it some time after it began its nth write; at 0, after it began at all. */
  killAt(nth: number, time: number): Promise<void>
}

/** How long a write takes here, and now. */
let writeMs = 20

function start(folder: string, most: number, threads: number): Sync {
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(temp, 'compiled') }
  const child = spawn(process.execPath, [SCRIPT, home, folder, String(most), String(threads)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  })
  const said: string[] = []
  const told = new EventEmitter()
  let since = 0
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said.push(...text.trim().split('\n'))
    if (said.at(-1) === 'writing') since = performance.now()
    else if (since > 0) writeMs = Math.min(2_000, (3 * writeMs + performance.now() - since) / 4)
    told.emit('more')
  })
  const count = (what: string) => said.filter((each) => each === what).length
  const ended = once(child, 'close').then(([code, signal]) => {
    told.emit('more')
    assert.ok(code === 0 || signal === 'SIGKILL', `ended with ${code ?? signal}`)
  })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    ended,
    count,
    async killAt(nth, time) {
      const isTime = () => (nth === 0 ? said.length > 0 : count('writing') >= nth)
      while (!isTime() && !isOver()) await once(told, 'more')
      await sleep(time * 1.5 * writeMs)
      child.kill('SIGKILL')
    },
  }
}

function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
