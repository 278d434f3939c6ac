import fs from 'node:fs'
import zlib from 'node:zlib'
import { object, objects } from '../json.ts'
import { type JsonLine, jsonLines, MAX_DOCUMENT_BYTES, readJson, salvaged } from '../lines.ts'

/** The lines of a rollout, however it is stored; read twice where turns were rolled back. */
export interface Stored {
  file: string
  /** Bytes of lines there are; what is written later belongs to the next reading. */
  size: number
  lines(from: number, skip?: (line: Buffer) => boolean): Iterable<JsonLine>
}

/** Throws a sentence when it cannot be had. */
export function openStored(file: string): Stored {
  if (file.endsWith('.zst')) return compressedLines(file)
  if (file.endsWith('.json')) return documentLines(file)
  return { file, size: fs.statSync(file).size, lines: (from, skip) => jsonLines(file, { from, skip }) }
}

/** A cold thread, compressed by Codex. */
function compressedLines(file: string): Stored {
  const bytes = decompressed(file)
  return { file, size: bytes.length, lines: (from, skip) => bufferLines(bytes, from, skip) }
}

/** The first Codex, of spring 2025, wrote one document: `{ session, items }`. */
function documentLines(file: string): Stored {
  const document = object(readJson(file))
  const values = [object(document?.session) ?? {}, ...objects(document?.items)]
  return {
    file,
    size: values.length,
    lines: (from) => values.map((value, at) => ({ offset: at, end: at + 1, value })).slice(from),
  }
}

/**
 * Node decompresses synchronously only as a whole, so what a file may grow to is limited: a few
 * kilobytes of zstd can claim gigabytes. Several frames may follow each other in one file.
 */
function decompressed(file: string): Buffer {
  if (typeof zlib.zstdDecompressSync !== 'function')
    throw new Error('compressed with zstd, which needs Node 22.15 or newer')
  if (fs.statSync(file).size > MAX_DOCUMENT_BYTES) throw new Error(tooLarge)
  let packed = fs.readFileSync(file)
  const parts: Buffer[] = []
  let size = 0
  while (packed.length > 0) {
    const frame = unpack(packed, MAX_DOCUMENT_BYTES - size)
    if (frame.buffer.length === 0 && parts.length > 0) break
    parts.push(frame.buffer)
    size += frame.buffer.length
    if (frame.used <= 0) break
    packed = packed.subarray(frame.used)
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

const tooLarge = `decompresses to more than ${MAX_DOCUMENT_BYTES >> 20} MB`

function unpack(packed: Buffer, room: number): { buffer: Buffer; used: number } {
  if (room <= 0) throw new Error(tooLarge)
  try {
    const { buffer, engine } = zlib.zstdDecompressSync(packed, {
      maxOutputLength: room,
      chunkSize: 256 * 1024,
      // A cut-off file gives what it has instead of failing.
      finishFlush: zlib.constants.ZSTD_e_flush,
      info: true,
    } as zlib.ZstdOptions) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return { buffer, used: engine.bytesWritten }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Error(tooLarge)
    throw new Error('not valid zstd')
  }
}

function* bufferLines(bytes: Buffer, from: number, skip?: (line: Buffer) => boolean): Generator<JsonLine> {
  for (let offset = from; offset < bytes.length; ) {
    const newline = bytes.indexOf(10, offset)
    const end = newline < 0 ? bytes.length : newline + 1
    const line = bytes.subarray(offset, end)
    const span = { offset, end }
    offset = end
    if (line.length <= 1 || skip?.(line)) continue
    let value: unknown
    try {
      value = JSON.parse(line.toString('utf8'))
    } catch {
      yield* salvaged({ bytes: line, ...span }, skip)
      continue
    }
    yield { ...span, value }
  }
}
