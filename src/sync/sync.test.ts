import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { jsonLines } from '../sources/lines.ts'
import type { Found, Source } from '../sources/source.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from './once.ts'
import { Syncer, type SyncResult } from './sync.ts'
import { watch } from './watch.ts'

const folders: string[] = []
/** Well below the minute after which a watcher looks at everything anyway. */
const PATIENCE_MS = 40_000
let home: string
let archive: Archive
/** What the source was asked to read, as `file@offset`. */
let asked: string[]

/** A chat is a file; a line is `{"id", "text"}`; `!` throws, as a reader with a fault would. */
const lineSource: Source = {
  id: 'lines',
  name: 'Lines',
  evidence: 'seen',
  badge: { letters: 'Li', colour: 'grey' },
  survey: async () => ({ survey: { used: new Set(), ignored: new Set(), records: () => [] } }),
  roots: (machine) => [{ path: path.join(machine.home, 'chats') }],
  enters: (folder) => folder !== 'private',
  unit: (file, root) =>
    file.endsWith('.jsonl') ? { path: path.join(root.path, file), growth: 'append' } : undefined,
  reader: async () => ({
    *read(unit, from): Generator<Found> {
      const name = path.basename(unit.path, '.jsonl')
      asked.push(`${name}@${from?.offset ?? 'start'}`)
      yield { chat: { source: 'lines', id: name, workspace: '/home/me/proj' } }
      let offset = from?.offset ?? 0
      for (const line of jsonLines(unit.path, { from: offset })) {
        offset = line.end
        if (line.problem) {
          yield { problem: line.problem }
          continue
        }
        const { id, text } = line.value as { id: string; text: string }
        if (text === '!') throw new Error('a fault in the reader')
        yield {
          chatId: name,
          message: {
            id,
            order: line.offset,
            role: 'user',
            kind: 'request',
            text,
            createdAt: 1_750_000_000_000,
          },
        }
        yield { checkpoint: { offset } }
      }
      yield { checkpoint: { offset } }
    },
  }),
}

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-sync-'))
  folders.push(home)
  fs.mkdirSync(path.join(home, 'chats'))
  archive = openSqliteArchive(path.join(home, 'archive'))
  asked = []
})
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

const chatFile = (name: string) => path.join(home, 'chats', `${name}.jsonl`)
const line = (id: string, text: string) => `${JSON.stringify({ id, text })}\n`
const options = () => ({ archive, sources: [lineSource], machine: machineAt(home) })
const sync = async () => (await syncOnce(options())) as SyncResult

async function texts(chat: string): Promise<string[]> {
  return (await archive.messages(await archive.resolveChat(chat))).map(
    (each) => each.text + (each.undone ? ' (undone)' : ''),
  )
}

test('an unchanged file is not read again', async () => {
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  assert.equal((await sync()).added, 1)
  const again = await sync()
  assert.deepEqual([again.read, again.unchanged, asked.length], [0, 1, 1])
})

test('a file that grew is read from where the last reading ended', async () => {
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  await sync()
  fs.appendFileSync(chatFile('chat1'), line('b', 'two'))
  await sync()
  assert.deepEqual(asked, ['chat1@start', `chat1@${line('a', 'one').length}`])
  assert.deepEqual(await texts('chat1'), ['one', 'two'])
})

test('half a line is read when its other half is there', async () => {
  const [whole, next] = [line('a', 'one'), line('b', 'two')]
  fs.writeFileSync(chatFile('chat1'), whole + next.slice(0, 7))
  await sync()
  assert.deepEqual(await texts('chat1'), ['one'])
  fs.appendFileSync(chatFile('chat1'), next.slice(7))
  await sync()
  assert.deepEqual(await texts('chat1'), ['one', 'two'])
  assert.deepEqual(await archive.problems(), [])
})

const rewrites: [name: string, content: string][] = [
  ['shorter', line('a', 'one')],
  [
    'longer, with another beginning',
    line('x', 'zero') + line('a', 'one') + line('c', 'three') + line('d', 'four'),
  ],
  [
    'longer, with the same beginning',
    line('a', 'one') + line('c', 'three and more words than before') + line('d', 'four'),
  ],
  ['of the same length', line('a', 'one') + line('c', 'two')],
]
for (const [name, content] of rewrites) {
  test(`a file that was rewritten ${name} is read anew; what it no longer holds is kept as undone`, async () => {
    fs.writeFileSync(chatFile('chat1'), line('a', 'one') + line('b', 'two'))
    await sync()
    await sleep(5)
    fs.writeFileSync(chatFile('chat1'), content)
    await sync()
    assert.equal(asked.at(-1), 'chat1@start')
    assert.ok((await texts('chat1')).includes('two (undone)'))
    assert.ok((await texts('chat1')).includes('one'))
  })
}

