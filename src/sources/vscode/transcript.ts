import fs from 'node:fs'
import path from 'node:path'
import type { Attachment, Chat, Message, ToolCall } from '../../model/chat.ts'
import { type Json, millis, object, objects, parsed, string, version, words } from '../json.ts'
import { jsonLines } from '../lines.ts'
import type { Checkpoint, Found } from '../source.ts'
import { sessionFilesOf } from './places.ts'
import { SOURCE_ID, type Surroundings } from './session.ts'
import { placeOf } from './uri.ts'

/**
 * The transcript that Copilot itself writes. It tells less than VS Code's own session and has other
 * ids, so it counts only where there is no session: on the far side of a remote window, or after a
 * crash. Once VS Code has written the session the transcript is not read again, unless VS Code
 * emptied the session, which it does now and then when another one is begun.
 */
export function* readTranscript(
  file: string,
  from: Checkpoint | undefined,
  around: (chatId: string) => Surroundings,
): Generator<Found> {
  const before = object(from?.state)
  if (isCovered(file) || (before?.covered === true && !hasSession(file))) {
    if (from && from.offset > 0) yield { restart: true }
    yield { checkpoint: { offset: 0, state: { covered: true } } }
    return
  }
  const id = path.basename(file, '.jsonl')
  const progress = remembered(before, id)
  const header = (): Found => ({ chat: chatOf(progress, around(progress.id)) })
  let offset = from?.offset ?? 0
  let isHeaderTold = false
  for (const line of jsonLines(file, { from: offset })) {
    offset = line.end
    if (line.problem) {
      yield { problem: line.problem }
      continue
    }
    const message = messageOf(object(line.value) ?? {}, line.offset, progress)
    if (!message) continue
    if (!isHeaderTold) yield header()
    isHeaderTold = true
    yield { chatId: progress.id, message }
  }
  if (progress.told) yield header()
  yield { checkpoint: { offset, state: progress } }
}

const LOOK = 256 * 1024

function hasSession(transcript: string): boolean {
  return sessionFilesOf(transcript).some((file) => fs.existsSync(file))
}

/** Whether VS Code has a session with at least one request; a large file is not an empty session. */
function isCovered(transcript: string): boolean {
  return sessionFilesOf(transcript).some((file) => {
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size === 0 || size > LOOK) return size > 0
    return fs.readFileSync(file).includes('"requestId"')
  })
}

interface Progress {
  id: string
  told: boolean
  cwd?: string
  began?: number
  moved?: number
  version?: string
  /** Tool calls under way: when they began, and whether they are a sub-agent. */
  running: Record<string, { at?: number; subagent: boolean }>
}

function chatOf(progress: Progress, { title, status, workspace, folderName }: Surroundings): Chat {
  const { id, cwd, began, moved } = progress
  return {
    source: SOURCE_ID,
    id,
    title,
    workspace: cwd ?? workspace ?? folderName,
    createdAt: began,
    updatedAt: moved,
    status,
    format: `transcript ${progress.version ?? ''}`.trimEnd(),
  }
}

function remembered(state: Json | undefined, id: string): Progress {
  const { running, ...rest } = (state ?? {}) as Partial<Progress>
  return { id, told: false, ...rest, running: { ...object(running) } as Progress['running'] }
}

const MAX_RUNNING = 200

function messageOf(event: Json, order: number, progress: Progress): Message | undefined {
  const data = object(event.data) ?? {}
  const at = millis(event.timestamp)
  const callId = words(data.toolCallId)
  const id = words(event.id) ?? `event/${order}`
  const message = { id, order, createdAt: at }
  switch (event.type) {
    case 'session.start':
      progress.id = words(data.sessionId) ?? progress.id
      progress.cwd = words(object(data.context)?.cwd) ?? progress.cwd
      progress.began = millis(data.startTime) ?? at
      progress.version = version(data.copilotVersion) ?? progress.version
      return undefined
    case 'user.message':
      return noted(progress, {
        ...message,
        role: 'user',
        kind: Object.values(progress.running).some(({ subagent }) => subagent) ? 'delegated' : 'request',
        text: string(data.content) ?? '',
        attachments: attachmentsOf(data.attachments),
      })
    case 'assistant.message':
      return noted(progress, {
        ...message,
        id: words(data.messageId) ?? id,
        role: 'assistant',
        kind: 'answer',
        text: string(data.content) ?? '',
        thinking: words(data.reasoningText),
        toolCalls: callsOf(data.toolRequests),
      })
    case 'tool.execution_start':
      if (callId && callId !== '__proto__' && Object.keys(progress.running).length < MAX_RUNNING) {
        progress.running[callId] = { at, subagent: /subagent/i.test(string(data.toolName) ?? '') }
      }
      return undefined
    case 'tool.execution_complete': {
      if (!callId) return undefined
      const began = Object.hasOwn(progress.running, callId) ? progress.running[callId]?.at : undefined
      delete progress.running[callId]
      const text = words(object(data.result)?.content)
      const outcome = data.success === false ? { error: text ?? 'failed' } : { text }
      const durationMs = at !== undefined && began !== undefined ? at - began : undefined
      return noted(progress, {
        ...message,
        role: 'tool',
        kind: 'tool',
        text: '',
        toolResults: [{ callId, ...outcome, durationMs }],
      })
    }
    default:
      return undefined
  }
}

function noted(progress: Progress, message: Message): Message {
  progress.told = true
  progress.began ??= message.createdAt
  progress.moved = Math.max(progress.moved ?? 0, message.createdAt ?? 0) || undefined
  return message
}

function callsOf(requests: unknown): ToolCall[] | undefined {
  const calls = objects(requests).flatMap(({ toolCallId, name, arguments: args }) => {
    const [id, tool] = [words(toolCallId), words(name)]
    return id && tool ? [{ id, tool, args: parsed(args) }] : []
  })
  return calls.length > 0 ? calls : undefined
}

function attachmentsOf(value: unknown): Attachment[] | undefined {
  const attachments = objects(value).map((item) => {
    const place = placeOf(item.path ?? item.uri)
    const name = words(item.displayName) ?? words(item.name) ?? place?.name ?? 'attachment'
    return { name, type: words(item.type) ?? 'file', path: place?.path, url: place?.url }
  })
  return attachments.length > 0 ? attachments : undefined
}
