import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import zlib from 'node:zlib'
import type { Message } from '../../model/chat.ts'
import { gather, type Reading } from '../test-kit.ts'
import { recognise } from './index.ts'

export const FIXTURES = path.join(import.meta.dirname, 'fixtures')

/** A folder that is gone after the tests of its file. */
export function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-imports-'))
  after(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function readImport(file: string, name = path.basename(file)): Reading & { kind?: string } {
  const recognised = recognise({ path: file, name })
  if (!recognised.kind) return { chats: [], messages: {}, problems: [] }
  return { kind: recognised.kind.id, ...gather(recognised.found) }
}

/** A message in one line, with all that one would see of it; `~` marks what was taken back. */
export function line(message: Message): string {
  const { kind, text, thinking, toolCalls = [], toolResults = [], citations = [], attachments = [] } = message
  return [
    `${message.undone ? '~' : ''}${kind}: ${text.replaceAll('\n', '⏎')}`,
    thinking && `(${thinking.replaceAll('\n', '⏎')})`,
    ...toolCalls.map(
      ({ server, tool, args }) => `${server ? `${server}/` : ''}${tool}!${JSON.stringify(args)}`,
    ),
    ...toolResults.map(({ callId, text: told, error }) => `${callId}=${error ? `error ${error}` : told}`),
    ...citations.map(({ url, path: file }) => `<${url ?? file}>`),
    ...attachments.map(({ name, type }) => `[${type} ${name}]`),
    message.outcome,
  ]
    .filter(Boolean)
    .join(' ')
}

export interface ZipEntry {
  name: string
  data: Buffer | string
  flags?: number
  attributes?: number
  /** Said instead of the true size. */
  size?: number
  stored?: boolean
}

/** A zip as other tools write it, or with something wrong in it. */
export function zipped(entries: ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, flags = 0x800, attributes = 0o100644 * 0x10000, size, stored } of entries) {
    const bytes = Buffer.from(data as string)
    const packed = stored ? bytes : zlib.deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(stored ? 0 : 8, 4)
    common.writeUInt32LE(zlib.crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size ?? bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(attributes >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end])
}
