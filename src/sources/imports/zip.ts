import fs from 'node:fs'
import path from 'node:path'
import yauzl from 'yauzl'
import { RecollectError } from '../../model/errors.ts'
import { type Extent, mayHoldChats, type Offered } from './import-file.ts'
import { limit, MAX_UNPACKED_BYTES, type Spool } from './spool.ts'

/** Exports are JSON, which packs 5 to 30 times smaller. */
const MAX_RATIO = 200
const RATIO_COUNTS_FROM = 10 * 1024 ** 2
const MAX_ENTRY_BYTES = 4 * 1024 ** 3
const MAX_ENTRIES = 100_000
/** claude.ai packs the chats of a large account in zips inside the zip. */
const MAX_NESTING = 1

interface Zip {
  path: string
  origin: string
}

interface Entry {
  name: string
  entry: yauzl.Entry
}

export function isZip(file: string): boolean {
  const fd = fs.openSync(file, 'r')
  const start = Buffer.alloc(4)
  fs.readSync(fd, start, 0, 4, 0)
  fs.closeSync(fd)
  return (
    start.equals(Buffer.from('PK\x03\x04', 'latin1')) || start.equals(Buffer.from('PK\x05\x06', 'latin1'))
  )
}

/**
 * The files of a zip that may hold chats, each unpacked under a name of ours. All entries are looked
 * at before the first is unpacked: where one is a trick, none is.
 */
export async function* zipFiles(
  zip: Zip,
  spool: Spool,
  extent: Extent,
  nesting = 0,
): AsyncGenerator<Offered> {
  const opened = await yauzl
    .openPromise(zip.path, { autoClose: false, decodeStrings: false, validateEntrySizes: true })
    .catch((error: Error) => {
      throw damaged(zip, error)
    })
  // Told by what is awaited, too; without a listener it would end the process.
  opened.on('error', () => {})
  try {
    const entries = await safeEntries(opened, zip)
    for (const { entry, name } of entries) if (!name.endsWith('.zip')) count(entry, extent)
    const { mtimeMs, ino } = fs.statSync(zip.path)
    const sessions = entries.filter(({ name }) => !name.endsWith('.zip'))
    const together = nesting === 0 && sessions.some(({ name }) => SESSION.test(name))
    if (together)
      for (const { name, size, file, problem } of await unpacked(opened, sessions, spool)) {
        const origin = `${zip.origin}!/${name}`
        if (!file) yield { origin, problem: problem ?? 'could not be unpacked' }
        else yield { path: file, name: path.basename(file), origin, size, mtime: mtimeMs, inode: ino }
      }
    for (const { entry, name } of together ? entries.filter(({ name }) => name.endsWith('.zip')) : entries) {
      spool.signal?.throwIfAborted()
      const origin = `${zip.origin}!/${name}`
      let file: string | undefined
      try {
        file = await spool.keep(await opened.openReadStreamPromise(entry), entry.uncompressedSize)
        if (!name.endsWith('.zip')) {
          const size = entry.uncompressedSize
          yield { path: file, name: path.posix.basename(name), origin, size, mtime: mtimeMs, inode: ino }
        } else if (nesting >= MAX_NESTING) yield { origin, problem: 'a zip in a zip in a zip is not opened' }
        else yield* zipFiles({ path: file, origin }, spool, extent, nesting + 1)
      } catch (error) {
        if ((error as Error).name === 'AbortError' || spool.left < 0) throw error
        yield { origin, problem: (error as Error).message }
      } finally {
        if (file) spool.drop(file)
      }
    }
  } finally {
    opened.close()
  }
}

/** How assistants call the files that belong to a session together with others. */
const SESSION =
  /(^|\/)(rollout-[^/]+\.(jsonl|zst)|events\.jsonl|(ui|claude)_messages\.json|api_conversation_history\.json|[^/]+\.messages\.json|agent-[^/]+\.jsonl|[0-9a-f]{8}-[0-9a-f-]{27}\.jsonl|session-[^/]+\.jsonl?|ses_[^/]+\.json|state\.vscdb|(opencode|sessions|threads|app)\.db)$/

