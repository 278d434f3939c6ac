import fs from 'node:fs'
import { redact, redactJson } from '../platform/redact.ts'
import { preview } from '../recall/preview.ts'
import { runFile } from '../sources/recollect-agent/place.ts'
import type { AgentSession, Approval, SessionMessage } from './agent.ts'
import { approvalsIn } from './approvals.ts'
import { roundsIn } from './rounds.ts'
import type { RunEvent } from './run-event.ts'
import { eventsIn, isRunning, readRun, runIds } from './runs.ts'

/** Enough of a file's beginning and end to say what it is. */
const HEAD = 64 * 1024
const TAIL = 32 * 1024
const TITLE = 80

/** Newest first. Of each file only the beginning and the end are read. */
export function listSessions(folder: string): AgentSession[] {
  const sessions = runIds(folder).flatMap((id) => {
    try {
      return [sessionFrom(folder, id, endsOf(runFile(folder, id)))]
    } catch {
      // Erased meanwhile.
      return []
    }
  })
  return sessions.sort((a, b) => b.updatedAt - a.updatedAt)
}

export function readSession(folder: string, id: string): AgentSession & { messages: SessionMessage[] } {
  const events = readRun(folder, id)
  return { ...sessionFrom(folder, id, events), messages: redactJson(messagesOf(events)) }
}

/** What paused dialogs wait for, and nobody has decided yet. */
export function pendingApprovals(folder: string): Approval[] {
  return listSessions(folder)
    .filter(({ status }) => status === 'paused')
    .flatMap(({ id }) => approvalsIn(readRun(folder, id)))
    .filter(({ decision }) => decision === undefined)
    .sort((a, b) => a.askedAt - b.askedAt)
}

function sessionFrom(folder: string, id: string, events: RunEvent[]): AgentSession {
  const first = events.find((event) => event.type === 'request')
  const last = events.findLast((event) => event.type === 'request')
  return {
    id,
    title: preview(redact(first?.text ?? ''), TITLE) || '(no title)',
    createdAt: events[0]?.at ?? 0,
    updatedAt: events.at(-1)?.at ?? 0,
    provider: last?.provider ?? '',
    model: last?.model ?? '',
    status: statusOf(folder, id, events),
  }
}

function statusOf(folder: string, id: string, events: RunEvent[]): AgentSession['status'] {
  if (isRunning(folder, id)) return 'running'
  // Whoever wrote it was killed where it has no end.
  const last = events.findLast((event) => event.type !== 'decision')
  if (last?.type !== 'end') return 'failed'
  return last.status === 'tools' ? 'paused' : last.status
}

function messagesOf(events: RunEvent[]): SessionMessage[] {
  return roundsIn(events).flatMap((entry): SessionMessage[] => {
    if ('text' in entry) return [{ role: 'user', text: entry.text, createdAt: entry.at }]
    const { answer, results } = entry
    const { calls = [] } = answer
    return [
      {
        role: 'assistant',
        text: answer.text,
        createdAt: answer.at,
        ...(calls.length > 0 && {
          toolCalls: calls.map(({ id, name, args }) => ({ id, tool: name, args })),
        }),
      },
      ...calls.flatMap(({ id, name }): SessionMessage[] => {
        const result = results.get(id)
        if (!result) return []
        const { ok: success, text, at } = result
        return [{ role: 'tool', text, createdAt: at, toolResult: { id, tool: name, success, result: text } }]
      }),
    ]
  })
}

function endsOf(file: string): RunEvent[] {
  const fd = fs.openSync(file, 'r')
  try {
    const { size } = fs.fstatSync(fd)
    if (size <= HEAD + TAIL) return eventsIn(textAt(fd, 0, size))
    return [...eventsIn(textAt(fd, 0, HEAD)), ...eventsIn(textAt(fd, size - TAIL, TAIL))]
  } finally {
    fs.closeSync(fd)
  }
}

function textAt(fd: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length)
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, length, from))
}
