import type { Chat, ChatStatus, FileTouch, Message, Usage } from '../../model/chat.ts'
import { object } from '../json.ts'

/**
 * What has to be remembered between two events of a session, and between two readings of its file.
 * Everything here is bounded, so that the saved form stays well below 256 KB however long the
 * session is: past a bound the oldest entry is forgotten.
 */
export interface EventsState {
  source: string
  sessionId: string
  session: ChatState
  /** Sub-agents by their key in the file, the longest unheard first. */
  agents: Map<string, ChatState>
  /** Tools that run now, by call id. */
  tools: Map<string, OpenTool>
  /** Model calls told before their message, by chat and call id. */
  calls: Map<string, ModelCall>
  /** Messages, as JSON text, whose model call is not told yet; by chat and call id. */
  awaiting: Map<string, string>
  /** Binary assets by their id: their size, and where they stand. */
  assets: Map<string, [bytes: number, offset: number]>
  /** Compactions whose text was neither in the event nor in a checkpoint file yet. */
  summariesDue: SummaryDue[]
  startedAt?: number
  workspace?: string
  repository?: string
  branch?: string
  forkOf?: string
  /** Model calls have records of their own: totals repeat them. */
  usageRecords?: boolean
  /** By model: what messages told since the last totals, and those totals where they go on growing. */
  told: Record<string, Usage>
  totals: Record<string, Usage>
  /** An answer was told without its model. */
  unnamed?: boolean
  /** The model of a session that names it only at its end. */
  endModel?: string
}

export interface ChatState {
  id: string
  /** Something was said: only then the chat is told of. */
  said?: boolean
  /** Its header changed since it was last told. Not saved: headers are told before a checkpoint. */
  changed?: boolean
  title?: string
  parentId?: string
  model?: string
  status?: ChatStatus
  format?: string
  createdAt?: number
  updatedAt?: number
  turnAt?: number
  /** The model call of the last message: several messages may be one answer cut in pieces. */
  call?: string
  /** The last reasoning told: `m…` within a message, `r…` apart from one. */
  thought?: string
}

export interface OpenTool {
  at?: number
  files?: FileTouch[]
  /** It asks the person something. */
  asks?: boolean
  /** For a sub-agent's call: what it is about, and how its prompt begins. */
  about?: string
  prompt?: string
}

export interface ModelCall {
  usage: Usage
  latencyMs?: number
}

export interface SummaryDue {
  chatId: string
  checkpoint: number
  message: Message
}

const LIMITS = { agents: 64, tools: 32, calls: 16, awaiting: 4, assets: 32, due: 16 }
const VERSION = 2

export function newState(source: string, sessionId: string): EventsState {
  return {
    source,
    sessionId,
    session: { id: sessionId },
    agents: new Map(),
    tools: new Map(),
    calls: new Map(),
    awaiting: new Map(),
    assets: new Map(),
    summariesDue: [],
    told: {},
    totals: {},
  }
}

/** Puts an entry last and forgets the first one past the bound; returns what was forgotten. */
export function remember<T>(map: Map<string, T>, limit: keyof typeof LIMITS, key: string, value: T) {
  map.delete(key)
  map.set(key, value)
  if (map.size <= LIMITS[limit]) return undefined
  const [oldest, forgotten] = map.entries().next().value!
  map.delete(oldest)
  return forgotten
}

export function addDue(state: EventsState, due: SummaryDue): void {
  state.summariesDue.push(due)
  if (state.summariesDue.length > LIMITS.due) state.summariesDue.shift()
}

/** The state as JSON for a checkpoint. */
export function saved({ source, sessionId, session, agents, ...rest }: EventsState): unknown {
  return {
    ...rest,
    version: VERSION,
    session: unchanged(session),
    agents: [...agents].map(([key, chat]) => [key, unchanged(chat)]),
    tools: [...rest.tools],
    calls: [...rest.calls],
    awaiting: [...rest.awaiting],
    assets: [...rest.assets],
    summariesDue: [...rest.summariesDue],
    told: { ...rest.told },
    totals: { ...rest.totals },
  }
}

/** The state of a checkpoint, or nothing when it was written by another version. */
export function restored(value: unknown, source: string, sessionId: string): EventsState | undefined {
  const json = object(value)
  if (json?.version !== VERSION || typeof object(json.session)?.id !== 'string') return undefined
  const { version, ...rest } = structuredClone(json)
  try {
    const names = ['agents', 'tools', 'calls', 'awaiting', 'assets']
    const maps = names.map((name) => [name, new Map(rest[name] as [string, unknown][])])
    return { ...newState(source, sessionId), ...rest, ...Object.fromEntries(maps) }
  } catch {
    return undefined
  }
}

/** The header of the session itself as far as its events tell. */
export function sessionChat(state: EventsState): Chat {
  const { createdAt, updatedAt } = state.session
  return {
    ...agentChat(state, state.session),
    subagent: undefined,
    repository: state.repository,
    branch: state.branch,
    createdAt: state.startedAt ?? createdAt,
    // A fork is younger than what was copied into it.
    updatedAt: Math.max(updatedAt ?? 0, state.startedAt ?? 0) || undefined,
    forkOf: state.forkOf,
  }
}

export function agentChat(state: EventsState, chat: ChatState): Chat {
  return {
    source: state.source,
    id: chat.id,
    title: chat.title,
    workspace: state.workspace,
    createdAt: chat.createdAt,
    updatedAt: chat.updatedAt,
    parentId: chat.parentId,
    subagent: true,
    status: chat.status,
    format: chat.format,
  }
}

function unchanged(chat: ChatState): ChatState {
  return { ...chat, changed: undefined }
}
