import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { appendMessage, writeCorpus } from '../bench/corpus.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { claudeCode } from '../src/sources/claude-code/index.ts'
import { copilotCli } from '../src/sources/copilot-cli/index.ts'
import { vscode } from '../src/sources/vscode/index.ts'
import { syncOnce } from '../src/sync/once.ts'
import { contentOf } from './archive-content.ts'
import { diskLayer, stopDisk } from './disk/layer.ts'

const MESSAGES = 120
/** So many messages are written at once, so that a sync has twenty writes to be killed in. */
const PIECE = 6
/** After so many kills of a round a chat grows. */
const GROWS_AT = 3
/**
 * What a kill leaves is what is in the files at that moment, and that changes with each call of the disk. So a process is
 * stopped in front of one of these, its files are copied, and it goes on to another one, until it is killed in earnest:
 * one start for many kills, at points that do not depend on how busy the machine is, and each of them is looked at.
 */
const POINTS = 40

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kill-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
const home = path.join(temp, 'home')
const SCRIPT = path.join(import.meta.dirname, 'sync-process.ts')
/** Where there is none, a process is killed after some time, once. */
const layer = diskLayer(temp)
/** Each of these takes a start of its own without the layer. */
const KILLS = typeof layer === 'string' ? 50 : 200
const archives = typeof layer === 'string' ? path.join(temp, 'disk') : layer.DISK_UNDER!

test(`a sync killed ${KILLS} times at random points ends with the archive of an undisturbed one`, async () => {
  writeCorpus(home, { messages: MESSAGES, seed: 7 })
  const chat = growingChat()
  chat.grow()
  const { calls, ms, ...expected } = await undisturbed()
  const random = numbers(42)
  const kills = { all: 0, inWrite: 0, betweenWrites: 0, again: 0 }
  /** What a kill of the round before left. */
  const begun = path.join(archives, 'begun')
  for (let round = 0; kills.all < KILLS; round++) {
    const folder = path.join(archives, `round-${round}`)
    // Every second goes on with what a kill of the one before it left, and is killed again.
    const isAgain = round % 2 === 1 && fs.existsSync(begun)
    if (isAgain) fs.renameSync(begun, folder)
    else chat.shrink()
    // Now and then all at once, as a sync of so little would really write it.
    const most = round % 4 === 2 ? Infinity : PIECE
    // Every third reads in a thread beside the one that writes.
    const sync = start(folder, most, round % 3 === 1 ? 1 : 0)
    const left: string[] = []
    while (left.length < POINTS && (await sync.stopped(random(), { calls, ms }))) {
      kills.all++
      if (isAgain) kills.again++
      const [writing, written] = [sync.count('writing'), sync.count('written')]
      if (writing > written) kills.inWrite++
      else if (written > 0) kills.betweenWrites++
      left.push(`${folder}-${left.length + 1}`)
      fs.cpSync(folder, left.at(-1)!, { recursive: true })
      if (left.length === GROWS_AT) chat.grow()
    }
    await sync.killed()
    chat.grow()
    const next = left[Math.floor(random() * left.length)]
    if (!isAgain && next) fs.cpSync(next, begun, { recursive: true, force: true })
    for (const [at, each] of left.entries()) {
      // What is found is compared three times a round: it takes longer than all the rest.
      await assertResumes(each, expected, at % 16 === round % 16, path.basename(each))
      fs.rmSync(each, { recursive: true })
    }
    fs.rmSync(folder, { recursive: true, force: true })
  }
  const { all, inWrite, betweenWrites, again } = kills
  // Where time decides, a busy machine may have all of them in front of the first write.
  if (typeof layer !== 'string')
    assert.ok(inWrite >= all / 5 && betweenWrites >= all / 20 && again >= all / 5, JSON.stringify(kills))
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

/** By the same process, which ends by itself: its code is kept compiled then, and not compiled again for each kill. */
async function undisturbed() {
  const folder = path.join(archives, 'undisturbed')
  const began = performance.now()
  const sync = start(folder, PIECE, 1, 0)
  await sync.ended
  const ms = performance.now() - began
  const calls = typeof layer === 'string' ? 0 : stopDisk(layer, 0)
  const archive = openSqliteArchive(folder)
  const content = { whole: await contentOf(archive), unsearched: await contentOf(archive, { search: false }) }
  await archive.close()
  return { ...content, calls, ms }
}

interface Sync {
  ended: Promise<unknown>
  /** How often it said so. */
  count(what: string): number
  /** Lets it go on and stops it at a random point; false where it has ended by itself. */
  stopped(random: number, whole: { calls: number; ms: number }): Promise<boolean>
  killed(): Promise<unknown>
}

/** It stops in front of its nth call of the disk, where that is not 0. */
function start(folder: string, most: number, threads: number, nth = 1): Sync {
  const words = path.join(temp, 'said')
  const out = fs.openSync(words, 'w')
  const more = typeof layer === 'string' ? {} : layer
  if (typeof layer !== 'string') {
    fs.writeFileSync(layer.DISK_STATE!, Buffer.alloc(4096))
    stopDisk(layer, nth)
  }
  const child = spawn(process.execPath, [SCRIPT, home, folder, String(most), String(threads)], {
    stdio: ['ignore', out, 'inherit'],
    env: { NODE_COMPILE_CACHE: path.join(temp, 'compiled'), ...process.env, ...more },
  })
  fs.closeSync(out)
  const ended = once(child, 'close').then(([code, signal]) => {
    assert.ok(code === 0 || signal === 'SIGKILL', `ended with ${code ?? signal}`)
  })
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const halted = async () => {
    while (!isOver() && !isStopped(child.pid!)) await sleep(1)
  }
  const killed = async () => {
    child.kill('SIGKILL')
    await ended
    return child.signalCode === 'SIGKILL'
  }
  return {
    ended,
    count: (what) =>
      fs
        .readFileSync(words, 'utf8')
        .split('\n')
        .filter((each) => each === what).length,
    async stopped(random, { calls, ms }) {
      if (typeof layer === 'string') {
        await Promise.race([sleep(random * ms), ended])
        // It may have been killed before it made anything.
        fs.mkdirSync(folder, { recursive: true })
        return !isOver() && (await killed())
      }
      await halted()
      stopDisk(layer, 1 + Math.floor(random * 2 * (calls / POINTS)))
      child.kill('SIGCONT')
      await halted()
      return !isOver()
    },
    killed,
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
