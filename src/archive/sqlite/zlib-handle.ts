import { constants, type ZstdCompress, type ZstdDecompress } from 'node:zlib'

/** What is used of a stream's encoder or decoder: the call that Node's own synchronous functions end in. */
interface Codec {
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

/** The encoder or decoder of one stream, for many pieces of bytes. */
export interface ZlibHandle {
  codec: Codec
  /** Its owner, which must not be collected before it. */
  stream: ZstdCompress | ZstdDecompress
  /** The room and the bytes that were left when it was last used. */
  left: Uint32Array
  failed: boolean
}

const UNTOUCHED = 0xffff_ffff

/** Null where there is none to be had: it is not documented. */
export function handleOf(stream: ZstdCompress | ZstdDecompress): ZlibHandle | null {
  const { _handle: codec, _writeState: left } = stream as { _handle?: Partial<Codec>; _writeState?: unknown }
  if (typeof codec?.writeSync !== 'function' || !(left instanceof Uint32Array) || left.length !== 2)
    return null
  const made: ZlibHandle = { codec: codec as Codec, stream, left, failed: false }
  // Otherwise the stream would be destroyed with an error that nobody listens to.
  made.codec.onerror = () => {
    made.failed = true
  }
  return made
}

/** How much room was left when all bytes were taken; nothing where they were not. */
export function writeAtOnce(
  handle: ZlibHandle,
  from: Uint8Array,
  into: Buffer,
  room: number,
): number | undefined {
  const { codec, left } = handle
  // What was left is written by it: these numbers say that it was.
  left.fill(UNTOUCHED)
  codec.writeSync(constants.ZSTD_e_end, from, 0, from.length, into, 0, room)
  return !handle.failed && left[1] === 0 && left[0]! <= room ? left[0] : undefined
}
