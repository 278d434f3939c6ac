import type { Archive, Lease, RemoteChat, RemoteGone } from '../archive/archive.ts'
import type { Chat, Message } from '../model/chat.ts'
import { FORMAT, unpack, unpackRemoval } from './body.ts'
import type { Database } from './database.ts'
import type { Welcome } from './link.ts'
import { boundTo } from './push.ts'
import type { Writing } from './seal.ts'
import type { HubSpace } from './settings.ts'
import type { SpaceMemory } from './state.ts'

const PAGE = 8_000

export interface Pulling {
  archive: Archive
  database: Database
  /** What the server said last: it is asked again where somebody is new. */
  welcome(): Welcome
  greet(): Promise<void>
  space: HubSpace
  writing: Writing
  memory: SpaceMemory
  lease: Lease
  onProgress?: (done: number, all: number) => void
  signal?: AbortSignal
}

/**
 * Brings what others told since the last pull into the archive: messages, index and cursor in one transaction, so
 * that a kill at any point loses nothing and repeats nothing.
 */
export async function pull(pulling: Pulling): Promise<number> {
  const { archive, database, space, memory, lease, signal, onProgress } = pulling
  await memory.loadCursors()
  const began = memory.pulled
  let count = 0
  for (;;) {
    signal?.throwIfAborted()
    const from = memory.pulled
    const rows = await database.query<Row>('SELECT * FROM hub.pull_1($1, $2, $3)', [space.id, from, PAGE])
    const [page, ...told] = rows
    const [to, head] = [Number(page!.seq), Number(page!.chat)]
    memory.head = head
    if (to <= from) return count
    if (told.some((row) => isUnknown(pulling.welcome(), row))) await pulling.greet()
    const { chats, gone } = read(pulling.welcome(), pulling, told)
    const result = await archive.applyRemote(
      { space: space.name, kind: space.kind, from, to, chats, gone },
      lease,
    )
    await memory.loadCursors()
    if (result.applied) count += result.added + result.changed + result.erased
    memory.pulledAt = Date.now()
    onProgress?.(memory.pulled - began, Math.max(head - began, 1))
    if (to >= head) {
      await memory.save()
      return count
    }
  }
}

interface Row {
  kind: 'p' | 'c' | 'm' | 'g'
  seq: string
  chat: string | null
  id: string
  owner: number
  machine: number
  format: number
  body: Buffer
}

function isUnknown({ people }: Welcome, { kind, owner, machine }: Row): boolean {
  if (kind !== 'c' && kind !== 'g') return false
  const person = people.find(({ id }) => id === owner)
  return !person || (kind === 'c' && !person.machines.some(({ key }) => key === machine))
}

function read(
  welcome: Welcome,
  { writing, memory }: Pulling,
  rows: Row[],
): { chats: RemoteChat[]; gone: RemoteGone[] } {
  const names = new Map(welcome.people.map(({ id, name }) => [id, name]))
  const labels = new Map(
    welcome.people.flatMap(({ machines }) => machines.map(({ key, label }) => [key, label])),
  )
  const chats = new Map<string, RemoteChat & { name: string }>()
  const gone: RemoteGone[] = []
  const readable = <T>(take: () => T): T | undefined => {
    try {
      return take()
    } catch {
      // One that cannot be read is counted, and the rest goes on.
      memory.unreadable++
      return undefined
    }
  }
  for (const { kind, chat, id, owner, machine, format, body } of rows) {
    const author = names.get(owner) ?? `person ${owner}`
    if (kind === 'g') {
      const named = readable(() => headerFrom(unpack(format, body, writing, `gone\0${id}`)))
      if (named) gone.push({ author, source: named.source, id: named.id })
    } else if (kind === 'c') {
      // What this machine pushed itself does not come back.
      if (machine === welcome.machine) continue
      const header = readable(() => headerFrom(unpack(format, body, writing, id)))
      const label = labels.get(machine) ?? `machine ${machine}`
      if (header)
        chats.set(chat!, { author, machine: label, chat: header, messages: [], removed: [], name: id })
    } else if (kind === 'm') {
      const of = chats.get(chat!)
      if (!of) continue
      const bound = boundTo(of.name, id)
      if (format === FORMAT.removed) {
        const removed = readable(() => (unpackRemoval(body, writing, bound) as { id: string }).id)
        if (typeof removed === 'string') of.removed!.push(removed)
        continue
      }
      const message = readable(() => unpack(format, body, writing, bound))
      // Whether it is a message is looked at by the archive.
      if (message) of.messages.push(message as Message)
    }
  }
  return { chats: [...chats.values()].map(({ name: _, ...each }) => each), gone }
}

/** What comes from elsewhere may be anything: a chat without a source or an id is none, and of the rest what is sound is taken. */
function headerFrom(value: unknown): Chat {
  const given = (value ?? {}) as Record<string, unknown>
  const taken = (names: readonly string[], type: string) =>
    Object.fromEntries(names.flatMap((name) => (typeof given[name] === type ? [[name, given[name]]] : [])))
  const header = {
    ...taken(TEXTS, 'string'),
    ...taken(TIMES, 'number'),
    ...taken(FLAGS, 'boolean'),
  } as Partial<Chat>
  const { source, id } = header
  if (!source || !id) throw new Error('no chat')
  return { ...header, source, id }
}

/** A command that resumes a chat is not among them: nothing from elsewhere is ever offered to be run. */
const TEXTS = [
  'source',
  'id',
  'title',
  'workspace',
  'repository',
  'branch',
  'parentId',
  'forkOf',
  'status',
  'format',
] as const
const TIMES = ['createdAt', 'updatedAt'] as const
const FLAGS = ['subagent', 'background'] as const
