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
const MESSAGES = 120
/** So many messages are written at once, so that a sync has twenty writes to be killed in. */
const PIECE = 6
/** After so many kills of a round a chat grows. */
const GROWS_AT = 3
/**
 * What a kill leaves is what is in the files at that moment. So a process is stopped at a random point, its files are
 * copied, and it goes on to the next point, until it is killed in earnest: one start for many kills, and each of them is
 * looked at. Where processes cannot be stopped, each is killed at its first point.
 */
const POINTS = process.platform === 'linux' ? 16 : 1

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
  const kills = { all: 0, inWrite: 0, betweenWrites: 0, again: 0 }
  let left: string[] = []
  for (let round = 0; kills.all < KILLS; round++) {
    const folder = path.join(temp, `round-${round}`)
    // Every second goes on with what a kill of the one before it left, and is killed again.
    const begun = round % 2 === 1 ? left[Math.floor(random() * left.length)] : undefined
    if (begun) fs.cpSync(begun, folder, { recursive: true })
    else chat.shrink()
    for (const each of left) fs.rmSync(each, { recursive: true })
    left = []
    // Now and then all at once, as a sync of so little would really write it.
    const most = round % 4 === 2 ? Infinity : PIECE
    // Every third reads in a thread beside the one that writes.
    const sync = start(folder, most, round % 3 === 1 ? 1 : 0)
    for (let point = 1; point <= POINTS; point++) {
      if (point === GROWS_AT) chat.grow()
      await sync.reach(Math.floor(random() * 3), random())
      if (!(await sync.halt(point === POINTS))) break
      kills.all++
      if (begun) kills.again++
      if (sync.count('writing') > sync.count('written')) kills.inWrite++
      else if (sync.count('written') > 0) kills.betweenWrites++
      left.push(`${folder}-${point}`)
      fs.cpSync(folder, left.at(-1)!, { recursive: true })
      if (point < POINTS) sync.goOn()
    }
    sync.child.kill('SIGKILL')
    await sync.ended
    chat.grow()
    for (const [at, each] of left.entries()) {
      const after = path.join(temp, 'after')
      fs.cpSync(each, after, { recursive: true })
      // What is found is compared once a round: it takes longer than all the rest.
      await assertResumes(after, expected, at === round % left.length, path.basename(each))
      fs.rmSync(after, { recursive: true })
    }
    fs.rmSync(folder, { recursive: true, force: true })
  }
  const { all, inWrite, betweenWrites, again } = kills
  assert.ok(
    inWrite >= all / 5 && betweenWrites >= all / 20 && (again >= all / 5 || POINTS === 1),
    JSON.stringify(kills),
  )
})

/** What a killed sync left is sound, and the next one makes of it what there should be. */
async function assertResumes(
  folder: string,
  expected: { whole: unknown; unsearched: unknown },
  search: boolean,
  what: string,
): Promise<void> {
  const archive = openSqliteArchive(folder)
  try {
    assert.deepEqual(await archive.check(), [], what)
    const sources = [claudeCode, copilotCli, vscode]
    const result = await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
    assert.ok('read' in result, what)
    assert.deepEqual(await archive.check(), [], what)
    assert.deepEqual(
      await contentOf(archive, { search }),
      search ? expected.whole : expected.unsearched,
      what,
    )
  } finally {
    await archive.close()
  }
}

/** A chat to which something is said while syncs are killed. */
function growingChat(): { grow(): void; shrink(): void } {
  const folder = path.join(home, '.claude', 'projects')
  const [project] = fs.readdirSync(folder)
  const [name] = fs.readdirSync(path.join(folder, project!)).filter((each) => each.endsWith('.jsonl'))
  const file = path.join(folder, project!, name!)
  const before = fs.readFileSync(file)
  appendMessage(home, file)
  const more = fs.readFileSync(file).subarray(before.length)
  fs.truncateSync(file, before.length)
  return {
    grow() {
      if (fs.statSync(file).size === before.length) fs.appendFileSync(file, more)
    },
    shrink: () => fs.truncateSync(file, before.length),
  }
}

async function undisturbed(): Promise<{ whole: unknown; unsearched: unknown }> {
  const archive = openSqliteArchive(path.join(temp, 'undisturbed'))
  const sources = [claudeCode, copilotCli, vscode]
  await syncOnce({ archive, sources, machine: { platform: 'linux', home, env: {} } })
  const content = { whole: await contentOf(archive), unsearched: await contentOf(archive, { search: false }) }
  await archive.close()
  return content
}

interface Sync {
  child: ChildProcess
  ended: Promise<unknown>
  /** How often it said so. */
  count(what: string): number
  /** Waits until some time after it began the nth write from now; at 0, after it began at all. */
  reach(nth: number, time: number): Promise<void>
  /** Stops it where it is, for good or for a while; false where it has ended by itself. */
  halt(forGood: boolean): Promise<boolean>
  goOn(): void
}

/** How long a write takes here, and now. */
let writeMs = 6

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
    else if (since > 0) writeMs = Math.min(100, (3 * writeMs + performance.now() - since) / 4)
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
    async reach(nth, time) {
      const wanted = count('writing') + nth
      const isTime = () => said.length > 0 && count('writing') >= wanted
      while (!isTime() && !isOver()) await once(told, 'more')
      await sleep(time * 1.5 * writeMs)
    },
    async halt(forGood) {
      // How long it is stopped is not how long it writes.
      since = 0
      child.kill(forGood ? 'SIGKILL' : 'SIGSTOP')
      if (forGood) {
        await ended
        return child.signalCode === 'SIGKILL'
      }
      while (!isOver() && !isStopped(child.pid!)) await sleep(1)
      return !isOver()
    },
    goOn: () => child.kill('SIGCONT'),
  }
}

/** All of its threads: until then one may be writing. */
function isStopped(pid: number): boolean {
  try {
    return fs
      .readdirSync(`/proc/${pid}/task`)
      .every((thread) => /\) [Tt] /.test(fs.readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')))
  } catch {
    return false
  }
}

function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