/** All of them at once, side by side as they lay: what a session file says depends on those beside it. */
async function unpacked(opened: yauzl.ZipFile, entries: Entry[], spool: Spool) {
  const folder = `zip-${spool.count++}`
  const files: { name: string; size: number; file?: string; problem?: string }[] = []
  for (const { entry, name } of entries) {
    spool.signal?.throwIfAborted()
    const size = entry.uncompressedSize
    const place = path.join(folder, ...name.split(/[\\/]/).map(harmless))
    try {
      const file = await spool.keep(await opened.openReadStreamPromise(entry), size, place)
      files.push({ name, size, file })
    } catch (error) {
      if ((error as Error).name === 'AbortError' || spool.left < 0) throw error
      files.push({ name, size, problem: (error as Error).message })
    }
  }
  return files
}

/** A part of a path that leads nowhere else, on any system. */
function harmless(part: string): string {
  return /^\.*$/.test(part) ? '_' : part.replace(/[<>:"|?*\u0000-\u001f]/g, '_').slice(0, 200)
}

async function safeEntries(opened: yauzl.ZipFile, zip: Zip): Promise<Entry[]> {
  const kept: Entry[] = []
  const spans: [start: number, end: number][] = []
  let total = 0
  if (opened.entryCount > MAX_ENTRIES) throw unsafe(zip, `it holds more than ${MAX_ENTRIES} files`)
  try {
    for await (const entry of opened.eachEntry()) {
      const name = yauzl.getFileNameLowLevel(
        entry.generalPurposeBitFlag,
        entry.fileNameRaw,
        entry.extraFields,
        false,
      )
      const trick = trickOf(entry, name)
      if (trick) throw unsafe(zip, `${shortName(name)} in it ${trick}`)
      spans.push([
        entry.relativeOffsetOfLocalHeader,
        entry.relativeOffsetOfLocalHeader + entry.compressedSize,
      ])
      total += entry.uncompressedSize
      if (!name.endsWith('/') && mayHoldChats(name)) kept.push({ name: shortName(name), entry })
    }
  } catch (error) {
    throw error instanceof RecollectError ? error : damaged(zip, error as Error)
  }
  if (total > MAX_UNPACKED_BYTES) throw unsafe(zip, `it unpacks to more than ${limit()}`)
  spans.sort((a, b) => a[0] - b[0])
  if (spans.some(([start], place) => place > 0 && start < spans[place - 1]![1]))
    throw unsafe(zip, 'its entries share their bytes')
  return kept.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function trickOf(entry: yauzl.Entry, name: string): string | undefined {
  const { compressedSize, uncompressedSize, externalFileAttributes } = entry
  if (yauzl.validateFileName(name) !== null || name.includes('\0')) return 'points out of it'
  if (((externalFileAttributes >>> 16) & 0o170000) === 0o120000) return 'is a link'
  if (entry.isEncrypted()) return 'is encrypted'
  if (uncompressedSize > MAX_ENTRY_BYTES) return `unpacks to more than ${limit(MAX_ENTRY_BYTES)}`
  if (uncompressedSize > RATIO_COUNTS_FROM && uncompressedSize / Math.max(1, compressedSize) > MAX_RATIO)
    return `unpacks to more than ${MAX_RATIO} times its size`
  return undefined
}

function count({ uncompressedSize }: yauzl.Entry, extent: Extent): void {
  extent.files++
  extent.bytes += uncompressedSize
}

function unsafe({ origin }: Zip, why: string): RecollectError {
  return new RecollectError(
    'UNSAFE_ZIP',
    `"${origin}" was not opened: ${why}.`,
    'If you trust it, unpack it yourself and import the folder.',
  )
}

function damaged({ origin }: Zip, error: Error): RecollectError {
  return new RecollectError(
    'DAMAGED_ZIP',
    `"${origin}" is damaged, or was not downloaded to its end (${shortName(error.message)}).`,
    'Download it again.',
  )
}

/** Fit for a terminal. */
function shortName(name: string): string {
  return name
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '?')
    .slice(0, 500)
}
