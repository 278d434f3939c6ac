import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { appendMessage, writeCorpus } from '../bench/corpus.ts'
import type { Archive } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { sources } from '../src/sources/index.ts'
import type { Source } from '../src/sources/source.ts'
import { syncOnce } from '../src/sync/once.ts'
import type { Progress, SyncOptions, SyncResult } from '../src/sync/sync.ts'
import { watch } from '../src/sync/watch.ts'
import { contentOf } from './archive-content.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-threads-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
const home = path.join(temp, 'home')
writeCorpus(home, { messages: 6_000, seed: 11 })
const machine = { platform: 'linux' as const, home, env: {} }
const [claudeFile] = fs
  .globSync('.claude/projects/*/*.jsonl', { cwd: home })
  .map((file) => path.join(home, file))
  .sort()

/** Syncs once and gives the archive back, open. */
async function synced(
  name: string,
  options: Partial<SyncOptions>,
): Promise<{ archive: Archive; result: SyncResult }> {
  const archive = openSqliteArchive(path.join(temp, name))
  const result = await syncOnce({ archive, sources, machine, ...options })
  assert.ok('read' in result)
  return { archive, result }
}

test('an archive holds the same whatever the number of threads that read, also of what is appended', async () => {
  const contents: unknown[] = []
  const counts: unknown[] = []
  for (const threads of [0, 1, 2]) {
    const { archive, result } = await synced(`with-${threads}`, { threads })
    counts.push({ ...result, chats: result.chats.size })
    contents.push(await contentOf(archive))
    assert.deepEqual(await archive.check({ deep: true }), [])
    await archive.close()
  }
  assert.deepEqual(counts[1], counts[0])
  assert.deepEqual(counts[2], counts[0])
  assert.deepEqual(contents[1], contents[0])
  assert.deepEqual(contents[2], contents[0])

  for (let n = 0; n < 3; n++) appendMessage(home, claudeFile!)
  const added: number[] = []
  for (const threads of [0, 2]) {
    const { archive, result } = await synced(`with-${threads}`, { threads })
    added.push(result.added)
    contents.push(await contentOf(archive))
    await archive.close()
  }
  assert.deepEqual(added, [3, 3])
  assert.deepEqual(contents.at(-1), contents.at(-2))
})

test('progress grows to the end, and what is interrupted goes on from there', async () => {
  const told: Progress[] = []
  const stop = new AbortController()
  const first = await synced('interrupted', {
    threads: 2,
    signal: stop.signal,
    onProgress: (progress) => {
      told.push(progress)
      stop.abort()
    },
  })
  assert.equal(first.result.interrupted, true)
  assert.ok(first.result.added > 0 && first.result.added < 5_000, `${first.result.added} messages`)
  await first.archive.close()

  const { archive, result } = await synced('interrupted', {
    threads: 2,
    onProgress: (progress) => told.push(progress),
  })
  assert.equal(result.interrupted, false)
  const last = told.at(-1)!
  assert.deepEqual([last.unitsDone, last.bytesDone], [last.units, last.bytes])
  const { archive: whole } = await synced('undisturbed', { threads: 0 })
  assert.deepEqual(await contentOf(archive), await contentOf(whole))
  await archive.close()
  await whole.close()
})

