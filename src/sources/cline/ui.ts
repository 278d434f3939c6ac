import path from 'node:path'
import type { Attachment, ChatStatus, Message, MessageKind, ToolCall, Via } from '../../model/chat.ts'
import { type Json, list, millis, number, object, parsed, plain, string, words } from '../json.ts'
import { behindCommand } from '../slash.ts'
import { filesOf, requestUsage, toolSeen } from './ui-tools.ts'

const SPEECH = new Set(['text', 'completion_result', 'followup', 'plan_mode_respond', 'act_mode_respond'])
const RESULTS = new Set([
  'command_output',
  'mcp_server_response',
  'browser_action_result',
  'subtask_result',
  'codebase_search_result',
])
const SUMMARIES = new Set(['condense', 'summarize_task', 'condense_context'])
const TROUBLE = new Set([
  'error',
  'diff_error',
  'api_req_failed',
  'mistake_limit_reached',
  'clineignore_error',
  'rooignore_error',
  'command_permission_denied',
])
/** Marks the extension hangs on texts for its own buttons. */
const MARKS = /(?:HAS_CHANGES|REQ_APP)$/

/**
 * The messages of `ui_messages.json`: one for each thing the person said and one for each call of the
 * model, with all that was thought, said and done in it.
 */
export function uiMessages(entries: Json[], taskKind: MessageKind): Message[] {
  const messages: Message[] = []
  const ids = new Set<string>()
  let turn: Message | undefined
  let answering = false
  let asked = false
  let lastPiece: string | undefined
  /** What the assistant last asked for, and the call that output belongs to. */
  let lastAsk: string | undefined
  let called: Called | undefined

  const add = (entry: Json, order: number, message: Omit<Message, 'id' | 'order'>): Message => {
    const stamp = stampOf(entry, order)
    const id = ids.has(stamp) ? `${stamp}-${order}` : stamp
    ids.add(id)
    const added = { id, order, createdAt: millis(entry.ts), ...message }
    messages.push(added)
    return added
  }

  entries.forEach((entry, order) => {
    if (entry.partial === true) return
    const what = string(entry.say) ?? string(entry.ask) ?? ''
    const text = (string(entry.text) ?? '').replace(MARKS, '')
    const current = (): Message => {
      if (!turn || !answering) turn = add(entry, order, { role: 'assistant', kind: 'answer', text: '' })
      answering = true
      turn.model ??= words(object(entry.modelInfo)?.modelId)
      return turn
    }
    const person = (kind: MessageKind, via?: Via) => {
      const attachments = attachmentsOf(entry)
      const typed = kind === 'request' && !via ? behindCommand(text) : { kind, via, text }
      if (text.trim() || attachments) add(entry, order, { role: 'user', ...typed, attachments })
      asked = true
      answering = false
    }

    if (!asked && !turn && (what === 'text' || what === 'task')) person(taskKind)
    else if (what === 'user_feedback') person('request', feedbackVia(lastAsk))
    else if (what === 'api_req_started') {
      answering = false
      const info = object(parsed(text)) ?? {}
      Object.assign(current(), { usage: requestUsage(info), outcome: outcomeOf(info) })
    } else if (what === 'api_req_finished') {
      if (turn) turn.usage = requestUsage(object(parsed(text)) ?? {}) ?? turn.usage
    } else if (what === 'reasoning') think(current(), words(entry.reasoning) ?? text)
    else if (SPEECH.has(what)) {
      const { said, selected } = speech(what, text)
      if (said) say(current(), said)
      if (selected) {
        add(entry, order + 0.5, { role: 'user', kind: 'request', via: 'answer', text: selected })
        answering = false
      }
      if (words(entry.reasoning)) think(current(), String(entry.reasoning))
    } else if (SUMMARIES.has(what)) {
      const summary =
        words(object(entry.contextCondense)?.summary) ?? words(object(parsed(text))?.context) ?? text
      if (summary.trim()) add(entry, order, { role: 'assistant', kind: 'summary', text: summary })
    } else if (what === 'user_feedback_diff') {
      const file = words(object(parsed(text))?.path)
      add(entry, order, {
        role: 'user',
        kind: 'notice',
        text: plain(object(parsed(text))?.diff),
        files: file ? [{ path: file, action: 'edit' }] : undefined,
      })
    } else if (TROUBLE.has(what)) {
      if (text.trim()) add(entry, order, { role: 'system', kind: 'notice', text })
      if (what === 'diff_error' && called) fail(called, text)
    } else if (RESULTS.has(what)) {
      const piece = resultText(what, text)
      // A piece that was also asked about is there twice.
      if (called && piece !== lastPiece) addResult(called, piece)
      lastPiece = piece
    } else {
      const seen = toolSeen(what, text)
      if (seen) called = call(current(), stampOf(entry, order), seen)
    }
    if (words(entry.ask)) lastAsk = what
    else if (what === 'user_feedback' || what === 'api_req_started' || RESULTS.has(what)) lastAsk = undefined
  })
  return messages.filter((message) => !isEmpty(message))
}

