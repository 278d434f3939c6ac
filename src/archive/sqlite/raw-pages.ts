import fs from 'node:fs'

/**
 * The pages of an SQLite file (https://sqlite.org/fileformat2.html), read without SQLite, which refuses a file
 * whose header or tree is damaged. What its write-ahead log holds of them counts.
 */
export interface Pages {
  /** Bytes of a page that hold content. */
  usable: number
  count: number
  /** The first is number 1. Undefined where the file ends before it. */
  read(number: number): Buffer | undefined
  /** Whether a page holds nothing any more; what stands in it is old. */
  isFree(number: number): boolean
  /** The page above one in its tree, where the file says so. */
  parentOf(number: number): number | undefined
  close(): void
}

const MAGIC = 'SQLite format 3\0'
const HEADER = 100
/** As our archives are made. */
const USUAL = 16_384
const KEPT = 64

export function openPages(file: string): Pages {
  const fd = fs.openSync(file, 'r')
  const head = Buffer.alloc(HEADER)
  fs.readSync(fd, head, 0, HEADER, 0)
  const bytes = fs.fstatSync(fd).size
  const size = pageSize(fd, head, bytes)
  const log = readLog(`${file}-wal`, size)
  const count = Math.max(Math.ceil(bytes / size), ...log.keys(), 0)
  const known = new Map<number, Buffer>()
  const read = (number: number): Buffer | undefined => {
    if (number < 1 || number > count) return undefined
    const found = log.get(number) ?? known.get(number)
    if (found) return found
    const page = Buffer.alloc(size)
    // The last page of a file that was cut off is read as far as it goes.
    if (fs.readSync(fd, page, 0, size, (number - 1) * size) === 0) return undefined
    if (known.size >= KEPT) known.delete(known.keys().next().value!)
    known.set(number, page)
    return page
  }
  const first = read(1)
  const isWhole = first?.toString('latin1', 0, 16) === MAGIC
  const reserved = isWhole && first[20]! < 64 ? first[20]! : 0
  const usable = size - reserved
  const map = pointerMap(read, usable)
  const free = isWhole ? freePages(read, first, count, usable) : undefined
  return {
    usable,
    count,
    read,
    isFree: (number) => free?.has(number) ?? map(number)?.type === FREE,
    parentOf: (number) => {
      const entry = map(number)
      return entry?.type === CHILD ? entry.parent : undefined
    },
    close: () => fs.closeSync(fd),
  }
}

/** What the header says, if pages of that size look like pages; else the size that most pages look right with. */
function pageSize(fd: number, head: Buffer, bytes: number): number {
  const told = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  const candidates = [...new Set([told, USUAL, 4_096])].filter(
    (size) => size >= 512 && (size & (size - 1)) === 0,
  )
  const type = Buffer.alloc(1)
  const looks = (size: number): number => {
    let right = 0
    const looked = Math.min(200, Math.floor(bytes / size))
    for (let number = 2; number < looked; number++) {
      fs.readSync(fd, type, 0, 1, number * size)
      if ([2, 5, 10, 13].includes(type[0]!)) right++
    }
    return right / Math.max(1, looked)
  }
  return candidates.sort((a, b) => looks(b) - looks(a))[0]!
}

/** The pages that the write-ahead log holds, up to the last transaction that is whole. */
function readLog(file: string, size: number): Map<number, Buffer> {
  const pages = new Map<number, Buffer>()
  const log = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0)
  if (log.length < 32) return pages
  const magic = log.readUInt32BE(0)
  if ((magic & ~1) >>> 0 !== 0x377f0682 || log.readUInt32BE(8) !== size) return pages
  const isBig = (magic & 1) === 1
  let sums = summed(log.subarray(0, 24), [0, 0], isBig)
  if (sums[0] !== log.readUInt32BE(24) || sums[1] !== log.readUInt32BE(28)) return pages
  let waiting = new Map<number, Buffer>()
  for (let at = 32; at + 24 + size <= log.length; at += 24 + size) {
    const frame = log.subarray(at, at + 24)
    const page = log.subarray(at + 24, at + 24 + size)
    // Salts: frames of an earlier round of the log do not count.
    if (log.compare(frame, 8, 16, 16, 24) !== 0) break
    sums = summed(page, summed(frame.subarray(0, 8), sums, isBig), isBig)
    if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) break
    waiting.set(frame.readUInt32BE(0), page)
    if (frame.readUInt32BE(4) === 0) continue
    for (const [number, each] of waiting) pages.set(number, each)
    waiting = new Map()
  }
  return pages
}

function summed(bytes: Buffer, [a, b]: [number, number], isBig: boolean): [number, number] {
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}

/** The pages of the free list; undefined where it is not whole. */
function freePages(
  read: Pages['read'],
  first: Buffer,
  count: number,
  usable: number,
): Set<number> | undefined {
  const free = new Set<number>()
  const expected = first.readUInt32BE(36)
  let trunk = first.readUInt32BE(32)
  while (trunk !== 0) {
    const page = read(trunk)
    if (!page || free.has(trunk)) return undefined
    free.add(trunk)
    const leaves = page.readUInt32BE(4)
    if (leaves > usable / 4 - 2) return undefined
    for (let number = 0; number < leaves; number++) {
      const leaf = page.readUInt32BE(8 + number * 4)
      if (leaf < 2 || leaf > count) return undefined
      free.add(leaf)
    }
    trunk = page.readUInt32BE(0)
  }
  return free.size === expected ? free : undefined
}

const FREE = 2
const CHILD = 5

/** What pointer-map pages say of a page: there are such where free pages can be given back. */
function pointerMap(
  read: Pages['read'],
  usable: number,
): (number: number) => { type: number; parent: number } | undefined {
  const each = Math.floor(usable / 5)
  const isThere = (read(2)?.[0] ?? 0) >= 1 && (read(2)?.[0] ?? 0) <= CHILD
  return (number) => {
    if (!isThere || number < 3) return undefined
    const place = Math.floor((number - 2) / (each + 1)) * (each + 1) + 2
    const page = number === place ? undefined : read(place)
    const at = (number - place - 1) * 5
    const type = page?.[at] ?? 0
    return page && type >= 1 && type <= CHILD ? { type, parent: page.readUInt32BE(at + 1) } : undefined
  }
}
