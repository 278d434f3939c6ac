/**
 * Packs a .vsix anew by Zopfli, which takes longer and leaves a twenty-fifth less of code. Any program that reads zip files
 * reads what comes out. Large tables stay as they were packed: they would gain nothing.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { deflateRawSync } from 'node:zlib'
import yauzl, { type Entry } from 'yauzl'

interface Zopfli {
  deflateAsync(bytes: Uint8Array, options: { numiterations: number }): Promise<Uint8Array>
}

const TOOLS = path.join(import.meta.dirname, '..', 'test', 'tools', 'package.json')
const LARGEST = 1_000_000
const STORED = 0
const DEFLATED = 8
/** Names are in UTF-8. */
const FLAGS = 0x0800
const VERSION = 20

export async function packSmaller(file: string): Promise<void> {
  const zopfli = createRequire(TOOLS)('@gfx/zopfli') as Zopfli
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false })
  const [files, list]: [Uint8Array[], Buffer[]] = [[], []]
  let at = 0
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry))
    const deflated =
      bytes.length > LARGEST ? deflateRawSync(bytes, { level: 9 }) : await smallest(zopfli, bytes)
    const isSmaller = deflated.length < bytes.length
    const data = isSmaller ? deflated : bytes
    const name = Buffer.from(entry.fileName)
    const about = head(entry, isSmaller ? DEFLATED : STORED, data.length, bytes.length, name.length)
    files.push(signed(0x04034b50, about), name, data)
    list.push(signed(0x02014b50, shorts(entry.versionMadeBy), about, atEnd(entry, at)), name)
    at += 30 + name.length + data.length
  }
  zip.close()
  const size = list.reduce((sum, { length }) => sum + length, 0)
  const entries = list.length / 2
  const end = signed(0x06054b50, shorts(0, 0, entries, entries), numbers(size, at), shorts(0))
  fs.writeFileSync(file, Buffer.concat([...files, ...list, end]))
}

async function smallest(zopfli: Zopfli, bytes: Buffer): Promise<Uint8Array> {
  // Of nothing it makes nothing that could be unpacked.
  return bytes.length === 0 ? bytes : await zopfli.deflateAsync(bytes, { numiterations: 15 })
}

/** What stands in front of a file, and again in the list at the end. */
function head(entry: Entry, method: number, packed: number, size: number, name: number): Buffer {
  return Buffer.concat([
    shorts(VERSION, FLAGS, method, entry.lastModFileTime, entry.lastModFileDate),
    numbers(entry.crc32, packed, size),
    shorts(name, 0),
  ])
}

/** What only the list says: no comment, the first disk, the rights, and where the file begins. */
function atEnd(entry: Entry, at: number): Buffer {
  return Buffer.concat([
    shorts(0, 0, entry.internalFileAttributes),
    numbers(entry.externalFileAttributes, at),
  ])
}

function signed(signature: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([numbers(signature), ...parts])
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, i * 2)
  return bytes
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, i * 4)
  return bytes
}
