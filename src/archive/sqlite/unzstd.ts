import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import { handleOf, writeAtOnce, type ZlibHandle } from './zlib-handle.ts'

/**
 * Unpacks what zstd packed. Node makes a whole stream for each piece, which takes longer than unpacking some kilobytes
 * of text; therefore one stream's decoder is used for all of them, by the call that Node's own synchronous functions end in.
 * It is not documented: where it is not there, or says something that it should not, Node's way is taken
 * (docs/decisions/0025-search-at-speed.md).
 */
export function unzstd(
  data: Uint8Array,
  into?: (size: number) => Buffer | undefined,
  most: number = LARGEST,
): Buffer {
  const { size, start } = headOf(data)
  // Node 22 takes what ends too early for the whole.
  if (size !== undefined && !isWhole(data, start)) throw new Error('it is cut off')
  if (size !== undefined && size > 0 && size <= LARGEST_AT_ONCE) {
    const bytes = unpackedAtOnce(data, size, into)
    if (bytes) return bytes
  }
  return unpackedByNode(data, most)
}

const LARGEST = 2 ** 31 - 1
/** What a damaged block says of itself must not fill the memory. */
const LARGEST_PIECE = 16 * 1024 * 1024
/** Of larger ones the stream is a small part. */
const LARGEST_AT_ONCE = 1024 * 1024

/** Node's way. */
export function unpackedByNode(data: Uint8Array, most: number = LARGEST): Buffer {
  const { size } = headOf(data)
  // In one piece: pieces of 16 kB each, put together afterwards, kept the garbage collector busy.
  const room = Math.min(LARGEST_PIECE, (size ?? 65_536) + 64)
  const bytes = zstdDecompressSync(data, { maxOutputLength: most, chunkSize: room })
  if (size !== undefined && bytes.length !== size) throw new Error('it does not have its length')
  return bytes
}

/** Null where there is none to be had. */
let decoder: ZlibHandle | null | undefined

/** Nothing where the decoder cannot be used, or could not unpack it: Node's way says why. */
function unpackedAtOnce(
  data: Uint8Array,
  size: number,
  into?: (size: number) => Buffer | undefined,
): Buffer | undefined {
  if (decoder === undefined) decoder = handleOf(createZstdDecompress())
  if (decoder === null) return undefined
  const bytes = into?.(size) ?? Buffer.allocUnsafeSlow(size)
  if (writeAtOnce(decoder, data, bytes, size) === 0) return bytes
  // Nobody knows what state it is in.
  decoder = undefined
  return undefined
}

/** What a frame of zstd says of its size unpacked (RFC 8878, 3.1.1.1), if it does; and where its blocks begin. */
function headOf(data: Uint8Array): { size?: number; start: number } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  if (bytes.length < 5) throw new Error('it is cut off')
  const descriptor = bytes[4]!
  const isSingle = (descriptor & 0x20) !== 0
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0)
  const field = descriptor >> 6
  if (field === 0 && !isSingle) return { start: at }
  if (bytes.length < at + 2 ** field) throw new Error('it is cut off')
  if (field === 0) return { size: bytes[at]!, start: at + 1 }
  if (field === 1) return { size: bytes.readUInt16LE(at) + 256, start: at + 2 }
  if (field === 2) return { size: bytes.readUInt32LE(at), start: at + 4 }
  return { size: Number(bytes.readBigUInt64LE(at)), start: at + 8 }
}

const REPEATED = 1

/** Whether a frame goes to its end, checksum included, and no further: the decoder would wait for more. */
function isWhole(data: Uint8Array, start: number): boolean {
  const hasSum = (data[4]! & 4) !== 0
  for (let at = start; at + 3 <= data.length; ) {
    const head = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16)
    at += 3 + (((head >> 1) & 3) === REPEATED ? 1 : head >> 3)
    if (head & 1) return at + (hasSum ? 4 : 0) === data.length
  }
  return false
}
