import fs from 'node:fs'
import { type Json, list, number, object, objects, string } from '../json.ts'
import { type JsonLine, jsonLines, MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, withoutBase64 } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { empties, History } from './history.ts'
import { Queue, type Waiting } from './queue.ts'
import { applied, MAX_INDEX, pathOf } from './replay.ts'
import { chatOf, type Gleaned, gleaned, requestsOf, type Surroundings } from './session.ts'
import { isSealed, slim, turnMessages } from './turn.ts'

/** Larger than this, the open requests are not remembered and the next change reads the whole log. */
const MAX_STATE = 200_000
const TAIL = 64

const HEADER_FIELDS = [
  'version',
  'sessionId',
  'creationDate',
  'lastMessageDate',
  'customTitle',
  'computedTitle',
  'repoData',
  'workingDirectory',
]

/**
 * A session kept as a log of changes. New lines are applied to what was remembered of the session:
 * its header and the requests still open. A line that changes anything else asks for the whole log.
 */
export function* readLog(
  file: string,
  from: Checkpoint | undefined,
  around: (session: Json) => Surroundings,
): Generator<Found> {
  const remembered = from && recall(file, from)
  const reading = { offset: remembered ? from.offset : 0, problems: [] as Found[] }
  const changed = new Set<number>()
  let session = remembered?.session
  let history: History | undefined
  let queue = remembered?.queue
  if (session && !readOn(file, session, changed, reading, queue!)) session = undefined
  const isRestart = from !== undefined && session === undefined
  if (isRestart) yield { restart: true }
  if (session === undefined) {
    reading.offset = 0
    reading.problems = []
    history = new History()
    queue = history.queue
    session = readAll(file, reading, history)
    if (session) for (const [index] of requestsOf(session)) changed.add(index)
  }
  yield* reading.problems
  const lost = history?.emptied() ?? []
  const before = history ? gleaned({ requests: lost }) : remembered?.facts
  const facts = session && gleaned(session, before)
  const hadTurns = lost.length > 0 || (isRestart && turnsIn(from) > 0)
  if (hadTurns && list(session?.requests).length === 0) yield { problem: { reason: EMPTIED } }
  if (!session || !facts) {
    yield { checkpoint: { offset: 0 } }
    return
  }
  const beside = history?.messages(session) ?? []
  if (facts.turns > 0 || beside.length > 0) {
    const chat = chatOf(session, facts, around(session))
    yield { chat }
    for (const [index, request] of requestsOf(session)) {
      if (!changed.has(index)) continue
      for (const message of turnMessages(request, index)) yield { chatId: chat.id, message }
    }
    for (const message of beside) yield { chatId: chat.id, message }
  }
  const state = toRemember(file, session, { facts, queue: queue?.waiting ?? [] }, reading.offset)
  yield { checkpoint: { offset: reading.offset, state } }
}

/**
 * VS Code (1.139) may write a dialog without any of its requests when another is begun at the wrong
 * moment, and never writes at one stroke. A person takes back requests, not all of them at once.
 */
const EMPTIED = 'emptied by VS Code; what was said before is kept'

function turnsIn({ state }: Checkpoint): number {
  return number(object(object(state)?.facts)?.turns) ?? 0
}

interface Reading {
  offset: number
  problems: Found[]
}

function readAll(file: string, reading: Reading, history: History): Json | undefined {
  let session: Json | undefined
  for (const line of entryLines(file, 0)) {
    reading.offset = line.end
    if (line.problem) reading.problems.push({ problem: line.problem })
    else {
      const isFirst = session === undefined
      session = history.apply(session, line.value)
      if (isFirst && session && object(line.value)?.kind !== 0) {
        reading.problems.push({ problem: { offset: line.offset, reason: 'the log lacks its first entry' } })
      }
    }
  }
  return session
}

