import type { Message } from '../../model/chat.ts'
import { type Json, millis, number, object, string, words } from '../json.ts'
import type { Checkpoint, Found } from '../source.ts'
import { takeEvent, takeTokenCount } from './events.ts'
import { usageOf } from './items.ts'
import { parentsTurns } from './parents.ts'
import { earlierRollouts, rolloutNameOf, shiftOf } from './rollout-files.ts'
import { openStored, type Stored } from './stored.ts'
import { chatOf, type IsParents, type Thread, takeMeta, takeTurn } from './thread.ts'
import {
  draftOf,
  type Line,
  openWindow,
  promptTextOf,
  settled,
  takeAgentMessage,
  takeItem,
  takeSummary,
  takeUsage,
  type Window,
} from './window.ts'

const CHECKPOINT_BYTES = 1024 * 1024
/** No response of a model comes near; a damaged file may. */
const WINDOW_DRAFTS = 500
const WINDOW_BYTES = 64 * 1024 * 1024

/**
 * One rollout. Turns that were rolled back stand before the line that says so: a file with such
 * lines is read twice, and a grown part that brings one makes the reading start over.
 */
export function* readRollout(
  file: string,
  from: Checkpoint | undefined,
  open = openStored,
): Generator<Found> {
  let stored: Stored
  try {
    stored = open(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    yield { problem: { reason: (error as Error).message } }
    return
  }
  const start = startOf(file)
  let offset = from?.offset ?? 0
  let thread = object(from?.state) as Thread | undefined
  let rolledBack = hasRollback(stored, offset)
  if (from && (rolledBack || !thread || offset > stored.size)) {
    yield { restart: true }
    offset = 0
    thread = undefined
    rolledBack = hasRollback(stored, 0)
  }
  if (offset === 0) yield* takenBack(file, stored, open)
  const undone = rolledBack ? undoneRanges(stored, start) : []
  for (const found of follow(stored, offset, { ...(thread ?? start) })) {
    if ('rollback' in found) continue
    if (!('message' in found)) {
      yield found
      continue
    }
    const { order } = found.message
    while (undone[0] && undone[0].end <= order) undone.shift()
    const isUndone = undone[0] !== undefined && undone[0].first <= order
    yield isUndone ? { ...found, message: { ...found.message, undone: true } } : found
  }
}

function startOf(file: string): Thread {
  return {
    fallbackId: rolloutNameOf(file)?.threadId ?? file.split(/[\\/]/).at(-1),
    format: file.endsWith('.json') ? 'json' : undefined,
    shift: shiftOf(file),
  }
}

/**
 * What a revert took back stands in the thread's earlier rollouts, which do not change by it and are
 * not read again: so the rollout that came of it tells those messages once more, as undone.
 */
function* takenBack(file: string, stored: Stored, open: typeof openStored): Generator<Found> {
  const earlier = earlierRollouts(file)
  if (earlier.length === 0) return
  let meta = metaOf(stored)
  if (!meta) return
  const opened = new Map<string, Stored>()
  for (const each of earlier) {
    try {
      opened.set(each.rolloutId, open(each.file))
    } catch {
      // Its own reading reports it.
    }
  }
  /** By rollout: up to where it is still part of the thread. */
  const kept = new Map<string, number>()
  for (let base = object(meta?.history_base); base; base = object(meta?.history_base)) {
    const id = string(base.thread_id) ?? ''
    const source = opened.get(id)
    // Where a part of the thread's history is missing nobody knows what else belongs to it.
    if (!source && id !== meta?.forked_from_id) return
    if (!source || kept.has(id)) break
    kept.set(id, number(base.end_byte_offset) ?? source.size)
    meta = metaOf(source)
  }
  for (const each of earlier) {
    const source = opened.get(each.rolloutId)
    if (!source) continue
    const start = startOf(each.file)
    const end = (start.shift ?? 0) + (kept.get(each.rolloutId) ?? 0)
    for (const found of follow(source, 0, start)) {
      if ('chat' in found) yield found
      else if ('message' in found && found.message.order >= end) {
        yield { ...found, message: { ...found.message, undone: true } }
      }
    }
  }
}

function metaOf(stored: Stored): Json | undefined {
  for (const { value } of stored.lines(0)) {
    const line = normal(value)
    return line?.type === 'session_meta' ? line.payload : undefined
  }
  return undefined
}

interface Range {
  first: number
  end: number
}

/** As JSON the word ends with a bare quote; quoted in somebody's text the quote is escaped. */
function hasRollback(stored: Stored, from: number): boolean {
  for (const { value, end } of stored.lines(from, (line) => !line.includes('thread_rolled_back"'))) {
    if (end > stored.size) break
    const line = normal(value)
    if (line?.type === 'event_msg' && line.payload.type === 'thread_rolled_back') return true
  }
  return false
}

/** From the first request taken back to the line that took it back. */
function undoneRanges(stored: Stored, start: Thread): Range[] {
  const ranges: Range[] = []
  const requests: number[] = []
  for (const found of follow(stored, 0, { ...start })) {
    if ('message' in found && isTurn(found.message)) {
      requests.push(found.message.order)
    } else if ('rollback' in found && requests.length > 0 && found.rollback > 0) {
      const kept = Math.max(0, requests.length - found.rollback)
      const range = { first: requests[kept]!, end: found.order }
      while (ranges.length > 0 && ranges.at(-1)!.first >= range.first) ranges.pop()
      ranges.push(range)
      requests.length = kept
    }
  }
  return ranges
}

/** An answer to a question is given within a turn. */
function isTurn({ kind, via }: Message): boolean {
  return (kind === 'request' && via !== 'answer') || kind === 'delegated'
}

/** Reads on in one window at a time: see window.ts. */
function* follow(
  stored: Stored,
  from: number,
  thread: Thread,
): Generator<Found | { rollback: number; order: number }> {
  const isParents = parentsTurns(stored.file, thread)
  let window = openWindow(thread, from)
  let lastCheckpoint = from
  const reportedTo = thread.reportedTo ?? 0
  const tell = function* (): Generator<Found> {
    for (const message of settled(window, thread)) {
      thread.id ??= thread.fallbackId!
      if (!thread.told) yield { chat: chatOf(thread) }
      thread.told = true
      yield { chatId: thread.id, message }
    }
  }
  /** All that was said before `offset` is final. */
  const close = function* (offset: number): Generator<Found> {
    yield* tell()
    window = openWindow(thread, offset)
    if (offset - lastCheckpoint < CHECKPOINT_BYTES) return
    lastCheckpoint = offset
    yield { checkpoint: { offset, state: window.start } }
  }
  for (const { offset, end, value, problem } of stored.lines(from, (line) => isUnwanted(line, thread))) {
    if (end > stored.size) break
    if (problem) {
      if (offset >= reportedTo) yield { problem }
      thread.reportedTo = end
      continue
    }
    const record = normal(value)
    if (!record) continue
    const line: Line = { ...record, offset, order: offset + (thread.shift ?? 0) }
    if (beginsAnew(line, window, thread)) yield* close(offset)
    if (line.at !== undefined) thread.updatedAt = Math.max(thread.updatedAt ?? 0, line.at)
    const rollback = line.type === 'event_msg' && line.payload.type === 'thread_rolled_back'
    if (rollback) {
      yield* close(end)
      yield { rollback: Math.floor(number(line.payload.num_turns) ?? 0), order: line.order }
    } else {
      take(line, window, thread, isParents)
      if (window.over) yield* close(end)
    }
  }
  yield* tell()
  if (thread.told) yield { chat: chatOf(thread) }
  yield { checkpoint: { offset: window.offset, state: { ...window.start, reportedTo: thread.reportedTo } } }
}

function take(line: Line, window: Window, thread: Thread, isParents: IsParents): void {
  const { type, payload } = line
  const event = type === 'event_msg' ? payload.type : undefined
  if (type === 'response_item') thread.hasItems = true
  if (type === 'session_meta') takeMeta(thread, payload, line.at, isParents)
  else if (type === 'turn_context' || event === 'task_started' || event === 'turn_started') {
    takeTurn(thread, payload, isParents)
    if (event && !thread.inherited) Object.assign(thread, { status: 'running', inTurn: true, spoke: false })
  } else if (isInherited(line, thread)) {
    if (event === 'token_count') takeTokenCount(payload, undefined, thread)
  } else if (event === 'thread_name_updated') {
    thread.title = words(payload.thread_name)?.slice(0, 500) ?? thread.title
  } else if (type === 'response_item') takeItem(line, window, thread)
  else if (type === 'event_msg') takeEvent(line, window, thread)
  else if (type === 'token_usage_record') {
    thread.usageRecords = true
    takeUsage(window, thread, usageOf(payload.usage))
  } else if (type === 'compacted') takeSummary(line, window, thread)
  else if (type === 'inter_agent_communication') takeAgentMessage(line, window, thread)
}

function isInherited({ ordinal }: Line, { inherited, ownOrdinal }: Thread): boolean {
  return inherited === true || (ownOrdinal !== undefined && ordinal !== undefined && ordinal < ownOrdinal)
}

const ANSWERS = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
  'image_generation_call',
])

