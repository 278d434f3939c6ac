import type { Attachment, ToolResult } from '../../model/chat.ts'
import { type Json, list, number, object, objects, plain, string, words } from '../json.ts'
import { durationOf, imageOf, usageOf } from './items.ts'
import { filesOfChanges, filesOfCommand } from './patch.ts'
import { promptOf } from './prompt.ts'
import type { Thread } from './thread.ts'
import { draftOf, type Line, messageOf, promptTextOf, takeUsage, type Window } from './window.ts'

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
    takeMcp(payload.call_id, { ...payload, ...object(payload.invocation) }, window)
  } else if (type === 'error') takeError(line, window)
  else if (type === 'entered_review_mode') {
    const hint = words(payload.user_facing_hint) ?? ''
    window.drafts.push({ message: messageOf(line, 'user', 'command', `/review ${hint}`.trim()) })
  } else if (type === 'turn_aborted') {
    endBadly(window, 'cancelled')
    window.over = true
  } else if (type === 'task_complete' || type === 'turn_complete') {
    if (window.lastAnswer) window.lastAnswer.latencyMs = number(payload.duration_ms)
    window.over = true
  }
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
  else if (item.type === 'McpToolCall') takeMcp(item.id, item, window)
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
  const message = messageOf(line, 'user', thread.subagent ? 'delegated' : 'request', prompt.text)
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

function takeError(line: Line, window: Window): void {
  const text = words(line.payload.message)
  if (!text) return
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

function takeMcp(id: unknown, call: Json, window: Window): void {
  const callId = words(id)
  if (!callId) return
  const error = object(call.error)?.message ?? object(call.result)?.Err
  note(window, callId, { durationMs: durationOf(call.duration), error: error ? plain(error) : undefined })
  const made = window.lastAnswer?.toolCalls?.find((known) => known.id === callId)
  if (!made) return
  made.server = words(call.server) ?? made.server
  made.tool = words(call.tool) ?? made.tool
}

function note(window: Window, callId: string, told: Partial<ToolResult>): void {
  const known = Object.entries(told).filter(([, value]) => value !== undefined)
  window.runs.set(callId, { ...window.runs.get(callId), ...Object.fromEntries(known) })
}