/** Applies what came after the checkpoint; false when that is not possible. */
function readOn(file: string, session: Json, changed: Set<number>, reading: Reading, queue: Queue): boolean {
  const requests = list(session.requests)
  const told = new Map<number, string[]>()
  const idsAt = (index: number) => turnMessages(object(requests[index]) ?? {}, index).map(({ id }) => id)
  for (const line of entryLines(file, reading.offset)) {
    reading.offset = line.end
    if (line.problem) {
      reading.problems.push({ problem: line.problem })
      continue
    }
    const entry = object(line.value)
    if (entry?.kind === 0) return false
    const path = pathOf(entry?.k)
    if (!entry || !path) continue
    if (path[0] === 'pendingRequests') {
      applied(session, entry)
      queue.changed(session)
      continue
    }
    if (path[0] !== 'requests') {
      if (HEADER_FIELDS.includes(String(path[0]))) applied(session, entry)
      continue
    }
    const before = requests.length
    const index = path[1]
    if (index === undefined) {
      const cutsOff = typeof entry.i === 'number' && entry.i < before
      if (entry.kind !== 2 || cutsOff) return false
      applied(session, entry)
      for (let added = before; added < requests.length; added++) changed.add(added)
      queue.sent(objects(requests.slice(before)))
    } else {
      if (typeof index !== 'number' || !Object.hasOwn(requests, index)) return false
      // It tells the answer as it was, which may have come since the checkpoint.
      if (path.length === 3 && path[2] === 'response' && isAnswered(requests[index]) && empties(entry))
        return false
      if (!changed.has(index)) told.set(index, idsAt(index))
      applied(session, entry)
      changed.add(index)
    }
  }
  // What is no longer told has to be taken back, which only a whole reading can.
  return [...told].every(([index, before]) => {
    const now = idsAt(index)
    return before.every((id) => now.includes(id))
  })
}

function isAnswered(request: unknown): boolean {
  return list(object(request)?.response).length > 0
}

/** The first line of a log is a whole session, so it may be as long as a document. */
function* entryLines(file: string, from: number): Generator<JsonLine> {
  for (const line of jsonLines(file, { from })) {
    const length = line.end - line.offset
    const isLong = line.problem && length > MAX_LINE_BYTES && length <= MAX_DOCUMENT_BYTES
    const value = isLong ? documentAt(file, line.offset, length) : undefined
    yield value === undefined ? line : { offset: line.offset, end: line.end, value }
  }
}

function documentAt(file: string, offset: number, length: number): unknown {
  try {
    return JSON.parse(withoutBase64(bytesAt(file, offset, length)).toString('utf8'))
  } catch {
    return undefined
  }
}

interface Remembered {
  header: Json
  count: number
  open: Json
  facts: Gleaned
  queue: Waiting[]
  tail: string
}

/** The session as far as it was remembered: `requests` has holes where the sealed ones are. */
function recall(
  file: string,
  { offset, state }: Checkpoint,
): { session: Json; facts: Gleaned; queue: Queue } | undefined {
  const { header, count, open, facts, queue, tail } = (object(state) ?? {}) as Partial<Remembered>
  const length = number(count)
  const isComplete = object(header) && object(open) && object(facts) && length !== undefined && string(tail)
  if (!isComplete || length < 0 || length > MAX_INDEX || tailBefore(file, offset) !== tail) return undefined
  const requests: unknown[] = new Array(length)
  for (const [index, request] of Object.entries(open!)) {
    if (Number(index) < length) requests[Number(index)] = request
  }
  const waiting = new Queue(queue)
  const pendingRequests = waiting.waiting.map(({ id, text }) => ({ id, request: { message: { text } } }))
  return { session: { ...header, requests, pendingRequests }, facts: facts!, queue: waiting }
}

function toRemember(
  file: string,
  session: Json,
  known: Pick<Remembered, 'facts' | 'queue'>,
  offset: number,
): Remembered | undefined {
  const header: Json = {}
  for (const name of HEADER_FIELDS) if (Object.hasOwn(session, name)) header[name] = session[name]
  const repository = object(session.repoData)
  if (repository) header.repoData = { remoteUrl: repository.remoteUrl, localBranch: repository.localBranch }
  const count = list(session.requests).length
  const state = { header, count, open: {}, ...known, tail: tailBefore(file, offset) }
  // A reading may fall into the middle of a save, so the last request is kept even when it is sealed.
  const unsealed = [...requestsOf(session)].filter(([, request]) => !isSealed(request))
  const last = object(list(session.requests).at(-1))
  const withLast = last && isSealed(last) ? [...unsealed, [count - 1, last] as [number, Json]] : unsealed
  for (const kept of [withLast, unsealed, []]) {
    const open = Object.fromEntries(kept.map(([index, request]) => [index, slim(request)]))
    if (sizeOf({ ...state, open }) <= MAX_STATE) return { ...state, open }
  }
  return undefined
}

/** Too large where it cannot be written at all: nested too deeply. */
function sizeOf(state: unknown): number {
  try {
    return JSON.stringify(state).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * The bytes just before a checkpoint. VS Code rewrites a long log as a shorter one that begins the
 * same; when that has grown past the old size, only these bytes tell.
 */
function tailBefore(file: string, offset: number): string {
  const start = Math.max(0, offset - TAIL)
  return bytesAt(file, start, offset - start).toString('base64')
}

function bytesAt(file: string, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  const fd = fs.openSync(file, 'r')
  try {
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, start))
  } finally {
    fs.closeSync(fd)
  }
}
