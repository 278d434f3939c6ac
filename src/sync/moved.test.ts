import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { sources } from '../sources/index.ts'
import { machineAt } from '../sources/test-kit.ts'
import { Syncer } from './sync.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-moved-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
let folders = 0

const CODEX = sources.filter(({ id }) => id === 'codex')
const ID = '019a4b20-0000-7000-8000-0000000000e1'
const NAME = `rollout-2026-11-15T02-00-00-${ID}.jsonl`
const ARCHIVED = `.codex/archived_sessions/${NAME}`
const OPEN = `.codex/sessions/2026/11/15/${NAME}`

function line(type: string, payload: object, second: number): string {
  const timestamp = new Date(Date.UTC(2026, 10, 15, 2, 0, second)).toISOString()
  return `${JSON.stringify({ timestamp, type, payload })}\n`
}

function turn(words: string, second: number): string {
  const said = (role: string, type: string, text: string) =>
    line('response_item', { type: 'message', role, content: [{ type, text }] }, second)
  return [
    said('user', 'input_text', words),
    line('event_msg', { type: 'user_message', message: words }, second),
    said('assistant', 'output_text', `${words}: done`),
    line('event_msg', { type: 'task_complete' }, second),
  ].join('')
}

const SESSION = line('session_meta', { id: ID, cwd: '/home/me/shop', cli_version: '0.160.0' }, 0)
const BEGUN = SESSION + turn('first', 1) + turn('second', 2)
const WENT_BACK = line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }, 3) + turn('third', 4)

/** What is archived after a sync behind each step, and which files are known. */
async function archived(steps: ((home: string) => void)[]) {
  const home = path.join(temp, String(++folders))
  const archive = openSqliteArchive(path.join(home, 'archive'))
  try {
    const lease = await archive.takeLease('test')
    assert.ok('holder' in lease)
    const syncer = new Syncer({ archive, sources: CODEX, machine: machineAt(home) }, lease)
    for (const step of steps) {
      step(home)
      await syncer.syncAll()
    }
    const chats = await archive.listChats({}, { limit: 10 })
    const messages = await Promise.all(chats.map((chat) => archive.messages(chat)))
    const files = [...(await archive.unitStamps('codex')).keys()]
    return {
      requests: messages
        .flat()
        .filter(({ kind }) => kind === 'request')
        .map(({ text, undone }) => [text, undone ?? false]),
      files: files.map((file) => path.relative(home, file).replaceAll(path.sep, '/')),
      problems: await archive.check(),
    }
  } finally {
    await archive.close()
  }
}

function put(home: string, file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
  fs.appendFileSync(path.join(home, file), text)
}

const moves: Record<string, (from: string, to: string) => void> = {
  moved: fs.renameSync,
  'copied and removed': (from, to) => {
    fs.copyFileSync(from, to)
    fs.rmSync(from)
  },
}

for (const [how, move] of Object.entries(moves))
  for (const [from, to] of [
    [ARCHIVED, OPEN],
    [OPEN, ARCHIVED],
  ] as const)
    test(`what is taken back in a session that was ${how} to ${path.posix.dirname(to)} is undone`, async () => {
      const { requests, files, problems } = await archived([
        (home) => put(home, from, BEGUN),
        (home) => {
          put(home, to, '')
          move(path.join(home, from), path.join(home, to))
        },
        (home) => put(home, to, WENT_BACK),
      ])
      assert.deepEqual(requests, [
        ['first', false],
        ['second', true],
        ['third', false],
      ])
      assert.deepEqual(files, [to])
      assert.deepEqual(problems, [])
    })

test('a file that is still there, and one that says something else, is not taken for moved', async () => {
  const copied = await archived([(home) => put(home, ARCHIVED, BEGUN), (home) => put(home, OPEN, BEGUN)])
  assert.deepEqual(copied.files, [ARCHIVED, OPEN])
  const other = await archived([
    (home) => put(home, ARCHIVED, BEGUN),
    (home) => {
      fs.rmSync(path.join(home, ARCHIVED))
      put(home, OPEN, SESSION + turn('other', 1) + turn('words, and more of them', 2) + turn('third', 4))
    },
  ])
  assert.deepEqual(other.files, [ARCHIVED, OPEN])
})

const AIDER = sources.filter(({ id }) => id === 'aider')

for (const [how, move] of Object.entries(moves))
  test(`runs of Aider in a folder that was ${how} are told once, and are of the folder that it is now`, async () => {
    const home = path.join(temp, String(++folders))
    const archive = openSqliteArchive(path.join(home, 'archive'))
    try {
      const lease = await archive.takeLease('test')
      assert.ok('holder' in lease)
      const syncer = new Syncer({ archive, sources: AIDER, machine: machineAt(home) }, lease)
      const run = (at: string, words: string) =>
        `\n# aider chat started at 2026-06-09 ${at}\n\n#### ${words}  \n\n${words}: done\n`
      const file = (project: string) => path.join(project, '.aider.chat.history.md')
      put(home, file('code/shop'), run('14:01:00', 'first') + run('15:00:00', 'second'))
      await syncer.syncAll()
      const before = await archive.listChats({}, { limit: 10 })
      put(home, file('code/store'), '')
      move(path.join(home, file('code/shop')), path.join(home, file('code/store')))
      await syncer.syncAll()
      put(home, file('code/store'), '\n#### and more  \n\nmore: done\n')
      await syncer.syncAll()
      put(home, file('code/store'), run('16:00:00', 'third'))
      await syncer.syncAll()
      const chats = await archive.listChats({}, { limit: 10 })
      assert.deepEqual(
        chats.map(({ id }) => id).slice(1),
        before.map(({ id }) => id),
      )
      assert.deepEqual(
        new Set(chats.map(({ workspace }) => workspace)),
        new Set([path.join(home, 'code/store')]),
      )
      const messages = await Promise.all(chats.toReversed().map((chat) => archive.messages(chat)))
      assert.deepEqual(
        messages.flat().map(({ text, undone }) => [text, undone ?? false]),
        [
          ...['first', 'first: done', 'second', 'second: done'],
          ...['and more', 'more: done', 'third', 'third: done'],
        ].map((text) => [text, false]),
      )
    } finally {
      await archive.close()
    }
  })

test('runs of Aider in a moved folder stay as they were where one of them was forgotten', async () => {
  const home = path.join(temp, String(++folders))
  const archive = openSqliteArchive(path.join(home, 'archive'))
  try {
    const lease = await archive.takeLease('test')
    assert.ok('holder' in lease)
    const syncer = new Syncer({ archive, sources: AIDER, machine: machineAt(home) }, lease)
    const run = (at: string, words: string) =>
      `\n# aider chat started at 2026-06-09 ${at}\n\n#### ${words}  \n\n${words}: done\n`
    const file = (project: string) => path.join(home, project, '.aider.chat.history.md')
    put(home, 'shop/.aider.chat.history.md', run('14:01:00', 'first') + run('15:00:00', 'second'))
    await syncer.syncAll()
    const [second, first] = await archive.listChats({}, { limit: 10 })
    await archive.forget([first!])
    await syncer.syncAll()
    put(home, 'store/.aider.chat.history.md', '')
    fs.renameSync(file('shop'), file('store'))
    await syncer.syncAll()
    const chats = await archive.listChats({}, { limit: 10 })
    assert.ok(chats.some(({ id }) => id === second!.id))
    const messages = await Promise.all(chats.map((chat) => archive.messages(chat)))
    assert.ok(messages.flat().every(({ text, undone }) => text.startsWith('second') && !undone))
  } finally {
    await archive.close()
  }
})
