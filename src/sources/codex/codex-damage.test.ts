import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import { mutations, randomFrom } from '../mutations.ts'
import { type Unit, withReader } from '../source.ts'
import { gather, lookInto, machineAt, plainly, readMachine, unitsOf } from '../test-kit.ts'
import { codex as described } from './index.ts'

const codex = await withReader(described)

const fixtures = path.join(import.meta.dirname, 'fixtures', 'home')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-codex-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const machine = machineAt('/nowhere', { CODEX_HOME: fixtures })
const PAGINATED = '01a1dccd-8094-71c2-a4f1-30524e959215'
const LEGACY = '019a4a10-0000-7000-8000-00000000000a'
const FORK = '019a4b00-0000-7000-8000-00000000000f'
const FIRST = '11111111-2222-4333-8444-555555555555'

const whole = readMachine(codex, machine)
const { chat, messages } = lookInto(whole)

test('a compressed rollout is the same chat with the same messages', () => {
  const unit = copyOf(PAGINATED)
  const bytes = fs.readFileSync(unit.path)
  const half = bytes.indexOf(10, bytes.length / 2) + 1
  const ways = {
    whole: zlib.zstdCompressSync(bytes),
    frames: Buffer.concat([
      zlib.zstdCompressSync(bytes.subarray(0, half)),
      zlib.zstdCompressSync(bytes.subarray(half)),
    ]),
  }
  for (const [way, packed] of Object.entries(ways)) {
    const zst: Unit = { path: `${unit.path}.${way}.jsonl.zst`, growth: 'whole' }
    fs.writeFileSync(zst.path, packed)
    const reading = gather(codex.read(zst, undefined, machine))
    assert.deepEqual(reading.messages, { [PAGINATED]: messages(PAGINATED) }, way)
    assert.deepEqual(reading.chats, [chat(PAGINATED)], way)
  }
})

test('compressed files that are damaged or bombs are reported, not believed', () => {
  const bomb = Buffer.concat(
    Array.from({ length: 5 }, () => zlib.zstdCompressSync(Buffer.alloc(64 * 1024 * 1024))),
  )
  const table: [bytes: Buffer, reason: RegExp | undefined][] = [
    [bomb, /more than 256 MB/],
    [Buffer.from('this is not zstd at all'), /not valid zstd/],
    [Buffer.alloc(0), undefined],
    [zlib.zstdCompressSync(fs.readFileSync(copyOf(PAGINATED).path)).subarray(0, 2000), undefined],
  ]
  for (const [bytes, reason] of table) {
    const file = path.join(temp, 'rollout-x.jsonl.zst')
    fs.writeFileSync(file, bytes)
    const { problems } = gather(codex.read({ path: file, growth: 'whole' }, undefined, machine))
    if (reason) assert.match(problems[0]?.reason ?? '', reason)
  }
})

test('bad lines are reported once and stop nothing', () => {
  const unit = copyOf(LEGACY)
  const lines = fs.readFileSync(unit.path, 'utf8').split('\n')
  lines.splice(20, 0, '{"broken', '\0\0', '[1,2]', 'null', '{"type":"event_msg","payload":5}')
  fs.writeFileSync(unit.path, lines.join('\n'))
  const first = gather(codex.read(unit, undefined, machine))
  assert.equal(first.problems.length, 1)
  assert.equal(first.messages[LEGACY]?.length, messages(LEGACY).length)
  const again = gather(codex.read(unit, first.checkpoint, machine), first)
  assert.equal(again.problems.length, 1)
})

test('no damage makes the reader throw or hang', () => {
  const random = randomFrom(42)
  const file = path.join(temp, `rollout-2025-11-03T10-00-00-${LEGACY}.jsonl`)
  for (const id of [LEGACY, PAGINATED, FORK]) {
    const source = fs.readFileSync(copyOf(id).path)
    let round = 0
    for (const bytes of mutations(source, 700, 42)) {
      fs.writeFileSync(file, bytes)
      const unit: Unit = { path: file, growth: 'append' }
      const reading = gather(codex.read(unit, undefined, machine))
      if (round++ % 10 === 0) {
        const cut = Math.floor(random() * bytes.length)
        fs.writeFileSync(file, bytes.subarray(0, cut))
        const half = gather(codex.read(unit, undefined, machine))
        fs.writeFileSync(file, bytes)
        const grown = gather(codex.read(unit, half.checkpoint, machine), half)
        assert.deepEqual(plainly(grown), plainly(reading))
      }
    }
  }
  const document = fs.readFileSync(path.join(fixtures, `sessions/rollout-2025-05-01-${FIRST}.json`))
  for (const bytes of mutations(document, 300)) {
    const unit: Unit = { path: path.join(temp, 'rollout-x.json'), growth: 'whole' }
    fs.writeFileSync(unit.path, bytes)
    gather(codex.read(unit, undefined, machine))
  }
})

test('a response without an end costs time in proportion, not more', () => {
  const file = path.join(temp, 'rollout-endless.jsonl')
  const call = { type: 'function_call', name: 'x', arguments: '{}', call_id: 'c' }
  const prompt = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'same words' }] }
  const lines = Array.from({ length: 20_000 }, (_, at) =>
    JSON.stringify({
      timestamp: '2026-01-01T00:00:00Z',
      type: 'response_item',
      payload: at < 10_000 ? call : prompt,
    }),
  )
  fs.writeFileSync(file, lines.join('\n'))
  // Time of the processor, which others do not take from us: what grows with the square would take minutes of it.
  const before = process.cpuUsage()
  const reading = gather(codex.read({ path: file, growth: 'append' }, undefined, machine))
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 15_000_000, `${(user + system) / 1e6} s`)
  assert.equal(Object.values(reading.messages)[0]?.length, 10_001)
})

function copyOf(id: string): Unit {
  const unit = unitsOf(codex, machine).find((one) => one.path.includes(id))!
  const copy = path.join(temp, path.basename(unit.path))
  fs.copyFileSync(unit.path, copy)
  return { ...unit, path: copy }
}
