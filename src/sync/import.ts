import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Archive, Lease, UnitReading } from '../archive/archive.ts'
import type { Chat } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'
import { marked } from '../model/injected.ts'
import { filesOf } from '../sources/imports/files.ts'
import type { ImportFile } from '../sources/imports/import-file.ts'
import { type Recognised, recognise, unknownImport } from '../sources/imports/index.ts'
import { sourceName } from '../sources/names.ts'
import { PIECE_CHARACTERS, PIECE_MESSAGES, weightOf } from './read-unit.ts'
import type { Progress } from './sync.ts'

export interface ImportOptions {
  /** Called with the first export that is found, so that what is none leaves no archive behind. */
  openArchive: () => Archive
  signal: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Only tell what would be imported. */
  dryRun?: boolean
}

export interface ImportResult {
  sources: SourceResult[]
  /** Files that were read, and those beside them that were of no known kind. */
  files: number
  passedOver: number
  problems: { path: string; offset?: number; reason: string }[]
  interrupted: boolean
  dryRun: boolean
}

export interface SourceResult {
  source: string
  name: string
  chats: number
  messages: number
  /** What the import brought; not known of a dry run. */
  chatsAdded?: number
  messagesAdded?: number
  messagesChanged?: number
  messagesUnchanged?: number
  problems: number
}

const MAX_PROBLEMS = 100
const PIECE_CHATS = 500
const BUSY_MS = 10_000
const ASK_AGAIN_MS = 200
const RENEW_MS = 1_500
/** After so long without a pause, signals and timers get their turn. */
const BREATH_MS = 100
/** Below the rank of everything that is read where its assistant keeps it. */
const RANK_OF_EXPORTS = -100_000_000_000

/** Reads a target and writes what it holds, as sync does for the files of assistants. */
export class Importer {
  readonly options: ImportOptions
  readonly extent = { files: 0, bytes: 0 }
  readonly rows = new Map<string, SourceResult>()
  readonly chatsBefore = new Map<string, number>()
  readonly result: ImportResult
  bytesDone = 0
  added = 0
  writing: { archive: Archive; lease: Lease; renewing: NodeJS.Timeout } | undefined
  waiting: UnitReading[] = []
  waitingMessages = 0
  waitingCharacters = 0
  breathedAt = performance.now()

  constructor(options: ImportOptions) {
    this.options = options
    const dryRun = Boolean(options.dryRun)
    this.result = { sources: [], files: 0, passedOver: 0, problems: [], interrupted: false, dryRun }
  }

  async import(target: string): Promise<ImportResult> {
    let reason: string | undefined
    try {
      for await (const offered of filesOf(target, this.extent, this.options.signal)) {
        if (offered.path === undefined) {
          this.problem({ path: offered.origin, reason: offered.problem })
          reason ??= offered.problem
          continue
        }
        const recognised = recognise(offered)
        if (recognised.kind) await this.file(offered, recognised)
        else {
          this.result.passedOver++
          reason ??= recognised.problem?.reason
        }
        this.bytesDone += offered.size
        this.options.signal.throwIfAborted()
      }
    } catch (error) {
      if (!this.options.signal.aborted) throw error
      this.result.interrupted = true
    } finally {
      await this.end()
    }
    if (this.result.files === 0 && !this.result.interrupted) throw unknownImport(target, reason)
    this.result.sources = [...this.rows.values()]
    return this.result
  }

  async file(file: ImportFile, { kind, found, position }: Recognised): Promise<void> {
    if (!this.options.dryRun) await this.begin()
    this.result.files++
    const path = `import:${file.origin}`
    const begun = new Map<string, number>()
    const ownCalls = new Set<string>()
    let told = 0
    let current: UnitReading | undefined
    let counted = false
    for (const item of found) {
      if ('chat' in item) {
        this.wait(current)
        current = await this.reading(item.chat.source, file, path, rankOf(item.chat), begun)
        current.chats.push(item.chat)
        counted = false
      } else if ('message' in item && current) {
        current.messages.push({ ...item, message: marked(item.message, item.chatId, ownCalls) })
        const row = this.row(current.source)
        if (!counted) row.chats++
        counted = true
        row.messages++
        this.waitingMessages++
        this.waitingCharacters += weightOf(item.message)
      } else if ('problem' in item) {
        const source = current?.source ?? (kind.id === 'recollect' ? undefined : kind.id)
        if (source) this.row(source).problems++
        this.problem({ path: file.origin, ...item.problem })
        if (source && ++told <= MAX_PROBLEMS) {
          current ??= await this.reading(source, file, path, 0, begun)
          current.problems.push(item.problem)
        }
      }
      if (this.isFull()) {
        const full: UnitReading | undefined = current
        this.wait(full)
        if (full) current = { ...full, chats: [], messages: [], problems: [], begins: false }
        await this.flush()
      }
      await this.breathe(kind.name, Math.min(position(), file.size))
    }
    this.wait(current)
    await this.flush()
  }

