import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Earlier, RunRequest, RunResult } from '../agent/agent.ts'
import { RecollectError } from '../model/errors.ts'
import { changeSmallFile } from '../platform/change-file.ts'
import { jsonLinesIn } from '../platform/json-lines.ts'
import { runFile } from '../sources/recollect-agent/place.ts'
import type { Backend } from './backend.ts'
import type { Said } from './openai-said.ts'

/** What of a run is told by the messages that a client sends. */
export type Placed = Pick<
  RunRequest,
  'message' | 'attachments' | 'system' | 'history' | 'since' | 'sessionId' | 'toolResults'
>

/**
 * Clients send all of a dialog each time. Ours is found again by what the person said in it and by how the
 * last answer ended, or by the calls that wait for their results; what the model said between tools does
 * not matter, and neither does what the client made of the white space. One that is not known comes with
 * its history, each message in its role.
 */
export function placed(said: Said[], dialogs: Dialogs, sessionId?: string): Placed {
  const system = said.flatMap((each) => (each.role === 'system' && each.text ? [each.text] : [])).join('\n\n')
  const messages = said.filter((each) => each.role !== 'system')
  const begun = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  const known = sessionId ?? dialogs.find(messages.slice(0, begun))
  const about = { ...(system && { system }), ...(known && { sessionId: known }) }
  const rest = known ? messages.slice(begun) : messages
  const asked = rest.findLastIndex(({ role }) => role === 'user')
  const toolResults = known ? resultsIn(rest) : []
  const results = toolResults.length > 0 && { toolResults }
  const request = rest[asked]
  if (request?.role !== 'user') {
    if (known && toolResults.length > 0) return { ...about, message: '', ...results }
    throw new RecollectError('INVALID_INPUT', 'There is no message of the role user to answer.')
  }
  if (messages.at(-1)?.role === 'assistant')
    throw new RecollectError('INVALID_INPUT', 'The last message must be of the role user or tool.')
  const earlier = rest.slice(0, asked).filter(({ role }) => !known || role !== 'tool')
  const since = rest.slice(asked + 1)
  const { text: message, attachments = [] } = request
  return {
    ...about,
    ...results,
    message,
    ...(attachments.length > 0 && { attachments }),
    ...(earlier.length > 0 && { history: earlier }),
    ...(since.length > 0 && !known && { since }),
  }
}

function resultsIn(messages: Earlier[]): { callId: string; text: string }[] {
  return messages.flatMap((each) => (each.role === 'tool' ? [{ callId: each.callId, text: each.text }] : []))
}

const MOST = 1_000
const FILE = 'agent-dialogs.jsonl'
const DELETED = 'agent-deleted-responses.jsonl'

/** Which dialog goes by which messages: hashes alone, kept in a file so that they hold after a restart. */
export class Dialogs {
  readonly #folder: string
  readonly #file: string
  /** What ended so, newest last: two dialogs may have gone alike so far. */
  readonly #ends = new Map<string, { session: string; says: string[] }[]>()
  readonly #calls = new Map<string, string>()
  readonly #keys = new Map<string, string>()
  readonly #deleted: Set<string>
  #lines = 0

  constructor(folder: string) {
    this.#folder = folder
    this.#file = path.join(folder, FILE)
    for (const entry of entriesIn(this.#file)) this.#take(entry)
    this.#deleted = new Set(jsonLinesIn(path.join(folder, DELETED)).map(({ id }) => String(id)))
  }

  /** It can be asked for no more, and nothing goes on from it. The chat is in the archive: that is its owner's to forget. */
  deleteResponse(id: string): void {
    this.#deleted.add(id)
    fs.appendFileSync(path.join(this.#folder, DELETED), `${JSON.stringify({ id })}\n`, { mode: 0o600 })
  }

  isDeleted(id: string): boolean {
    return this.#deleted.has(id)
  }

  find(messages: Earlier[]): string | undefined {
    const last = messages.at(-1)
    if (last?.role !== 'assistant') return undefined
    const isThere = (id: string | undefined) => id !== undefined && fs.existsSync(runFile(this.#folder, id))
    if (last.calls?.length) return last.calls.map(({ id }) => this.#calls.get(id)).find(isThere)
    const says = hashOf(plain(saidSince(messages)))
    const alike = this.#ends.get(keyOf(messages)) ?? []
    return alike.findLast((each) => each.says.includes(says) && isThere(each.session))?.session
  }

  /** `told`: all that the model said in this run, between tools too. */
  remember(said: Said[], told: string, { sessionId, message, calls = [] }: RunResult): void {
    const messages = said.filter((each) => each.role !== 'system')
    const says = [...new Set([message, told, saidSince(messages) + told].map((text) => hashOf(plain(text))))]
    const entry: Entry = { session: sessionId, key: keyOf(messages), says, calls: calls.map(({ id }) => id) }
    this.#take(entry)
    this.#write(entry)
  }

  #take({ session, key, says, calls }: Entry): void {
    const before = this.#keys.get(session)
    if (before !== undefined) {
      const others = this.#ends.get(before)?.filter((each) => each.session !== session) ?? []
      if (others.length > 0) this.#ends.set(before, others)
      else this.#ends.delete(before)
    }
    this.#keys.delete(session)
    this.#keys.set(session, key)
    this.#ends.set(key, [...(this.#ends.get(key) ?? []), { session, says }])
    for (const id of calls) this.#calls.set(id, session)
    this.#lines++
    for (const map of [this.#calls, this.#keys]) {
      const [oldest] = map.keys()
      if (oldest !== undefined && map.size > MOST) map.delete(oldest)
    }
    const [oldest] = this.#ends.keys()
    if (oldest !== undefined && this.#ends.size > MOST) this.#ends.delete(oldest)
  }

  /** Not being able to is no reason to fail a run: at worst a dialog begins again, with its history. */
  #write(entry: Entry): void {
    try {
      if (this.#lines > 4 * MOST) {
        const kept = entriesIn(this.#file).slice(-MOST)
        changeSmallFile(this.#file, () => kept.map((each) => `${JSON.stringify(each)}\n`).join(''))
        this.#lines = kept.length
      }
      fs.appendFileSync(this.#file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch {}
  }
}

interface Entry {
  session: string
  key: string
  says: string[]
  calls: string[]
}

const known = new WeakMap<Backend, Promise<Dialogs>>()

export async function dialogsOf(backend: Backend): Promise<Dialogs> {
  const made = known.get(backend) ?? backend.folder().then((folder) => new Dialogs(folder))
  known.set(backend, made)
  return await made
}

function entriesIn(file: string): Entry[] {
  return jsonLinesIn(file).flatMap(({ session, key, says, calls }) => {
    const isWhole = typeof session === 'string' && typeof key === 'string'
    return isWhole && Array.isArray(says) && Array.isArray(calls) ? [{ session, key, says, calls }] : []
  })
}

/** All that the person said, with what went with it. */
function keyOf(messages: Earlier[]): string {
  const users = messages.flatMap((each) =>
    each.role === 'user'
      ? [[plain(each.text), (each.attachments ?? []).map(({ data, url }) => data ?? url)]]
      : [],
  )
  return hashOf(JSON.stringify(users))
}

/** What the model said since the person spoke last. */
function saidSince(messages: Earlier[]): string {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(asked + 1)
    .map((each) => (each.role === 'assistant' ? each.text : ''))
    .join('')
}

/** Clients trim, join and take out thoughts. */
function plain(text: string): string {
  return text.replaceAll(/<think>[\s\S]*?<\/think>/g, '').replaceAll(/\s+/g, '')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24)
}
