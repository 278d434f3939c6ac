import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import { handleOf, writeAtOnce, type ZlibHandle } from './zlib-handle.ts'

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

/** Null where there is none to be had. */
let encoder: { handle: ZlibHandle; room: Buffer } | null | undefined

function packedAtOnce(bytes: Uint8Array): Uint8Array | undefined {
  if (encoder === undefined) encoder = newEncoder()
  if (encoder === null) return undefined
  const { handle, room } = encoder
  const left = writeAtOnce(handle, bytes, room, room.length)
  if (left !== undefined && left > 0 && left < room.length)
    return Uint8Array.prototype.slice.call(room, 0, room.length - left)
  // Nobody knows what state it is in.
  encoder = undefined
  return undefined
}

function newEncoder(): { handle: ZlibHandle; room: Buffer } | null {
  const handle = handleOf(createZstdCompress({ params: PARAMS }))
  return handle && { handle, room: Buffer.allocUnsafeSlow(mostOf(LARGEST_AT_ONCE)) }
}

/** How long packed bytes may be at most. */
function mostOf(length: number): number {
  return length + (length >> 7) + 128
}