  /** Takes the lease with the first file, so that what is no export leaves no archive behind. */
  async begin(): Promise<void> {
    if (this.writing) return
    const archive = this.options.openArchive()
    try {
      const lease = await takeLease(archive, this.options.signal)
      const renewing = setInterval(() => void archive.renewLease(lease).catch(() => {}), RENEW_MS)
      this.writing = { archive, lease, renewing }
    } catch (error) {
      await archive.close()
      throw error
    }
    for (const { source, chats } of (await archive.overview()).sources) this.chatsBefore.set(source, chats)
  }

  async end(): Promise<void> {
    if (!this.writing) return
    const { archive, lease, renewing } = this.writing
    try {
      await this.flush()
      const after = (await archive.overview()).sources
      for (const row of this.rows.values()) {
        const chats = after.find(({ source }) => source === row.source)?.chats ?? 0
        row.chatsAdded = chats - (this.chatsBefore.get(row.source) ?? 0)
        row.messagesAdded ??= 0
        row.messagesChanged ??= 0
        row.messagesUnchanged = row.messages - row.messagesAdded - row.messagesChanged
      }
    } finally {
      clearInterval(renewing)
      await archive.releaseLease(lease)
      await archive.close()
      this.writing = undefined
    }
  }

  async reading(
    source: string,
    file: ImportFile,
    path: string,
    rank: number,
    begun: Map<string, number>,
  ): Promise<UnitReading> {
    const begins = !begun.has(source)
    const known = begins ? await this.writing?.archive.knownUnit(source, path) : undefined
    const generation = begun.get(source) ?? (known?.generation ?? 0) + 1
    begun.set(source, generation)
    return {
      source,
      path,
      rank,
      fingerprint: { stamp: '', inode: file.inode, size: file.size, mtime: file.mtime, head: '', tail: '' },
      generation,
      chats: [],
      messages: [],
      problems: [],
      begins,
      // Another export may lie under the same name next time: what it does not tell is not gone.
      completes: false,
    }
  }

  wait(reading: UnitReading | undefined): void {
    if (reading && reading.chats.length + reading.messages.length + reading.problems.length > 0)
      this.waiting.push(reading)
  }

  isFull(): boolean {
    return (
      this.waitingMessages >= PIECE_MESSAGES ||
      this.waitingCharacters >= PIECE_CHARACTERS ||
      this.waiting.length >= PIECE_CHATS
    )
  }

  async flush(): Promise<void> {
    const readings = this.waiting
    this.waiting = []
    this.waitingMessages = 0
    this.waitingCharacters = 0
    const { writing } = this
    if (!writing || readings.length === 0) return
    if (!(await writing.archive.renewLease(writing.lease)))
      writing.lease = await takeLease(writing.archive, this.options.signal)
    for (const [source, ofSource] of Map.groupBy(readings, (reading) => reading.source)) {
      const written = await writing.archive.write(ofSource, writing.lease)
      const row = this.row(source)
      row.messagesAdded = (row.messagesAdded ?? 0) + written.added
      row.messagesChanged = (row.messagesChanged ?? 0) + written.changed
      this.added += written.added
    }
  }

  async breathe(source: string, withinFile: number): Promise<void> {
    if (performance.now() - this.breathedAt < BREATH_MS) return
    const { files: units, bytes } = this.extent
    const bytesDone = Math.min(bytes, this.bytesDone + withinFile)
    this.options.onProgress?.({
      source,
      units,
      unitsDone: this.result.files,
      bytes,
      bytesDone,
      messages: this.added,
    })
    await setImmediate()
    this.breathedAt = performance.now()
    this.options.signal.throwIfAborted()
  }

  row(source: string): SourceResult {
    const row = this.rows.get(source) ?? {
      source,
      name: sourceName(source),
      chats: 0,
      messages: 0,
      problems: 0,
    }
    this.rows.set(source, row)
    return row
  }

  problem(problem: ImportResult['problems'][number]): void {
    if (this.result.problems.length < MAX_PROBLEMS) this.result.problems.push(problem)
  }
}

async function takeLease(archive: Archive, signal: AbortSignal): Promise<Lease> {
  const since = performance.now()
  for (;;) {
    const lease = await archive.takeLease('import', 'import')
    if ('holder' in lease) return lease
    if (performance.now() - since > BUSY_MS) {
      throw new RecollectError(
        'ARCHIVE_BUSY',
        `Process ${lease.pid} (${lease.purpose}) is writing to the archive.`,
        'End it, or try again when it is done.',
      )
    }
    await sleep(ASK_AGAIN_MS, undefined, { signal })
  }
}

/** Of two exports that tell a message differently the one is right in which its chat is newer. */
function rankOf({ updatedAt, createdAt }: Chat): number {
  const seconds = Math.floor((updatedAt ?? createdAt ?? 0) / 1000)
  return RANK_OF_EXPORTS + Math.min(Math.max(seconds, 0), -RANK_OF_EXPORTS - 1)
}
