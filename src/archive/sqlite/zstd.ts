import { constants, createZstdCompress, type ZstdCompress, zstdCompressSync } from 'node:zlib'

/** Measured: higher levels take twice the time for 3 % less. */
const LEVEL = 3
const PARAMS = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 }
/** Of larger ones the stream is a small part. */
const LARGEST_AT_ONCE = 512 * 1024
const LARGEST_CHUNK = 16 * 1024 * 1024

/**
 * Packs bytes with zstd. As in `unzstd`, one stream's encoder is used for all of them, since making one takes
 * a third of the time; the bytes are those that Node's way gives, which is taken where the encoder is not to be had.
 */
export function zstd(bytes: Uint8Array): Uint8Array {
  return (bytes.length <= LARGEST_AT_ONCE && packedAtOnce(bytes)) || packedByNode(bytes)
}

/** Node's way. */
export function packedByNode(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    // In one piece, and no larger than it may become.
    chunkSize: Math.min(LARGEST_CHUNK, mostOf(bytes.length)),
    params: PARAMS,
  })
}

/** What is used of a stream's encoder. */
interface Encoder {
  writeSync(
    flush: number,
    from: Uint8Array,
    start: number,
    length: number,
    into: Buffer,
    at: number,
    room: number,
  ): void
  onerror(message: string): void
}

/** `left` are the room and the bytes that were left when it was last used. */
interface Kept {
  of: Encoder
  /** Its owner, which must not be collected before it. */
  stream: ZstdCompress
  left: Uint32Array
  room: Buffer
  failed: boolean
}

/** Null where there is none to be had. */
let encoder: Kept | null | undefined
const UNTOUCHED = 0xffff_ffff

function packedAtOnce(bytes: Uint8Array): Uint8Array | undefined {
  if (encoder === undefined) encoder = newEncoder()
  const kept = encoder
  if (kept === null) return undefined
  const { of, left, room } = kept
  left.fill(UNTOUCHED)
  of.writeSync(constants.ZSTD_e_end, bytes, 0, bytes.length, room, 0, room.length)
  const isDone = !kept.failed && left[1] === 0 && left[0]! > 0 && left[0]! < room.length
  if (isDone) return Uint8Array.prototype.slice.call(room, 0, room.length - left[0]!)
  // Nobody knows what state it is in.
  encoder = undefined
  return undefined
}

function newEncoder(): Kept | null {
  const stream = createZstdCompress({ params: PARAMS })
  const { _handle: of, _writeState: left } = stream as { _handle?: Partial<Encoder>; _writeState?: unknown }
  if (typeof of?.writeSync !== 'function' || !(left instanceof Uint32Array) || left.length !== 2) return null
  const room = Buffer.allocUnsafeSlow(mostOf(LARGEST_AT_ONCE))
  const made: Kept = { of: of as Encoder, stream, left, room, failed: false }
  made.of.onerror = () => {
    made.failed = true
  }
  return made
}

/** How long packed bytes may be at most. */
function mostOf(length: number): number {
  return length + (length >> 7) + 128
}
