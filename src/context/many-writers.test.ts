import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFile } from '../platform/lock.ts'
import { appendContext, initContext } from './append.ts'
import { type Entry, entriesIn } from './entry.ts'
import { contextPlace, type Place } from './place.ts'

const PROCESSES = 16
const APPENDS = 100
const WRITER = path.join(import.meta.dirname, 'test-writer.ts')
let base: string

before(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-writers-'))
})
after(() => fs.rmSync(base, { recursive: true, force: true }))

async function workspace(): Promise<Place> {
  const folder = fs.mkdtempSync(path.join(base, 'w-'))
  const place = contextPlace({ workspace: folder, env: {} }, 'WRITE_ERROR')
  await initContext(place, { projectName: 'many' })
  return place
}

interface Writer {
  process: ChildProcess
  /** What it said it has written: title and timestamp. */
  said: () => [title: string, timestamp: string][]
  ended: Promise<unknown>
}

function writer(place: Place, id: string, count = APPENDS): Writer {
  const child = spawn(process.execPath, [WRITER, place.workspace, id, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout!.on('data', (data) => {
    output += data
  })
  const said = () =>
    output
      .slice(0, output.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t') as [string, string])
  return { process: child, said, ended: once(child, 'close') }
}

function entriesOf(place: Place): Entry[] {
  return entriesIn(fs.readFileSync(place.file))
}

function assertWhole(entries: Entry[]): void {
  for (const { title, content } of entries) {
    assert.equal(content, `<${title}>\n## 2020-01-01 00:00 — not an entry\n</${title}>`)
  }
  const stamps = entries.map((entry) => entry.timestamp)
  assert.deepEqual(stamps, stamps.toSorted(), 'entries stand in the order of their times')
}

function assertOwnOrder(entries: Entry[]): void {
  const last = new Map<string, number>()
  for (const { title } of entries) {
    const [id = '', n] = title.split('-')
    assert.ok(Number(n) > (last.get(id) ?? -1), `${title} stands after what the same writer wrote before`)
    last.set(id, Number(n))
  }
}

test(`${PROCESSES} processes append ${APPENDS} entries each at once: none is lost, none torn, all in order`, async () => {
  const place = await workspace()
  const writers = Array.from({ length: PROCESSES }, (_, index) => writer(place, `w${index}`))
  await Promise.all(writers.map((each) => each.ended))
  const entries = entriesOf(place)
  assert.equal(entries.length, PROCESSES * APPENDS)
  assertWhole(entries)
  assertOwnOrder(entries)
  const stampOf = new Map(entries.map((entry) => [entry.title, entry.timestamp]))
  for (const [title, timestamp] of writers.flatMap((each) => each.said()))
    assert.equal(stampOf.get(title), timestamp)
  assert.deepEqual(fs.readdirSync(place.workspace), ['context.md'], 'nothing is left behind')
})

test('writers killed at random lose nothing they said they wrote, and tear nothing', async () => {
  const place = await workspace()
  const all: Writer[] = []
  let kills = 0
  const live = new Set<Writer>()
  const start = () => {
    const each = writer(place, `k${all.length}`, 1_000_000)
    all.push(each)
    live.add(each)
  }
  for (let n = 0; n < 8; n++) start()
  while (kills < 40) {
    await sleep(Math.random() * 40)
    const victims = [...live].filter((each) => each.said().length > 0)
    const victim = victims[Math.floor(Math.random() * victims.length)]
    if (!victim) continue
    victim.process.kill('SIGKILL')
    live.delete(victim)
    kills++
    start()
  }
  for (const each of live) each.process.kill('SIGKILL')
  await Promise.all(all.map((each) => each.ended))

  const entries = entriesOf(place)
  assertWhole(entries)
  assertOwnOrder(entries)
  const titles = new Set(entries.map((entry) => entry.title))
  assert.equal(titles.size, entries.length, 'none stands there twice')
  const said = all.flatMap((each) => each.said())
  for (const [title] of said) assert.ok(titles.has(title), `${title} was written`)
  // Each may have been killed between writing and saying so.
  assert.ok(entries.length - said.length <= all.length)
  assert.ok(said.length >= kills, `${kills} kills, ${said.length} entries`)

  // The last one killed blocks nobody: a lock that stayed would be an error.
  await appendContext(place, { title: 'end-0', content: 'after all of them' })
})

test('the lock of a killed process is taken over at once', async () => {
  const place = await workspace()
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'close')
  writeLock(place, { pid: dead.pid, host: os.hostname() })
  const lock = await lockFile(place.file, 0)
  assert.ok(lock.isHeld())
  lock.release()
  await appendContext(place, { content: 'hello' })
  assert.deepEqual(fs.readdirSync(place.workspace), ['context.md'])
})

test('a lock that nobody keeps warm is taken over in seconds: another machine, a reused number, an empty file', async () => {
  await Promise.all(
    [{ pid: 1, host: 'another-machine' }, { pid: process.pid, host: os.hostname() }, undefined].map(
      async (holder) => {
        const place = await workspace()
        writeLock(place, holder)
        await appendContext(place, { content: 'hello' })
        assert.equal(entriesOf(place).length, 1)
        assert.deepEqual(fs.readdirSync(place.workspace), ['context.md'])
      },
    ),
  )
})

test('a holder taken for dead can no longer put its content in place', async () => {
  const place = await workspace()
  const slow = await lockFile(place.file)
  fs.writeFileSync(slow.temp, 'what the slow one wanted')
  const lock = path.join(place.workspace, '.context.md.lock')
  const { token } = JSON.parse(fs.readFileSync(lock, 'utf8'))
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'close')
  fs.writeFileSync(lock, JSON.stringify({ token, pid: dead.pid, host: os.hostname() }))

  await appendContext(place, { title: 'next', content: 'written meanwhile' })
  assert.equal(slow.isHeld(), false)
  assert.throws(() => fs.renameSync(slow.temp, place.file), { code: 'ENOENT' })
  slow.release()
  assert.deepEqual(
    entriesOf(place).map((entry) => entry.title),
    ['next'],
  )
})

test('a lock that is kept warm is waited for, and the one who gave up is told who has it', async () => {
  const place = await workspace()
  const held = await lockFile(place.file)
  await assert.rejects(lockFile(place.file, 300), {
    code: 'WRITE_ERROR',
    message: new RegExp(`process ${process.pid} on `),
  })
  held.release()
  ;(await lockFile(place.file, 300)).release()
})

function writeLock(place: Place, holder: { pid: number | undefined; host: string } | undefined): void {
  const note = holder ? JSON.stringify({ token: '0123456789abcdef', ...holder }) : ''
  fs.writeFileSync(path.join(place.workspace, '.context.md.lock'), note)
}