test('a file that was emptied takes nothing back', async () => {
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  await sync()
  fs.writeFileSync(chatFile('chat1'), '')
  await sync()
  assert.equal(asked.at(-1), 'chat1@start')
  assert.deepEqual(await texts('chat1'), ['one'])
})

test('a file that is gone leaves its chat in the archive', async () => {
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  await sync()
  fs.rmSync(chatFile('chat1'))
  await sync()
  assert.deepEqual(await texts('chat1'), ['one'])
})

test('a bad record is skipped and told with its place; the others and the other files are read', async () => {
  fs.writeFileSync(chatFile('chat1'), `${line('a', 'one')}{bad\n${line('b', 'two')}`)
  fs.writeFileSync(chatFile('chat2'), line('c', 'three') + line('d', '!'))
  fs.writeFileSync(chatFile('chat3'), line('e', 'five'))
  await sync()
  assert.deepEqual(await texts('chat1'), ['one', 'two'])
  assert.deepEqual(await texts('chat3'), ['five'])
  const problems = (await archive.problems()).map(({ path: file, offset, reason }) => [
    path.basename(file),
    offset,
    reason,
  ])
  assert.deepEqual(problems, [
    ['chat1.jsonl', line('a', 'one').length, 'not valid JSON'],
    ['chat2.jsonl', undefined, 'could not be read: a fault in the reader'],
  ])
})

test('problems of a file are void once it is read anew', async () => {
  fs.writeFileSync(chatFile('chat1'), `{bad\n${line('b', 'two')}`)
  await sync()
  fs.writeFileSync(chatFile('chat1'), line('b', 'two'))
  await sync()
  assert.deepEqual(await archive.problems(), [])
})

test('folders that a source does not enter are left alone, and links that go in circles end', async () => {
  fs.mkdirSync(path.join(home, 'chats', 'private'))
  fs.writeFileSync(path.join(home, 'chats', 'private', 'chat9.jsonl'), line('a', 'secret'))
  fs.symlinkSync(path.join(home, 'chats'), path.join(home, 'chats', 'round'), 'junction')
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  await sync()
  assert.deepEqual(
    (await archive.listChats({})).map((chat) => chat.id),
    ['chat1'],
  )
})

test('the files of an assistant are not touched', async () => {
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  const before = fs.statSync(chatFile('chat1'))
  await sync()
  const now = fs.statSync(chatFile('chat1'))
  assert.deepEqual(
    [now.mtimeMs, now.size, fs.readdirSync(path.join(home, 'chats'))],
    [before.mtimeMs, before.size, ['chat1.jsonl']],
  )
})

test('an interrupted sync keeps what it read and goes on from there', async () => {
  for (let i = 0; i < 5; i++)
    fs.writeFileSync(
      chatFile(`chat${i}`),
      Array.from({ length: 3000 }, (_, n) => line(`${i}-${n}`, `text ${n}`)).join(''),
    )
  const controller = new AbortController()
  const interrupted = (await syncOnce({
    ...options(),
    signal: controller.signal,
    onProgress: () => controller.abort(),
  })) as SyncResult
  assert.ok(interrupted.interrupted && interrupted.added > 0 && interrupted.added < 15_000)
  const rest = await sync()
  assert.equal(interrupted.added + rest.added, 15_000)
  assert.equal((await archive.overview()).messages, 15_000)
})

