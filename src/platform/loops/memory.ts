/**
 * The memory that the loops work in, one for each thread: arrays that they are given are made here. It is shared memory, though with nobody,
 * because that stays where it is when it grows. What is made here goes back when nobody has it any more: a part of an array (`subarray`)
 * must not outlive the array.
 */

import { RecollectError } from '../../model/errors.ts'

export type Bytes = Uint8Array<SharedArrayBuffer>
export type Shorts = Uint16Array<SharedArrayBuffer>
export type Ints = Int32Array<SharedArrayBuffer>
export type Uints = Uint32Array<SharedArrayBuffer>
export type Floats = Float32Array<SharedArrayBuffer>
export type Doubles = Float64Array<SharedArrayBuffer>

const PAGE = 65_536
/** How far it may grow, in pages: 4 GB, or less where a process may have few addresses and V8 keeps none for it to grow into. */
const LARGEST = [65_536, 16_384, 8_192, 4_096, 1_024]
/** Arrays begin at whole lines of a processor's cache. */
const LINE = 64
/** Grows by so much at the least. */
const STEP = 16

interface Memory {
  buffer: SharedArrayBuffer
  /** By so many pages; says how many there were. */
  grow(pages: number): number
}

/** What we use of it: Node's types do not have it. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number; shared: true }) => Memory
  Module: new (code: Uint8Array) => object
  Instance: new (module: object, imports: { env: { memory: Memory } }) => { exports: object }
}

interface Range {
  from: number
  to: number
}

let own: Memory | undefined
/** What nobody has, in the order of its place. */
const free: Range[] = []
const held = new FinalizationRegistry(giveBack)

/** Made when something asks for it, so that an error is told like any other. */
function memory(): Memory {
  if (!own) {
    own = growing()
    // Nothing begins at 0, which stands for no array.
    free.push({ from: LINE, to: own.buffer.byteLength })
  }
  return own
}

function growing(): Memory {
  for (const maximum of LARGEST) {
    try {
      const memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true })
      memory.grow(STEP)
      return memory
    } catch {
      // The next one may.
    }
  }
  throw new RecollectError(
    'TOO_LITTLE_MEMORY',
    'The system gives this process too few addresses to search (ulimit -v).',
    'Raise that limit, or use Node 24.',
  )
}

/** The functions of a program that works in it. */
export function loaded(code: Uint8Array): object {
  return new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory: memory() } }).exports
}

export function bytes(length: number): Bytes {
  return made(Uint8Array<SharedArrayBuffer>, length)
}

export function shorts(length: number): Shorts {
  return made(Uint16Array<SharedArrayBuffer>, length)
}

export function ints(length: number): Ints {
  return made(Int32Array<SharedArrayBuffer>, length)
}

export function uints(length: number): Uints {
  return made(Uint32Array<SharedArrayBuffer>, length)
}

export function floats(length: number): Floats {
  return made(Float32Array<SharedArrayBuffer>, length)
}

export function doubles(length: number): Doubles {
  return made(Float64Array<SharedArrayBuffer>, length)
}

/** Bytes as Node's functions like them. */
export function buffer(length: number): Buffer<SharedArrayBuffer> {
  const range = taken(length)
  const array = Buffer.from(memory().buffer, range.from, length)
  held.register(array, range, array)
  return array
}

/** Whether the loops can read it. */
export function isInReach(array: Int32Array): array is Ints
export function isInReach(array: Uint8Array | Float32Array): array is Bytes | Floats
export function isInReach(array: Uint8Array): array is Bytes
export function isInReach({ buffer }: Uint8Array | Int32Array | Float32Array): boolean {
  return buffer instanceof SharedArrayBuffer
}

/** An array that the loops can read. */
export type InReach = Bytes | Shorts | Ints | Uints | Floats | Doubles

/** A longer one with the same numbers at its beginning, in place of an array that nobody may use any more. */
export function longer<T extends InReach>(array: T, length: number): T {
  const larger = made(array.constructor as Maker<T>, length)
  larger.set(array)
  release(array)
  return larger
}

/** Gives an array back at once, which nobody may use any more: for large ones, as their garbage is looked for rarely. */
export function release(array: InReach): void {
  held.unregister(array)
  giveBack({ from: array.byteOffset, to: array.byteOffset + sizeOf(array.byteLength) })
}

type Maker<T> = {
  new (buffer: SharedArrayBuffer, from: number, length: number): T
  readonly BYTES_PER_ELEMENT: number
}

function made<T extends InReach>(make: Maker<T>, length: number): T {
  const range = taken(length * make.BYTES_PER_ELEMENT)
  const array = new make(memory().buffer, range.from, length)
  held.register(array, range, array)
  return array
}

/** What is taken for so many bytes. */
function sizeOf(bytes: number): number {
  return Math.max(LINE, Math.ceil(bytes / LINE) * LINE)
}

/** All zeros. */
function taken(size: number): Range {
  const need = sizeOf(size)
  for (;;) {
    const at = free.findIndex(({ from, to }) => to - from >= need)
    const range = free[at]
    if (range) {
      const { from } = range
      range.from += need
      if (range.from === range.to) free.splice(at, 1)
      // Not where it has just grown: what nobody has written to takes no memory.
      if (from < usedTo) new Uint8Array(memory().buffer, from, Math.min(usedTo - from, need)).fill(0)
      usedTo = Math.max(usedTo, from + need)
      return { from, to: from + need }
    }
    const pages = Math.max(STEP, Math.ceil(need / PAGE))
    const from = memory().grow(pages) * PAGE
    giveBack({ from, to: from + pages * PAGE })
  }
}

/** What is beyond was never given to anybody. */
let usedTo = 0

function giveBack({ from, to }: Range): void {
  const at = free.findIndex((other) => other.from > from)
  const place = at === -1 ? free.length : at
  const [before, after] = [free[place - 1], free[place]]
  const joinsBefore = before?.to === from
  const joinsAfter = after?.from === to
  if (joinsBefore && joinsAfter) {
    before.to = after.to
    free.splice(place, 1)
  } else if (joinsBefore) before.to = to
  else if (joinsAfter) after.from = from
  else free.splice(place, 0, { from, to })
}
