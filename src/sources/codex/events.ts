import type { Attachment, ChatStatus, Message, ToolResult } from '../../model/chat.ts'
import { type Json, list, number, object, objects, plain, string, words } from '../json.ts'
import { durationOf, imageOf, resultOf, usageOf } from './items.ts'
import { filesOfChanges, filesOfCommand } from './patch.ts'
import { promptOf } from './prompt.ts'
import type { Thread } from './thread.ts'
import {
  draftOf,
  isKnownCall,
  type Line,
  messageOf,
  noteCall,
  openAnswer,
  promptMessage,
  promptTextOf,
  takeUsage,
  type Window,
} from './window.ts'

/** Events mostly repeat the response items; here is what only they know. */
export function takeEvent(line: Line, window: Window, thread: Thread): void {
  const { payload } = line
  const type = string(payload.type) ?? ''
  if (type === 'user_message') confirm(line, payload, window, thread)
  else if (type === 'item_completed') takeCompleted(line, object(payload.item) ?? {}, window, thread)
  else if (type === 'token_count') takeTokenCount(payload, window, thread)
  else if (type === 'exec_command_end') takeRun(payload.call_id, payload, window, thread)
  else if (type === 'patch_apply_end') {
    takeChanges(payload.call_id, payload, payload.success === false, window, thread)
  } else if (type === 'mcp_tool_call_end') {
    takeMcp(line, payload.call_id, { ...payload, ...object(payload.invocation) }, window, thread)
  } else if (type === 'agent_message' || type === 'agent_reasoning') {
    if (!thread.hasItems) takeSaidEvent(line, window, thread)
  } else if (type === 'error') takeError(line, window, thread)
  else if (type === 'entered_review_mode') {
    const hint = words(payload.user_facing_hint) ?? ''
    window.drafts.push({ message: messageOf(line, 'user', 'command', `/review ${hint}`.trim()) })
  } else if (type === 'turn_aborted') {
    endBadly(window, 'cancelled')
    endTurn(window, thread, 'cancelled')
  } else if (type === 'task_complete' || type === 'turn_complete') {
    if (window.lastAnswer) window.lastAnswer.latencyMs = number(payload.duration_ms)
    endTurn(window, thread, 'done')
  }
}

function endTurn(window: Window, thread: Thread, status: ChatStatus): void {
  window.over = true
  Object.assign(thread, { status, inTurn: false, spoke: false, asked: undefined })
}

/** A count may be told again, with other limits but the same total. */
export function takeTokenCount(payload: Json, window: Window | undefined, thread: Thread): void {
  const info = object(payload.info)
  const total = number(object(info?.total_token_usage)?.total_tokens)
  if (!info || (total !== undefined && total === thread.total)) return
  thread.total = total
  if (window && !thread.usageRecords) takeUsage(window, thread, usageOf(info.last_token_usage))
}

function takeCompleted(line: Line, item: Json, window: Window, thread: Thread): void {
  if (item.type === 'UserMessage') confirm(line, item, window, thread)
  else if (item.type === 'CommandExecution') takeRun(item.id, item, window, thread)
  else if (item.type === 'McpToolCall') takeMcp(line, item.id, item, window, thread)
  else if (item.type === 'FileChange') {
    const failed = item.status === 'failed' || item.status === 'declined'
    takeChanges(item.id, item, failed, window, thread)
  }
}

/** The person did send this: the prompt among the drafts is one, whatever it looks like. */
function confirm(line: Line, told: Json, window: Window, thread: Thread): void {
  const text = promptTextOf(line)
  if (text === undefined) return
  thread.confirmsPrompts = true
  const images = imagesOf(told)
  const draft = draftOf(window, text)
  if (draft) {
    draft.unsure = false
    if (images.length > 0 && !draft.message.attachments) draft.message.attachments = images
    return
  }
  const prompt = promptOf(text)
  if (prompt.kind !== 'request' || (!prompt.text && images.length === 0)) return
  const message = promptMessage(line, thread.subagent ? 'delegated' : 'request', prompt.text, thread)
  const attachments = [...prompt.attachments, ...images]
  if (attachments.length > 0) message.attachments = attachments
  window.drafts.push({ message, raw: text, announced: true })
}

