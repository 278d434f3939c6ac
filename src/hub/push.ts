import type { Archive, Lease, LocalGone, PushCursor } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { FORMAT, type Packed, pack, packRemoval } from './body.ts'
import type { Database } from './database.ts'
import type { Writing } from './seal.ts'
import type { HubSpace } from './settings.ts'
import { isShared, outgoingHeader, outgoingMessage } from './sharing.ts'
import type { SpaceMemory } from './state.ts'

/** One statement is one transaction: of at most so many messages, or bytes. */
const MOST = { messages: 1_000, bytes: 1_000_000 }

export interface Pushing {
  archive: Archive
  database: Database
  space: HubSpace
  /** The space with what is shared with it at this moment. */
  sharedNow(): HubSpace
  /** Begins a new session, as the server refuses this one. False where another process has: then that one goes on. */
  beginAnew(): Promise<boolean>
  writing: Writing
  memory: SpaceMemory
  person: string
  lease: Lease
  onProgress?: (pushed: number) => void
  signal?: AbortSignal
}

/**
 * Sends what changed since the last push. Where this ends in the middle, by a kill or a cut, the same is told again
 * under new numbers: the server finds equal hashes and writes nothing twice.
 */
export async function push(pushing: Pushing): Promise<number> {
  const { memory, signal, onProgress } = pushing
  let pushed = 0
  let isRefused = false
  for (;;) {
    signal?.throwIfAborted()
    try {
      const page = await pushPage(pushing, (count) => onProgress?.(pushed + count))
      pushed += page.pushed
      isRefused = false
      if ((await memory.pushedTo(page.cursor)) && page.done) return pushed
    } catch (error) {
      // Chats were taken back meanwhile: it goes on with what is shared now.
      const isFenced = error instanceof RecollectError && error.code === 'HUB_FENCED'
      if (!isFenced || isRefused || !(await pushing.beginAnew())) throw error
      isRefused = true
    }
  }
}

/**
 * What is shared is asked for each page, after its cursor is known and its session has begun. Who shares more writes
 * that down and then moves the cursor, who shares less writes it down and then ends the session: so a page of what was
 * shared before either is told again or refused.
 */
async function pushPage(
  pushing: Pushing,
  onProgress: (pushed: number) => void,
): Promise<{ pushed: number; cursor: PushCursor; done: boolean }> {
  const { archive, memory } = pushing
  const space = pushing.sharedNow()
  const { gone, chats, cursor, done } = await archive.changesSince(memory.pushCursor, {
    limit: MOST.messages,
    wants: (chat) => isShared(chat, space),
  })
  await forgetChats(
    pushing,
    gone.filter(({ message }) => message === undefined),
  )
  const batches = new Batches(pushing)
  for (const { source, id, message, author } of gone) {
    if (message === undefined || author !== undefined) continue
    batches.chat(source, id)
    batches.removed(message)
  }
  for (const { chat, messages } of chats) {
    const seen = archive.secretsSeen(chat.key)
    batches.chat(chat.source, chat.id, outgoingHeader(chat, space, seen))
    for (const message of messages) {
      const said = outgoingMessage(message, space, seen)
      if (said) batches.message(message.id, said)
      else batches.removed(message.id)
    }
  }
  let pushed = 0
  for (const batch of batches.all()) {
    await send(pushing, batch)
    pushed += batch.messages.length
    onProgress(pushed)
  }
  return { pushed, cursor, done }
}

/** A chat was forgotten here: if it was pushed, it goes there too. What was pulled from a colleague is theirs. */
async function forgetChats(pushing: Pushing, gone: LocalGone[]): Promise<void> {
  const own = gone.filter(({ author }) => author === undefined || author === pushing.person)
  if (own.length === 0) return
  const removed = await forget(pushing, own, 'forgotten')
  if (removed.length > 0) pushing.memory.forgot = [...new Set([...pushing.memory.forgot, ...removed])]
}

export interface Named {
  source: string
  id: string
}

/** Removes chats of one's own, and says which were there. */
async function forget(
  { database, space, writing, memory }: Pick<Pushing, 'database' | 'space' | 'writing'> & Partial<Pushing>,
  chats: Named[],
  why: 'forgotten' | 'again' | 'back',
  owner?: number,
): Promise<string[]> {
  const rows = chats.map(({ source, id }) => {
    const name = writing.name('chat', source, id)
    return {
      name,
      note: pack({ source, id }, writing, `gone\0${name}`),
      json: JSON.stringify({ source, id }),
    }
  })
  const there = await database.query<{ id: string; head: string }>(
    'SELECT * FROM hub.forget_1($1, $2, $3, $4, $5, $6, $7)',
    [
      ...[space.id, owner ?? null, why],
      rows.map(({ name }) => name),
      rows.map(({ note }) => note.format),
      rows.map(({ note }) => note.bytes.length),
      Buffer.concat(rows.map(({ note }) => note.bytes)),
    ],
  )
  if (memory && there[0]) memory.head = Number(there[0].head)
  const names = new Set(there.map(({ id }) => id))
  return rows.filter(({ name }) => names.has(name)).map(({ json }) => json)
}

