import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { appendMessage, writeCorpus } from '../bench/corpus.ts'
import type { Archive } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { searchConversations } from '../src/search/search.ts'

const KILLS = 200
const MESSAGES = 6_000
const SCRIPT = path.join(import.meta.dirname, 'sync-process.ts')

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-kill-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

test(`a sync killed ${KILLS} times at random points ends with the archive of an undisturbed one`, async () => {
  const home = path.join(temp, 'home')
  writeCorpus(home, { messages: MESSAGES, seed: 7 })
  const { claudeFile, lines } = growingFile(home)
  const undisturbed = path.join(temp, 'undisturbed')
  const whole = await timeOf(() => syncProcess(home, undisturbed))
  const random = numbers(42)
  let killed = 0
  for (let round = 0; killed < KILLS; round++) {
    const folder = path.join(temp, `killed-${round}`)
    fs.appendFileSync(claudeFile, lines.shift() ?? '')
    while (killed < KILLS) {
      const child = start(home, folder)
      await once(child.stdout!, 'data')
      await sleep(random() * 0.3 * whole)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      if (child.signalCode !== 'SIGKILL') break
      killed++
    }
    await syncProcess(home, folder)
    await assertSame(folder, undisturbed, home)
    fs.rmSync(folder, { recursive: true })
  }
})

/** A chat that grows while syncs are killed. */
function growingFile(home: string): { claudeFile: string; lines: string[] } {
  const folder = path.join(home, '.claude', 'projects')
  const [project] = fs.readdirSync(folder)
  const [name] = fs.readdirSync(path.join(folder, project!)).filter((each) => each.endsWith('.jsonl'))
  const claudeFile = path.join(folder, project!, name!)
  const lines: string[] = []
  const before = fs.readFileSync(claudeFile, 'utf8')
  let size = before.length
  for (let n = 0; n < 60; n++) {
    appendMessage(home, claudeFile)
    const now = fs.readFileSync(claudeFile, 'utf8')
    lines.push(now.slice(size))
    size = now.length
  }
  fs.writeFileSync(claudeFile, before)
  return { claudeFile, lines }
}

function start(home: string, folder: string): ChildProcess {
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(temp, 'compiled') }
  return spawn(process.execPath, [SCRIPT, home, folder], { stdio: ['ignore', 'pipe', 'inherit'], env })
}

async function syncProcess(home: string, folder: string): Promise<void> {
  const child = start(home, folder)
  child.stdout!.resume()
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
}

async function assertSame(folder: string, undisturbed: string, home: string): Promise<void> {
  await syncProcess(home, undisturbed)
  const [one, other] = [openSqliteArchive(folder), openSqliteArchive(undisturbed)]
  assert.deepEqual(await one.check(), [])
  assert.deepEqual(await contentOf(one), await contentOf(other))
  await one.close()
  await other.close()
}

/** All that a user could see, without numbers that only the archive knows. */
async function contentOf(archive: Archive): Promise<unknown> {
  const chats = await archive.listChats({ subagents: true }, { limit: 1_000_000 })
  const content = []
  for (const chat of chats) {
    const messages = await archive.messages(chat)
    content.push([{ ...chat, key: 0 }, messages.map((message) => ({ ...message, key: 0 }))])
  }
  const searches = []
  for (const query of ['error', 'the function', 'index', 'тест', '配置']) {
    const answer = await searchConversations(archive, { intent_query: query, limit_chats: 50 })
    searches.push([
      query,
      answer.totalFound,
      answer.results.map((result) => [result.chatId, result.hits]).sort(),
    ])
  }
  const { sources, messages, forgotten } = await archive.overview()
  const counts = sources.map(({ lastSyncAt: _, ...source }) => source)
  return {
    chats: content.sort(byId),
    searches,
    counts,
    messages,
    forgotten,
    problems: (await archive.problems()).length,
  }
}

function byId(a: unknown, b: unknown): number {
  const id = (entry: unknown) => (entry as [{ source: string; id: string }])[0]
  return `${id(a).source}${id(a).id}` < `${id(b).source}${id(b).id}` ? -1 : 1
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