function imagesOf({ images, local_images, content }: Json): Attachment[] {
  const found = [
    ...list(images).map((url) => imageOf({ image_url: url })),
    ...list(local_images).map((file) => imageOf({ type: 'local_image', path: file })),
    ...objects(content).map(imageOf),
  ]
  return found.filter((image) => image !== undefined)
}

function endBadly(window: Window, outcome: 'failed' | 'cancelled'): void {
  const last =
    window.lastAnswer ?? window.drafts.findLast(({ message }) => message.kind === 'request')?.message
  if (last) last.outcome = outcome
}

function takeError(line: Line, window: Window, thread: Thread): void {
  const text = words(line.payload.message)
  if (!text) return
  thread.status = 'failed'
  endBadly(window, 'failed')
  window.drafts.push({ message: messageOf(line, 'system', 'notice', text) })
}

function takeRun(id: unknown, run: Json, window: Window, thread: Thread): void {
  const callId = words(id)
  if (!callId) return
  note(window, callId, { exitCode: number(run.exit_code), durationMs: durationOf(run.duration) })
  const cwd = string(run.cwd)?.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '') ?? thread.cwd
  const files = filesOfCommand(run.parsed_cmd, cwd)
  if (files.length > 0) window.touched.set(callId, [...(window.touched.get(callId) ?? []), ...files])
}

function takeChanges(id: unknown, change: Json, failed: boolean, window: Window, thread: Thread): void {
  const callId = words(id)
  if (!callId) return
  const files = failed ? [] : filesOfChanges(change.changes, thread.cwd)
  if (failed) window.touched.delete(callId)
  else if (files.length > 0) window.touched.set(callId, files)
}

function takeMcp(line: Line, id: unknown, call: Json, window: Window, thread: Thread): void {
  const callId = words(id)
  if (!callId) return
  const error = object(call.error)?.message ?? object(call.result)?.Err
  note(window, callId, { durationMs: durationOf(call.duration), error: error ? plain(error) : undefined })
  const made = window.lastAnswer?.toolCalls?.find((known) => known.id === callId)
  if (made) {
    made.server = words(call.server) ?? made.server
    made.tool = words(call.tool) ?? made.tool
  } else if (!isKnownCall(thread, callId)) takeCallOfEvent(line, callId, call, window, thread)
}

/** A script that calls tools leaves their calls in events alone. */
function takeCallOfEvent(line: Line, callId: string, call: Json, window: Window, thread: Thread): void {
  const args = call.arguments ?? undefined
  noteCall(thread, callId)
  const answer = window.lastAnswer ?? openAnswer(line, window, thread)
  answer.toolCalls ??= []
  answer.toolCalls.push({ id: callId, server: words(call.server), tool: words(call.tool) ?? 'unknown', args })
  const told = object(object(call.result)?.Ok) ?? object(call.result)
  const { result, attachments } = resultOf(callId, told?.content)
  if (told?.isError === true) result.error = result.text
  const base = messageOf(line, 'tool', 'tool', '')
  const message: Message = {
    ...base,
    id: `${base.id}:result`,
    order: base.order + 0.5,
    toolResults: [result],
  }
  if (attachments.length > 0) message.attachments = attachments
  window.drafts.push({ message })
  window.answered = true
  window.answer = undefined
}

/** Rollouts without response items have what the model said in events alone. */
function takeSaidEvent(line: Line, window: Window, thread: Thread): void {
  const said = words(line.payload.message)
  const thought = words(line.payload.text)
  if (!said && !thought) return
  const answer = openAnswer(line, window, thread)
  if (said) answer.text = answer.text ? `${answer.text}\n\n${said}` : said
  else answer.thinking = answer.thinking ? `${answer.thinking}\n\n${thought}` : thought
}

function note(window: Window, callId: string, told: Partial<ToolResult>): void {
  const known = Object.entries(told).filter(([, value]) => value !== undefined)
  window.runs.set(callId, { ...window.runs.get(callId), ...Object.fromEntries(known) })
}