/** What the last entry says about the task: finished, or waiting for the person. */
export function statusOf(entries: Json[]): ChatStatus | undefined {
  const last = entries.findLast((entry) => entry.ask !== 'resume_task' && entry.partial !== true)
  if (last?.ask === 'completion_result' || last?.say === 'completion_result') return 'done'
  if (last?.ask === 'resume_completed_task') return 'done'
  return last?.type === 'ask' ? 'waiting' : undefined
}

/** The time of an entry is also its identity. */
function stampOf(entry: Json, order: number): string {
  return number(entry.ts) === undefined ? `m${order}` : String(entry.ts)
}

function say(turn: Message, text: string): void {
  const said = text.trim()
  // The same text is often there twice: once said, once with the question that goes with it.
  if (said && !turn.text.endsWith(said)) turn.text = turn.text ? `${turn.text}\n\n${said}` : said
}

function think(turn: Message, text: string): void {
  const thought = text.trim()
  if (thought && !turn.thinking?.endsWith(thought)) {
    turn.thinking = turn.thinking ? `${turn.thinking}\n${thought}` : thought
  }
}

/** A call and the message it stands in: its output may come when the next call of the model has begun. */
interface Called {
  turn: Message
  id: string
  tool: string
}

/** Feedback on a question is its answer; on a tool that waits for leave it says why not. */
function feedbackVia(ask: string | undefined): Via | undefined {
  if (ask === 'followup') return 'answer'
  return ask === 'tool' || ask === 'command' || ask === 'use_mcp_server' ? 'refusal' : undefined
}

function call(turn: Message, id: string, seen: Omit<ToolCall, 'id'> & { result?: string }): Called {
  const { result, ...about } = seen
  const before = turn.toolCalls?.at(-1)
  const again = before?.tool === about.tool && plain(before.args) === plain(about.args)
  const callId = again ? before.id : id
  if (!again) {
    turn.toolCalls = [...(turn.toolCalls ?? []), { id: callId, ...about }]
    turn.files = [...(turn.files ?? []), ...filesOf(about)]
    if (turn.files.length === 0) delete turn.files
  }
  if (result && !turn.toolResults?.some((known) => known.callId === callId)) {
    turn.toolResults = [...(turn.toolResults ?? []), { callId, text: result }]
  }
  return { turn, id: callId, tool: about.tool }
}

/** An edit that could not be made. */
function fail({ turn, id, tool }: Called, why: string): void {
  if (filesOf({ tool, args: { path: 'any' } }).length === 0 || !why.trim()) return
  turn.toolResults = [
    ...(turn.toolResults ?? []).filter(({ callId }) => callId !== id),
    { callId: id, error: why },
  ]
}

/** Output comes in pieces, each of them a message of its own. */
function addResult({ turn, id: callId }: Called, text: string): void {
  if (!text.trim()) return
  turn.toolResults ??= []
  const known = turn.toolResults.find((result) => result.callId === callId)
  if (known) known.text = `${known.text ?? ''}\n${text}`
  else turn.toolResults.push({ callId, text })
}

function resultText(what: string, text: string): string {
  if (what !== 'browser_action_result') return text
  return words(object(parsed(text))?.logs) ?? ''
}

/** Questions and plans are JSON with the options offered; `selected` is the one that was clicked. */
function speech(what: string, text: string): { said: string; selected?: string } {
  if (what === 'text' || what === 'completion_result') return { said: text }
  const asked = object(parsed(text))
  if (!asked) return { said: text }
  return {
    said: words(asked.question) ?? words(asked.response) ?? '',
    selected: words(asked.selected),
  }
}

function outcomeOf(info: Json): Message['outcome'] {
  if (info.cancelReason === 'user_cancelled') return 'cancelled'
  return words(info.cancelReason) || words(info.streamingFailedMessage) ? 'failed' : undefined
}

function attachmentsOf(entry: Json): Attachment[] | undefined {
  const images = list(entry.images).map((image): Attachment => {
    const mimeType = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec((string(image) ?? '').slice(0, 100))?.[1]
    return { name: 'image', type: 'image', mimeType }
  })
  const files = list(entry.files).flatMap((file): Attachment[] => {
    const named = words(file)
    return named ? [{ name: path.basename(named), type: 'file', path: named }] : []
  })
  return images.length + files.length > 0 ? [...images, ...files] : undefined
}

/** A call of the model that was broken off before it gave anything says nothing, unless it cost something. */
function isEmpty({ role, text, thinking, toolCalls, usage, outcome, attachments, files }: Message): boolean {
  if (role !== 'assistant') return !text && !attachments && !files
  return !text && !thinking && !toolCalls && !usage && !outcome
}
