import fs from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Archive, Lease, UnitReading } from '../archive/archive.ts'
import { marked } from '../model/injected.ts'
import { filesOf } from '../sources/imports/files.ts'
import type { ImportFile } from '../sources/imports/import-file.ts'
import { type Recognised, recognise, unknownImport } from '../sources/imports/index.ts'
import { loadSigns, type Native, Natives } from '../sources/imports/native.ts'
import { sourceName } from '../sources/names.ts'
import { withReader } from '../sources/source.ts'
import { unitsInHome } from './import-home.ts'
import type { ImportResult, SourceResult } from './import-result.ts'
import { RANK_OF_SESSIONS, rankOfExport, realPath, takeLease } from './import-rights.ts'
import { PIECE, readUnit, weightOf } from './read-unit.ts'
import type { Progress } from './sync.ts'

export interface ImportOptions {
  /** Called with the first export that is found, so that what is none leaves no archive behind. */
  openArchive: () => Archive
  signal: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Only tell what would be imported. */
  dryRun?: boolean
}

const MAX_PROBLEMS = 100
const PIECE_CHATS = 500
const RENEW_MS = 1_500
/** After so long without a pause, signals and timers get their turn. */
const BREATH_MS = 100
const MOST_TAKEN = 1000
const MOST_UNRECOGNISED = 20

