import path from 'node:path'
import type { Message } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { lines, type Revivable, type RevivedFile, resultText, timesOf, uuidOf } from '../revived.ts'

/** A chat as Copilot CLI resumes it: its events, and what it says of the session beside them. */
export function revive(revivable: Revivable, machine: Machine): RevivedFile[] {
  const { chat, messages } = revivable
  const times = timesOf(revivable)
  const started = times[0] ?? new Date(chat.createdAt ?? 0).toISOString()
  const cwd = chat.workspace ?? machine.home
  const model = messages.find((message) => message.model)?.model
  let parentId: string | null = null
  const records: object[] = []
  const event = (type: string, id: string, timestamp: string, data: object) => {
    records.push({ type, data, id, timestamp, parentId })
    parentId = id
  }
  event('session.start', uuidOf(`${chat.id}:start`), started, {
    ...{ sessionId: chat.id, version: 1, producer: 'copilot-agent', copilotVersion: versionOf(chat.format) },
    ...{ startTime: started, ...(model && { selectedModel: model }) },
    context: { cwd, ...(chat.branch && { branch: chat.branch }) },
    alreadyInUse: false,
    remoteSteerable: false,
  })
  let turn = 0
  let isOpen = false
  const turnEnds = (at: string) => {
    if (isOpen) event('assistant.turn_end', uuidOf(`${chat.id}:end:${turn}`), at, { turnId: String(turn++) })
    isOpen = false
  }
  for (const [i, message] of messages.entries()) {
    const at = times[i]!
    if (message.role === 'assistant' && message.kind !== 'summary') {
      turnEnds(at)
      event('assistant.turn_start', uuidOf(`${chat.id}:turn:${turn}`), at, { turnId: String(turn) })
      isOpen = true
      event('assistant.message', message.id, at, assistantEvent(message, turn))
      for (const { id, tool, args } of message.toolCalls ?? [])
        event('tool.execution_start', uuidOf(`${id}:start`), at, {
          ...{ toolCallId: id, toolName: tool, arguments: args ?? {}, turnId: String(turn) },
        })
    } else if (message.role === 'tool' || message.toolResults?.length) {
      const [result] = message.toolResults ?? []
      if (result) event('tool.execution_complete', message.id, at, ended(result, turn))
    } else {
      turnEnds(at)
      const content =
        message.kind === 'summary' ? `Summary of what was said before:\n\n${message.text}` : message.text
      event('user.message', message.id, at, {
        ...{ content, transformedContent: content, attachments: [], delivery: 'idle' },
        ...(message.kind !== 'request' && { source: 'system' }),
      })
    }
  }
  turnEnds(times.at(-1) ?? started)
  const folder = path.join(
    machine.env.COPILOT_HOME || path.join(machine.home, '.copilot'),
    'session-state',
    chat.id,
  )
  return [
    { path: path.join(folder, 'workspace.yaml'), text: workspaceOf(revivable, cwd, started, times.at(-1)) },
    { path: path.join(folder, 'events.jsonl'), text: lines(records) },
  ]
}

const VERSION = '1.0.102'
/** Files that hold sessions. */
export const SESSION = /session-state[/\\].+\.jsonl$|session_[^/\\]+\.json$/

function versionOf(format: string | undefined): string {
  return /\d+\.\d+\.\d+/.exec(format ?? '')?.[0] ?? VERSION
}

function assistantEvent({ id, text, toolCalls = [], model, usage }: Message, turn: number): object {
  return {
    messageId: uuidOf(`${id}:message`),
    ...(model && { model }),
    content: text,
    toolRequests: toolCalls.map(({ id, server, tool, args }) => ({
      ...{ toolCallId: id, name: tool, arguments: args ?? {}, type: 'function' },
      ...(server && { mcpServerName: server, mcpToolName: tool }),
    })),
    turnId: String(turn),
    ...(usage?.output !== undefined && { outputTokens: usage.output }),
  }
}

function ended(result: NonNullable<Message['toolResults']>[number], turn: number): object {
  const text = resultText(result)
  const isError = result.error !== undefined
  return {
    toolCallId: result.callId,
    turnId: String(turn),
    ...(result.exitCode !== undefined && { shellExecution: { exitCode: result.exitCode } }),
    success: !isError,
    ...(isError ? { error: { message: text } } : { result: { content: text } }),
  }
}

function workspaceOf({ chat }: Revivable, cwd: string, started: string, ended = started): string {
  const name = (chat.title ?? '').replace(/\s+/g, ' ').slice(0, 200)
  const fields = {
    id: chat.id,
    cwd,
    ...(chat.branch && { branch: chat.branch }),
    ...(chat.repository && { repository: chat.repository }),
    ...(name && { name }),
    summary_count: 0,
    created_at: started,
    updated_at: ended,
  }
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? JSON.stringify(value) : value}\n`)
    .join('')
}