test('watching: what is written is in the archive within a second, also in new folders and new roots', async () => {
  fs.rmSync(path.join(home, 'chats'), { recursive: true })
  const controller = new AbortController()
  const watching = watch({ ...options(), signal: controller.signal })
  const arrives = async (chat: string, count: number): Promise<number> => {
    const began = performance.now()
    for (;;) {
      const read = await texts(chat).catch(() => [])
      if (read.length === count) return performance.now() - began
      assert.ok(performance.now() - began < PATIENCE_MS, `${chat} did not arrive`)
      await sleep(20)
    }
  }
  try {
    await sleep(50)
    fs.mkdirSync(path.join(home, 'chats'))
    fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
    await arrives('chat1', 1)
    fs.appendFileSync(chatFile('chat1'), line('b', 'two'))
    await arrives('chat1', 2)
    fs.mkdirSync(path.join(home, 'chats', 'deep', 'er'), { recursive: true })
    fs.writeFileSync(path.join(home, 'chats', 'deep', 'er', 'chat2.jsonl'), line('c', 'three'))
    await arrives('chat2', 1)
    fs.appendFileSync(path.join(home, 'chats', 'deep', 'er', 'chat2.jsonl'), line('d', 'four'))
    await arrives('chat2', 2)
    assert.deepEqual(
      asked.filter((each) => each.startsWith('chat1')),
      ['chat1@start', `chat1@${line('a', 'one').length}`],
    )
  } finally {
    controller.abort()
    await watching
  }
  assert.ok('holder' in ((await archive.takeLease('after')) as Lease), 'the lease is given back')
})

test('who begins to watch looks at each file once, and misses nothing that is written meanwhile', async () => {
  fs.writeFileSync(chatFile('chat1'), line('a', 'one'))
  fs.writeFileSync(chatFile('chat2'), line('b', 'two'))
  const looks: string[] = []
  let looksBeforeReading: string[] | undefined
  const source: Source = {
    ...lineSource,
    unit(file, root) {
      looks.push(file)
      return lineSource.unit(file, root)
    },
    async reader() {
      const { read } = await lineSource.reader()
      return {
        *read(...given) {
          if (!looksBeforeReading) fs.appendFileSync(chatFile('chat2'), line('c', 'three'))
          looksBeforeReading ??= [...looks].sort()
          yield* read(...given)
        },
      }
    },
  }
  const controller = new AbortController()
  const watching = watch({ ...options(), sources: [source], signal: controller.signal })
  try {
    while ((await texts('chat2').catch(() => [])).length < 2) await sleep(20)
    assert.deepEqual(looksBeforeReading, ['chat1.jsonl', 'chat2.jsonl'])
  } finally {
    controller.abort()
    await watching
  }
})

test('of much to read the files that were written last are read first, and only once', async () => {
  const long = line('a', 'long'.padEnd(1_000_000))
  for (let n = 0; n < 13; n++) fs.writeFileSync(chatFile(`long${n}`), long)
  for (const [n, name] of ['new1', 'new2'].entries()) {
    fs.writeFileSync(chatFile(name), line('a', 'said just now'))
    fs.utimesSync(chatFile(name), 0, Date.now() / 1000 + 10 - n)
  }
  const result = (await syncOnce({ ...options(), threads: 0 })) as SyncResult
  assert.deepEqual(asked.slice(0, 2).sort(), ['new1@start', 'new2@start'])
  assert.deepEqual([result.read, asked.length, new Set(asked).size], [15, 15, 15])
  assert.equal((await sync()).read, 0)
})

test('what is written to while much is read is read once, however often that is told', async () => {
  // So many that their stamps are held.
  for (let n = 0; n < 105; n++) fs.writeFileSync(chatFile(`short${n}`), line('a', 'short'))
  for (let n = 0; n < 8; n++) fs.writeFileSync(chatFile(`long${n}`), line('a', 'long'.padEnd(1_000_000)))
  const lease = (await archive.takeLease('test')) as Lease
  const syncer = new Syncer({ ...options(), threads: 0 }, lease)
  let told = 0
  syncer.urgent = () => {
    told++
    fs.writeFileSync(chatFile('urgent'), line('a', 'said meanwhile'))
    fs.utimesSync(chatFile('urgent'), 1, 1)
    return syncer.look().all.filter(({ unit }) => unit.path === chatFile('urgent'))
  }
  await syncer.syncAll()
  assert.ok(told > 1, 'between batches')
  assert.deepEqual(
    asked.filter((each) => each.startsWith('urgent')),
    ['urgent@start'],
  )
  assert.equal(asked.length, 114)
  await archive.releaseLease(lease)
})

test('a one-time sync beside a watching process does not wait: the archive is in step', async () => {
  const lease = (await archive.takeLease('watch')) as Lease
  const result = await syncOnce(options())
  assert.ok('watchedBy' in result && result.watchedBy.pid === process.pid)
  await archive.releaseLease(lease)
})