/** Reads a target and writes what it holds, as sync does for the files of assistants. */
export class Importer {
  readonly options: ImportOptions
  readonly extent = { files: 0, bytes: 0 }
  readonly rows = new Map<string, SourceResult>()
  natives = new Natives([])
  /** Files that were read: two of them may belong to one session. */
  readonly seen = new Set<string>()
  /** By source: a chat may lie in several files. */
  readonly chatIds = new Map<string, Set<string>>()
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
    this.result = {
      sources: [],
      files: 0,
      passedOver: 0,
      taken: [],
      unrecognised: [],
      problems: [],
      interrupted: false,
      dryRun,
    }
  }

  async import(target: string): Promise<ImportResult> {
    let reason: string | undefined
    this.natives = new Natives(await loadSigns())
    try {
      if (await this.home(target)) return this.whole(target, reason)
      for await (const offered of filesOf(target, this.extent, this.options.signal)) {
        if (offered.path === undefined) {
          this.problem({ path: offered.origin, reason: offered.problem })
          reason ??= offered.problem
          continue
        }
        const native = this.natives.recognise(offered.path, offered.name)
        const recognised = native ? undefined : recognise(offered)
        if (native) await this.session(native, offered)
        else if (recognised?.kind) await this.file(offered, recognised)
        else {
          this.result.passedOver++
          if (this.result.unrecognised.length < MOST_UNRECOGNISED)
            this.result.unrecognised.push(offered.origin)
          // Good lines of somebody unknown are no good document.
          if (!offered.name.endsWith('.jsonl')) reason ??= recognised?.problem?.reason
        }
        this.bytesDone += offered.size
        this.options.signal.throwIfAborted()
      }
    } catch (error) {
      if (!this.options.signal.aborted) throw error
      this.result.interrupted = true
    } finally {
      this.natives.close()
      await this.end()
    }
    return this.whole(target, reason)
  }

  whole(target: string, reason: string | undefined): ImportResult {
    if (this.result.files === 0 && !this.result.interrupted)
      throw unknownImport(target, this.result.passedOver > 1 ? undefined : reason)
    this.result.sources = [...this.rows.values()]
    return this.result
  }

  /** A home folder: what its assistants keep in it, and nothing else. */
  async home(target: string): Promise<boolean> {
    if (!fs.statSync(target, { throwIfNoEntry: false })?.isDirectory()) return false
    const units = unitsInHome(path.resolve(target))
    // The oldest first: a fork comes after what it was forked from.
    units.sort((a, b) => a.unit.stat.mtimeMs - b.unit.stat.mtimeMs)
    this.extent.files = units.length
    this.extent.bytes = units.reduce((sum, { unit }) => sum + unit.stat.size, 0)
    for (const native of units) {
      const { path: file, stat } = native.unit
      const { size, mtimeMs: mtime, ino: inode } = stat
      await this.session(native, { path: file, name: path.basename(file), origin: file, size, mtime, inode })
      this.bytesDone += size
      this.options.signal.throwIfAborted()
    }
    return units.length > 0
  }

  /** A session file of an assistant, read by its own source. */
  async session({ source, unit, machine }: Native, file: ImportFile): Promise<void> {
    const own = `${source.id} ${realPath(unit.path)}`
    if (this.seen.has(own)) return
    this.seen.add(own)
    if (source.id === 'aider' && file.path !== file.origin) {
      const reason = 'an Aider history is known by where it lies: unpack it, and import it from there'
      this.problem({ path: file.origin, reason })
      return
    }
    if (!this.options.dryRun) await this.begin()
    this.result.files++
    const stat = fs.statSync(unit.path, { throwIfNoEntry: false }) ?? fs.statSync(file.path)
    const unitPath = `import:${file.origin}`
    const known = await this.writing?.archive.knownUnit(source.id, unitPath)
    const row = this.row(source.id)
    const chats = new Set<string>()
    let messages = 0
    const reader = await withReader(source)
    for (const { weight, ...piece } of readUnit(reader, { ...unit, stat }, undefined, machine)) {
      const told = lastWords(piece.messages)
      for (const { chatId } of told) chats.add(chatId)
      messages += told.length
      row.problems += piece.problems.length
      for (const problem of piece.problems) this.problem({ path: file.origin, ...problem })
      this.wait({
        ...piece,
        messages: told,
        path: unitPath,
        rank: RANK_OF_SESSIONS + (unit.rank ?? 0),
        fingerprint: { ...piece.fingerprint, stamp: '' },
        checkpoint: undefined,
        generation: (known?.generation ?? 0) + 1,
        // A copy may be older than what is known: what it does not tell is not gone.
        completes: false,
      })
      this.waitingMessages += told.length
      this.waitingCharacters += weight
      if (this.isFull()) await this.flush()
      await this.breathe(source.name, piece.checkpoint?.offset ?? 0)
    }
    const all = this.chatIds.get(source.id) ?? new Set()
    this.chatIds.set(source.id, all)
    for (const id of chats) if (!all.has(id)) row.chats++
    for (const id of chats) all.add(id)
    row.messages += messages
    this.took(file.origin, source.id, chats.size, messages)
  }

  took(file: string, source: string, chats: number, messages: number): void {
    if (this.result.taken.length < MOST_TAKEN)
      this.result.taken.push({ path: file, source, name: sourceName(source), chats, messages })
  }

  async file(file: ImportFile, { kind, found, position }: Recognised): Promise<void> {
    if (!this.options.dryRun) await this.begin()
    this.result.files++
    const unitPath = `import:${file.origin}`
    const before = this.counted()
    const begun = new Map<string, number>()
    const ownCalls = new Set<string>()
    let told = 0
    let current: UnitReading | undefined
    let counted = false
    for (const item of found) {
      if ('chat' in item) {
        this.wait(current)
        current = await this.reading(item.chat.source, file, unitPath, rankOfExport(item.chat), begun)
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
          current ??= await this.reading(source, file, unitPath, 0, begun)
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
    for (const [source, { chats, messages }] of this.counted()) {
      const earlier = before.get(source) ?? { chats: 0, messages: 0 }
      if (messages > earlier.messages)
        this.took(file.origin, source, chats - earlier.chats, messages - earlier.messages)
    }
  }

  counted(): Map<string, { chats: number; messages: number }> {
    return new Map([...this.rows].map(([source, { chats, messages }]) => [source, { chats, messages }]))
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
      this.waitingMessages >= PIECE.messages ||
      this.waitingCharacters >= PIECE.characters ||
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

/** A reader may tell a message again with more in it: only the last word counts, or it would change and change back. */
function lastWords(messages: UnitReading['messages']): UnitReading['messages'] {
  return [...new Map(messages.map((told) => [`${told.chatId}\0${told.message.id}`, told])).values()]
}
