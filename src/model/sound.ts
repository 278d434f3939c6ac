import { type Chat, KINDS, type Message, type MessageKind, ROLES, type Role, type Via } from './chat.ts'

/**
 * What comes from another machine may be anything: of a message or a chat those facts are taken that are what they
 * should be, the rest is left out. Undefined where it is no message at all.
 */
export function soundMessage(given: unknown): Message | undefined {
  const told = object(given)
  const { id, text, order, role, kind } = told
  if (typeof id !== 'string' || id === '' || typeof text !== 'string' || !Number.isFinite(order))
    return undefined
  if (!ROLES.includes(role as Role) || !KINDS.includes(kind as MessageKind)) return undefined
  const via = typeof told.via === 'string' && VIA.test(told.via) ? (told.via as Via) : undefined
  return without<Message>({
    id,
    order: order as number,
    role: role as Role,
    kind: kind as MessageKind,
    via,
    createdAt: number(told.createdAt),
    text,
    thinking: string(told.thinking),
    toolCalls: list(told.toolCalls, (call) =>
      typeof call.id === 'string' && typeof call.tool === 'string'
        ? { id: call.id, server: string(call.server), tool: call.tool, args: call.args }
        : undefined,
    ),
    toolResults: list(told.toolResults, (result) =>
      typeof result.callId === 'string'
        ? {
            callId: result.callId,
            own: result.own === true || undefined,
            text: string(result.text),
            json: result.json,
            error: string(result.error),
            exitCode: number(result.exitCode),
            durationMs: number(result.durationMs),
            chat: string(result.chat),
          }
        : undefined,
    ),
    citations: list(told.citations, (each) => strings(each, ['url', 'path', 'title', 'text'])),
    attachments: list(told.attachments, (each) =>
      typeof each.name === 'string' && typeof each.type === 'string'
        ? {
            name: each.name,
            type: each.type,
            ...strings(each, ['path', 'url', 'mimeType', 'text', 'data']),
            bytes: number(each.bytes),
          }
        : undefined,
    ),
    files: list(told.files, ({ path, action }) =>
      typeof path === 'string' && isAction(action) ? { path, action } : undefined,
    ),
    model: string(told.model),
    usage: told.usage === undefined ? undefined : numbers(told.usage, USAGE),
    latencyMs: number(told.latencyMs),
    thinkingMs: number(told.thinkingMs),
    undone: told.undone === true || undefined,
    outcome: told.outcome === 'failed' || told.outcome === 'cancelled' ? told.outcome : undefined,
  })
}

/** The same for what is said of a chat itself. What it takes to go on with it is of another machine: it is left out. */
export function soundChat(given: unknown): Chat | undefined {
  const told = object(given)
  const { source, id } = told
  if (typeof source !== 'string' || typeof id !== 'string' || source === '' || id === '') return undefined
  return without<Chat>({
    source,
    id,
    ...strings(told, ['title', 'workspace', 'repository', 'branch', 'parentId', 'forkOf', 'format']),
    createdAt: number(told.createdAt),
    updatedAt: number(told.updatedAt),
    subagent: told.subagent === true || undefined,
    background: told.background === true || undefined,
    status: STATUSES.has(told.status) ? (told.status as Chat['status']) : undefined,
  })
}

const STATUSES = new Set<unknown>(['running', 'waiting', 'done', 'failed', 'cancelled'])
const VIA = /^(?:queued|refusal|answer|\/.*)$/s
const USAGE = ['input', 'output', 'cached', 'cacheWrite', 'reasoning', 'searches', 'cost'] as const

type Facts = Record<string, unknown>

function object(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? (value as Facts) : {}
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function strings<K extends string>(from: Facts, names: K[]): { [key in K]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => (string(from[name]) === undefined ? [] : [[name, from[name]]])),
  ) as {
    [key in K]?: string
  }
}

function numbers<K extends string>(from: unknown, names: readonly K[]): { [key in K]?: number } {
  const facts = object(from)
  return Object.fromEntries(
    names.flatMap((name) => (number(facts[name]) === undefined ? [] : [[name, facts[name]]])),
  ) as { [key in K]?: number }
}

function list<T extends object>(value: unknown, sound: (each: Facts) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((each) => {
    const kept = sound(object(each))
    return kept ? [without(kept)] : []
  })
}

function isAction(value: unknown): value is 'read' | 'edit' | 'create' | 'delete' | 'rename' {
  return ['read', 'edit', 'create', 'delete', 'rename'].includes(value as string)
}

/** Without the names of what is not known: a message that says the same has to be written the same. */
function without<T extends object>(facts: T): T {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as T
}
