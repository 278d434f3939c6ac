import fs from 'node:fs'
import type { KnownUnit, UnitReading } from '../archive/archive.ts'
import type { Message } from '../model/chat.ts'
import { marked } from '../model/injected.ts'
import type { Machine } from '../platform/machine.ts'
import type { Checkpoint, ReadableSource } from '../sources/source.ts'
import { bornAt, type FoundUnit } from './discover.ts'
import { checkpointToGoOn, marks, stampOf, UNFINISHED } from './fingerprint.ts'
import { wordsOf } from './look.ts'

/** A piece is handed on when it holds so many messages or characters. */
export const PIECE = { messages: 3_000, characters: 8_000_000 }
const MAX_PROBLEMS = 100

/** One piece of a reading: to be written as it is, together with its checkpoint. */
export interface Piece extends UnitReading {
  weight: number
}

/**
 * Reads what is new in a unit, in pieces that end at checkpoints. Never throws: what cannot be read
 * becomes a problem of the unit.
 */
export function* readUnit(
  source: ReadableSource,
  unit: FoundUnit,
  known: KnownUnit | undefined,
  machine: Machine,
  most = PIECE,
): Generator<Piece> {
  const stamp = stampOf(unit)
  let from = tried(() => checkpointToGoOn(unit, known))
  let checkpoint: Checkpoint | undefined = from
  let generation = known ? known.generation + (from ? 0 : 1) : 1
  let fromStart = !from || known?.fingerprint.stamp === UNFINISHED
  let readable = true
  const problems = new ProblemList()
  const ownCalls = new Set<string>()

  const piece = (): Piece => ({
    source: source.id,
    path: unit.path,
    rank: unit.rank ?? 0,
    standsIn: unit.standsIn,
    growth: unit.growth,
    fingerprint: {
      stamp,
      inode: unit.stat.ino,
      size: unit.stat.size,
      mtime: unit.stat.mtimeMs,
      born: bornAt(unit),
      head: '',
      tail: '',
    },
    generation,
    chats: [],
    messages: [],
    problems: [],
    begins: from === undefined || unit.growth !== 'append',
    completes: false,
    weight: 0,
  })
  let current = piece()

  const close = (stampNow: string): Piece => {
    const closed = current
    const found = tried(() => marks(unit.path, unit.growth === 'append' ? (checkpoint?.offset ?? 0) : 0))
    closed.fingerprint = { ...closed.fingerprint, ...found, stamp: stampNow }
    closed.checkpoint = checkpoint
    closed.generation = generation
    closed.problems = problems.take()
    current = { ...piece(), begins: false }
    return closed
  }

  let lastStamp = stamp
  let isEmptied = from === undefined
  try {
    // Readers of whole files tell why one is none; one that may not be read now may be read later, though nothing of it changes.
    fs.closeSync(fs.openSync(unit.path, 'r'))
    for (const found of source.read(unit, from, machine)) {
      if ('message' in found) {
        isEmptied = false
        current.messages.push({ ...found, message: marked(found.message, found.chatId, ownCalls) })
        current.weight += weightOf(found.message)
      } else if ('chat' in found) current.chats.push(found.chat)
      else if ('problem' in found) {
        problems.add(found.problem)
        // A problem without a place is one of the whole file: what it does not tell has not vanished.
        if (found.problem.offset === undefined) readable = false
      } else if ('restart' in found) {
        from = undefined
        checkpoint = undefined
        generation = (known?.generation ?? 0) + 1
        fromStart = true
        current = piece()
      } else {
        checkpoint = found.checkpoint
        if (current.messages.length >= most.messages || current.weight >= most.characters)
          yield close(UNFINISHED)
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    problems.add({ reason: `could not be read: ${wordsOf(error)}` })
    // It may only be locked, or not ours to read, at the moment: try again at the next sync.
    if (unit.growth === 'database' || isOfSystem(error)) lastStamp = UNFINISHED
    readable = false
  }
  // A file that was rewritten without a single message is being written, or lost them: nobody took them back.
  current.completes = readable && !isEmptied && fromStart && generation > 1 && unit.growth !== 'database'
  problems.finish()
  yield close(lastStamp)
}

/** Roughly how many characters a message brings with it. */
export function weightOf({ text, thinking, toolResults, toolCalls }: Message): number {
  let weight = 300 + text.length + (thinking?.length ?? 0) + (toolCalls?.length ?? 0) * 500
  for (const result of toolResults ?? []) weight += (result.text?.length ?? 0) + (result.error?.length ?? 0)
  return weight
}

/** The first problems of a reading; of the rest only how many. */
class ProblemList {
  told = 0
  waiting: UnitReading['problems'] = []

  add(problem: UnitReading['problems'][number]): void {
    this.told++
    if (this.told <= MAX_PROBLEMS) this.waiting.push(problem)
  }

  finish(): void {
    if (this.told > MAX_PROBLEMS) this.waiting.push({ reason: `${this.told - MAX_PROBLEMS} more problems` })
  }

  take(): UnitReading['problems'] {
    return this.waiting.splice(0)
  }
}

/** Whether the system did not let us read, whatever the file says. */
function isOfSystem(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string'
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