/** The same for any number of them. Says how many were there. */
export async function forgetAll(
  where: Pick<Pushing, 'database' | 'space' | 'writing'>,
  chats: Named[],
  why: 'forgotten' | 'again' | 'back',
): Promise<number> {
  let count = 0
  for (let from = 0; from < chats.length; from += MOST.messages)
    count += (await forget(where, chats.slice(from, from + MOST.messages), why)).length
  return count
}

interface Batch {
  chats: (Packed & { name: string })[]
  messages: (Packed & { name: string; chat: number })[]
  bytes: number
}

async function send(pushing: Pushing, { chats, messages }: Batch): Promise<void> {
  const { archive, database, space, memory, lease } = pushing
  const [answer] = await database.query<{ head: string; base: string }>(
    'SELECT * FROM hub.push_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    [
      ...[memory.batch + 1, space.id],
      chats.map(({ name }) => name),
      chats.map(({ hash }) => hash),
      chats.map(({ format }) => format),
      chats.map(({ bytes }) => bytes.length),
      messages.map(({ chat }) => chat),
      messages.map(({ name }) => name),
      messages.map(({ hash }) => hash),
      messages.map(({ format }) => format),
      messages.map(({ bytes }) => bytes.length),
      Buffer.concat([...chats, ...messages].map(({ bytes }) => bytes)),
    ],
  )
  memory.batch++
  const [head, base] = [Number(answer!.head), Number(answer!.base)]
  memory.head = head
  // What came since the last pull is our own: it need not come back.
  if (memory.pulled !== base || head <= base) return
  const page = { space: space.name, kind: space.kind, from: base, to: head, chats: [] }
  if ((await archive.applyRemote(page, lease)).applied) memory.pulled = head
}

/** To what the body of a message belongs. */
export function boundTo(chat: string, message: string): string {
  return `${chat}\0${message}`
}

const NAMED: Packed = { format: FORMAT.removed, hash: 0n, bytes: Buffer.alloc(0) }

/** Puts rows into batches, each with the headers of its messages. */
class Batches {
  readonly #writing: Writing
  readonly #batches: Batch[] = []
  #chat: { name: string; header: Packed; source: string; id: string } | undefined

  constructor({ writing }: Pushing) {
    this.#writing = writing
  }

  /** What is put in next is of this chat, of which something may be said itself. */
  chat(source: string, id: string, header?: unknown): void {
    const name = this.#writing.name('chat', source, id)
    this.#chat = { name, source, id, header: header ? pack(header, this.#writing, name) : NAMED }
    this.#place(this.#chat.header.bytes.length)
  }

  message(id: string, said: unknown): void {
    const { name, bound } = this.#named(id)
    this.#add(name, pack(said, this.#writing, bound))
  }

  /** It is no longer there, or no longer goes there. */
  removed(id: string): void {
    const { name, bound } = this.#named(id)
    this.#add(name, packRemoval(id, this.#writing, bound))
  }

  all(): Batch[] {
    return this.#batches
  }

  #named(id: string): { name: string; bound: string } {
    const { source, id: chat, name: of } = this.#chat!
    const name = this.#writing.name('message', ...(this.#writing.sealed ? [source, chat] : []), id)
    return { name, bound: boundTo(of, name) }
  }

  #add(name: string, packed: Packed): void {
    const { batch, chat } = this.#place(packed.bytes.length)
    batch.messages.push({ ...packed, name, chat })
    batch.bytes += packed.bytes.length
  }

  /** The batch that has room, with the header of the present chat in it. */
  #place(bytes: number): { batch: Batch; chat: number } {
    let batch = this.#batches.at(-1)
    const isFull =
      batch && batch.bytes > 0 && (batch.messages.length >= MOST.messages || batch.bytes + bytes > MOST.bytes)
    if (!batch || isFull) {
      batch = { chats: [], messages: [], bytes: 0 }
      this.#batches.push(batch)
    }
    const { name, header } = this.#chat!
    const chat = batch.chats.findLastIndex((each) => each.name === name)
    if (chat >= 0) {
      if (header !== NAMED) batch.chats[chat] = { ...header, name }
      return { batch, chat }
    }
    batch.bytes += header.bytes.length
    return { batch, chat: batch.chats.push({ ...header, name }) - 1 }
  }
}