/** Whether nothing that is still to come can change what the window holds. */
function beginsAnew(line: Line, window: Window, thread: Thread): boolean {
  if (window.drafts.length === 0 || isInherited(line, thread)) return false
  if (window.drafts.length >= WINDOW_DRAFTS || line.offset - window.offset > WINDOW_BYTES) return true
  const { type, payload } = line
  if (type === 'response_item' && (ANSWERS.has(string(payload.type) ?? '') || payload.role === 'assistant')) {
    return !window.answer
  }
  if (!window.answered) return false
  if (type === 'compacted') return true
  if (type === 'event_msg' && payload.type === 'agent_message') return Boolean(window.answer?.text)
  const text = promptTextOf(line)
  return text !== undefined && !draftOf(window, text)
}

/** The three shapes of lines: wrapped in an envelope, bare items of mid-2025, and their bare header. */
function normal(value: unknown): Omit<Line, 'offset' | 'order'> | undefined {
  const record = object(value)
  if (!record) return undefined
  const type = string(record.type)
  const payload = object(record.payload)
  if (type && payload) {
    return {
      type,
      payload,
      at: millis(record.timestamp),
      stamp: string(record.timestamp),
      ordinal: number(record.ordinal),
    }
  }
  if (payload || record.record_type !== undefined) return undefined
  if (type || record.role !== undefined) return { type: 'response_item', payload: record }
  return words(record.id)
    ? { type: 'session_meta', payload: record, at: millis(record.timestamp) }
    : undefined
}

const HEAD = /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"(\w+)"(?:,"payload":\{"type":"(\w+)")?/
const UNWANTED_TYPES = new Set(['world_state', 'security_risk_score', 'inter_agent_communication_metadata'])
/** Events that repeat response items, where there are any. */
const REPEATING_EVENTS = new Set(['agent_message', 'agent_reasoning'])
/** Those that repeat others, or tell nothing of the chat. */
const UNWANTED_EVENTS = new Set([
  'agent_reasoning_raw_content',
  'thread_settings_applied',
  'context_compacted',
  'exited_review_mode',
  'exec_command_output_delta',
  'web_search_end',
  'image_generation_end',
])

function isUnwanted(line: Buffer, { hasItems }: Thread): boolean {
  const head = HEAD.exec(line.toString('latin1', 0, 200))
  if (!head) return false
  if (head[1] !== 'event_msg') return UNWANTED_TYPES.has(head[1]!)
  const event = head[2] ?? ''
  return UNWANTED_EVENTS.has(event) || (hasItems === true && REPEATING_EVENTS.has(event))
}
