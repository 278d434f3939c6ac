import fs from 'node:fs'
import { redact, redactJson } from '../platform/redact.ts'
import { preview } from '../recall/preview.ts'
import { runFile } from '../sources/recollect-agent/place.ts'
import type { AgentSession, Approval, SessionMessage, SessionQuery } from './agent.ts'
import { approvalsIn } from './approvals.ts'
import { unfinished } from './complete-log.ts'
import { roundsIn } from './rounds.ts'
import type { RunEvent } from './run-event.ts'
import { eventsIn, isRunning, readRun, runIds } from './runs.ts'

/** Enough of a file's beginning and end to say what it is. */
const HEAD = 64 * 1024
const TAIL = 32 * 1024
const TITLE = 80

/** Newest first. Of each file only the beginning and the end are read. */
export function listSessions(folder: string): AgentSession[] {
  const sessions = runIds(folder).flatMap((id) => sessionOf(folder, id) ?? [])
  return sessions.sort((a, b) => b.updatedAt - a.updatedAt)
}

const PAGE = 50

/** Newest first; of those that are not on the page only the time of the file is asked for. */
export function sessionPage(
  folder: string,
  { limit = PAGE, cursor, status }: SessionQuery,
): { sessions: AgentSession[]; next?: string } {
  const found = runIds(folder)
    .flatMap((id) => {
      const at = fs.statSync(runFile(folder, id), { throwIfNoEntry: false })?.mtimeMs
      return at === undefined ? [] : [{ id, place: `${String(Math.floor(at)).padStart(15, '0')}-${id}` }]
    })
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .filter(({ place }) => cursor === undefined || place < cursor)
  const sessions: AgentSession[] = []
  for (const [at, { id, place }] of found.entries()) {
    const session = sessionOf(folder, id)
    if (session && (status === undefined || session.status === status)) sessions.push(session)
    if (sessions.length === limit) return { sessions, ...(at < found.length - 1 && { next: place }) }
  }
  return { sessions }
}

/** Nothing where it was erased meanwhile. */
export function sessionOf(folder: string, id: string): AgentSession | undefined {
  try {
    return sessionFrom(folder, id, endsOf(runFile(folder, id)))
  } catch {
    return undefined
  }
}

export function readSession(folder: string, id: string): AgentSession & { messages: SessionMessage[] } {
  const events = readRun(folder, id)
  const said = unfinished(events)
  // What a killed process was saying, or one is saying just now.
  const begun: RunEvent[] = said ? [{ type: 'answer', ...said, model: '', at: events.at(-1)?.at ?? 0 }] : []
  return { ...sessionFrom(folder, id, events), messages: redactJson(messagesOf([...events, ...begun])) }
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
  const status = statusOf(folder, id, events)
  const begun = events.findLastIndex((event) => event.type === 'request')
  const turn = events.slice(Math.max(0, begun))
  const asked = turn.findLast((event) => event.type === 'question')
  const isOpen = asked && !turn.some((event) => event.type === 'answered' && event.id === asked.id)
  return {
    id,
    title: preview(redact(first?.text ?? ''), TITLE) || '(no title)',
    createdAt: events[0]?.at ?? 0,
    updatedAt: events.at(-1)?.at ?? 0,
    provider: last?.provider ?? '',
    model: last?.model ?? '',
    status,
    ...(status === 'running' && isOpen && { asks: true }),
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
    if ('text' in entry) return [{ role: 'user', text: entry.text, createdAt: entry.at, id: entry.id }]
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
