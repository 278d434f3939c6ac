import type { Pages } from './raw-pages.ts'

type Value = null | number | bigint | string | Uint8Array

/** A row as it stands in a page. */
export interface RawRow {
  page: number
  /** Of a table with row ids. */
  rowid?: number
  values: Value[]
  /** One letter for each value: n(othing), i(nteger), f(raction), t(ext), b(ytes). */
  shape: string
}

const LEAF_TABLE = 13
const LEAF_INDEX = 10
const INNER_TABLE = 5
const INNER_INDEX = 2

/** Every row of one page that can be read; one that cannot is left out. */
export function* rowsOn(pages: Pages, number: number): Generator<RawRow> {
  const page = pages.read(number)
  const head = number === 1 ? 100 : 0
  const type = page?.[head]
  if (!page || (type !== LEAF_TABLE && type !== LEAF_INDEX && type !== INNER_INDEX)) return
  const begin = head + (type === INNER_INDEX ? 12 : 8)
  const cells = Math.min(page.readUInt16BE(head + 3), Math.floor((pages.usable - begin) / 2))
  for (let cell = 0; cell < cells; cell++) {
    const at = page.readUInt16BE(begin + cell * 2)
    if (at < begin || at >= pages.usable) continue
    const row = tried(() => rowAt(pages, page, type === INNER_INDEX ? at + 4 : at, type === LEAF_TABLE))
    if (row) yield { page: number, ...row }
  }
}

/** The pages below one in its tree. */
export function childrenOf(pages: Pages, number: number): number[] {
  const page = pages.read(number)
  const head = number === 1 ? 100 : 0
  const type = page?.[head]
  if (!page || (type !== INNER_TABLE && type !== INNER_INDEX)) return []
  const cells = Math.min(page.readUInt16BE(head + 3), Math.floor((pages.usable - head - 12) / 2))
  const children = [page.readUInt32BE(head + 8)]
  for (let cell = 0; cell < cells; cell++) {
    const at = page.readUInt16BE(head + 12 + cell * 2)
    if (at + 4 <= pages.usable) children.push(page.readUInt32BE(at))
  }
  return children.filter((child) => child > 1 && child <= pages.count)
}

function rowAt(pages: Pages, page: Buffer, at: number, isTable: boolean): Omit<RawRow, 'page'> {
  const length = varint(page, at)
  const rowid = isTable ? varint(page, length.end) : undefined
  const record = payload(pages, page, (rowid ?? length).end, length.value, isTable)
  return { ...(rowid && { rowid: rowid.value }), ...recordIn(record) }
}

/** The bytes of a row, from its page and those that it overflows into. */
function payload(pages: Pages, page: Buffer, at: number, length: number, isTable: boolean): Buffer {
  const { usable } = pages
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const kept = least + ((length - least) % (usable - 4))
  const local = length <= most ? length : kept <= most ? kept : least
  if (length > pages.count * usable || at + local > usable) throw new Error('it ends outside its page')
  if (local === length) return page.subarray(at, at + length)
  const parts = [page.subarray(at, at + local)]
  let left = length - local
  let next = page.readUInt32BE(at + local)
  while (left > 0) {
    const more = pages.read(next)
    if (!more) throw new Error('a part is missing')
    parts.push(Buffer.from(more.subarray(4, 4 + Math.min(left, usable - 4))))
    left -= usable - 4
    next = more.readUInt32BE(0)
  }
  return Buffer.concat(parts)
}

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The values of a record, which must fill it exactly. */
function recordIn(record: Buffer): Pick<RawRow, 'values' | 'shape'> {
  const head = varint(record, 0)
  const values: Value[] = []
  let shape = ''
  let at = head.value
  for (let place = head.end; place < head.value; ) {
    const type = varint(record, place)
    place = type.end
    const [value, letter, length] = valueAt(record, at, type.value)
    values.push(value)
    shape += letter
    at += length
  }
  if (at !== record.length) throw new Error('it does not have its length')
  return { values, shape }
}

function valueAt(record: Buffer, at: number, type: number): [Value, string, number] {
  if (type === 0) return [null, 'n', 0]
  if (type === 8 || type === 9) return [type - 8, 'i', 0]
  if (type <= 4 || type === 5) {
    const length = type === 5 ? 6 : type
    return [record.readIntBE(at, length), 'i', length]
  }
  if (type === 6) {
    const large = record.readBigInt64BE(at)
    const isSafe = large >= Number.MIN_SAFE_INTEGER && large <= Number.MAX_SAFE_INTEGER
    return [isSafe ? Number(large) : large, 'i', 8]
  }
  if (type === 7) return [record.readDoubleBE(at), 'f', 8]
  if (type < 12) throw new Error('there is no such type')
  const length = Math.floor((type - 12) / 2)
  if (at + length > record.length) throw new Error('a value ends outside its row')
  const bytes = record.subarray(at, at + length)
  return type % 2 === 0 ? [Buffer.from(bytes), 'b', length] : [TEXT.decode(bytes), 't', length]
}

/** A number of one to nine bytes; larger ones than JavaScript counts are no lengths or keys of ours. */
function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0
  for (let number = 0; number < 8; number++) {
    const byte = bytes.readUInt8(at + number)
    value = value * 128 + (byte & 127)
    if (byte < 128) {
      if (value > Number.MAX_SAFE_INTEGER) throw new Error('it is too large')
      return { value, end: at + number + 1 }
    }
  }
  throw new Error('it is too large')
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