test('what a thread cannot read is read without it', async () => {
  const place = path.join(home, 'unheard-of')
  fs.mkdirSync(place)
  for (const name of ['a', 'b']) fs.writeFileSync(path.join(place, `${name}.txt`), `said in ${name}`)
  // Threads know the sources of the product: one of another maker ends them.
  const other: Source = {
    ...sources[0]!,
    id: 'unheard-of',
    name: 'Unheard of',
    roots: () => [{ path: place }],
    enters: () => false,
    unit: (file) => ({ path: path.join(place, file), growth: 'whole' }),
    reader: async () => ({
      *read({ path: file }) {
        const id = path.basename(file)
        yield { chat: { source: 'unheard-of', id } }
        const text = fs.readFileSync(file, 'utf8')
        yield { chatId: id, message: { id: '1', order: 1, role: 'user', kind: 'request', text } }
      },
    }),
  }
  const { archive, result } = await synced('other', { threads: 1, sources: [...sources, other] })
  assert.equal(result.interrupted, false)
  const chats = await archive.listChats({ source: 'unheard-of' })
  assert.deepEqual(chats.map(({ id }) => id).sort(), ['a.txt', 'b.txt'])
  const { archive: whole } = await synced('without', { threads: 0, sources: [...sources, other] })
  assert.deepEqual(await contentOf(archive), await contentOf(whole))
  await archive.close()
  await whole.close()
})

test('what is said while a long sync runs is archived before its end', async () => {
  for (const threads of [0, 1]) {
    const written: string[] = []
    const said = path.join(path.dirname(claudeFile!), `said-${threads}.jsonl`)
    const archive = noting(openSqliteArchive(path.join(temp, `meanwhile-${threads}`)), written, () =>
      heardOf(said, () => {
        fs.copyFileSync(claudeFile!, said)
        appendMessage(home, said)
      }),
    )
    const stop = new AbortController()
    const options = { archive, sources, machine, threads, signal: stop.signal }
    await watch({ ...options, onSynced: () => stop.abort() })
    const place = written.indexOf(said)
    assert.ok(place > 0 && place < written.length - 5, `${place} of ${written.length}`)
    await archive.close()
  }
})

test('a file that is written to before its turn in a long sync is read at once, and once', async () => {
  const order: string[] = []
  const whole = noting(openSqliteArchive(path.join(temp, 'in-turn')), order)
  await syncOnce({ archive: whole, sources, machine, threads: 0 })
  const last = order.findLast((file) => file.startsWith(path.join(home, '.claude')))!
  for (const threads of [0, 1]) {
    const written: string[] = []
    const archive = noting(openSqliteArchive(path.join(temp, `overtaken-${threads}`)), written, () =>
      heardOf(last, () => appendMessage(home, last)),
    )
    const stop = new AbortController()
    const told: Progress[] = []
    await watch({
      ...{ archive, sources, machine, threads, signal: stop.signal },
      onProgress: (progress) => told.push(progress),
      onSynced: () => stop.abort(),
    })
    const place = written.indexOf(last)
    assert.ok(place > 0 && place < written.length - 5, `${place} of ${written.length}`)
    assert.equal(written.lastIndexOf(last), place)
    assert.deepEqual([told.at(-1)!.unitsDone, told.at(-1)!.bytesDone], [told[0]!.units, told[0]!.bytes])
    await syncOnce({ archive: whole, sources, machine, threads: 0 })
    assert.deepEqual(await contentOf(archive), await contentOf(whole))
    await archive.close()
  }
  await whole.close()
})

/** Notes the files of which something is written; the first time, does something before. */
function noting(archive: Archive, written: string[], first: () => Promise<void> = async () => {}): Archive {
  const { write, writeParcel } = archive
  let before: Promise<void> | undefined
  archive.write = async (readings, lease) => {
    before ??= first()
    await before
    written.push(...readings.map((reading) => reading.path))
    return await write(readings, lease)
  }
  archive.writeParcel = async (parcel, lease) => {
    before ??= first()
    await before
    written.push(...parcel.readings.map((reading) => reading.path))
    return await writeParcel(parcel, lease)
  }
  return archive
}

/** Touches a file and waits until everybody in this process who watches its folder has heard of it. */
async function heardOf(file: string, touch: () => void): Promise<void> {
  const heard = new AbortController()
  const watcher = fs.watch(path.dirname(file), (_, name) => {
    if (name === path.basename(file)) heard.abort()
  })
  touch()
  if (!heard.signal.aborted) await once(heard.signal, 'abort')
  // Watchers of one folder are called one after the other.
  await setImmediate()
  watcher.close()
}
