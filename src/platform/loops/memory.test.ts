import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { buffer, bytes, doubles, floats, ints, isInReach, longer, release, shorts, uints } from './memory.ts'

test('arrays are of zeros, stay what they are while others are made, and none lies in another', () => {
  const all = Array.from({ length: 300 }, (_, i) => {
    const make = [bytes, shorts, ints, uints, floats, doubles, buffer][i % 7]!
    const array = make((i * 7_919) % 40_000)
    assert.ok(array.every((number) => number === 0))
    array.fill(1 + (i % 120))
    return array
  })
  for (const [i, array] of all.entries()) {
    assert.equal(array.length, (i * 7_919) % 40_000)
    assert.ok(array.every((number) => number === 1 + (i % 120)))
  }
  const places = all.map(({ byteOffset, byteLength }) => [byteOffset, byteOffset + byteLength] as const)
  places.sort(([a], [b]) => a - b)
  for (let i = 1; i < places.length; i++) assert.ok(places[i]![0] >= places[i - 1]![1])
})

test('a longer one begins with the same numbers, and ends with zeros', () => {
  const short = ints(5)
  short.set([1, 2, 3, 4, 5])
  assert.deepEqual([...longer(short, 8)], [1, 2, 3, 4, 5, 0, 0, 0])
})

test('what a longer one stands in place of is given to the next', () => {
  const short = ints(5_000)
  const place = short.byteOffset
  longer(short, 6_000)
  assert.equal(ints(5_000).byteOffset, place)
})

test('what nobody has any more is given to the next, with zeros in it', async () => {
  v8.setFlagsFromString('--expose-gc')
  const collect: () => void = vm.runInNewContext('gc')
  const places = new Set<number>()
  const size = 3_000_017
  let again = 0
  for (let turn = 0; turn < 40 && again === 0; turn++) {
    const array = bytes(size)
    assert.equal(array.indexOf(7), -1)
    array.fill(7)
    if (places.has(array.byteOffset)) again++
    places.add(array.byteOffset)
    await setImmediate()
    collect()
    await setImmediate()
  }
  assert.ok(again > 0, `${places.size} places of ${size} bytes`)
})

test('what is given back is given to the next at once, with zeros in it, and once', () => {
  const [first, second] = [ints(1_000), ints(1_000)]
  const places = [first.byteOffset, second.byteOffset]
  for (const array of [first, second]) {
    array.fill(7)
    release(array)
  }
  const next = [ints(1_000), ints(1_000), ints(1_000)]
  assert.deepEqual(
    next.map(({ byteOffset }) => byteOffset).filter((place) => places.includes(place)),
    places,
  )
  assert.equal(new Set(next.map(({ byteOffset }) => byteOffset)).size, 3)
  assert.ok(next.every((array) => array.every((number) => number === 0)))
})

test('what is made elsewhere is out of reach', () => {
  assert.ok(isInReach(ints(1)) && isInReach(bytes(1)))
  assert.ok(!isInReach(new Int32Array(1)) && !isInReach(Buffer.alloc(1)))
})

/** Without its types: reading those would take more addresses than a process has here, in Node 22. */
const plain = [
  path.join(import.meta.dirname, '..', '..', 'model', 'errors.ts'),
  path.join(import.meta.dirname, 'memory.ts'),
]
  .map((file) => stripTypeScriptTypes(fs.readFileSync(file, 'utf8')).replace(/^import .*$/m, ''))
  .join('\n')

/** A program in a process that may have 2 GB of addresses. */
function withFewAddresses(code: string) {
  const run = [
    '-c',
    'ulimit -v 2000000 && exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '-e',
    code,
  ]
  const env = { ...process.env, NODE_OPTIONS: '--disable-wasm-trap-handler' }
  return spawnSync('sh', run, { encoding: 'utf8', env })
}

const canLimit = process.platform === 'linux' && withFewAddresses('').status === 0

test('it grows where a process may have few addresses', { skip: !canLimit && 'no such limit' }, () => {
  const { stdout, stderr } = withFewAddresses(`${plain}\nconsole.log(ints(20_000_000).fill(1).at(-1))`)
  assert.equal(stdout, '1\n', stderr)
})

test('where there can be none, what asks for it is told what to do', () => {
  const none = 'WebAssembly.Memory = class { constructor() { throw new RangeError() } }'
  const ask = 'try { ints(1) } catch (error) { console.log(error.code, error.hint) }'
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', `${none}\n${plain}\n${ask}`], {
    encoding: 'utf8',
  })
  assert.match(run.stdout, /^TOO_LITTLE_MEMORY Raise that limit, or use Node 24/, run.stderr)
})
