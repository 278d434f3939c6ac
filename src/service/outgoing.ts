import type { Archive } from '../archive/archive.ts'
import type { Clean, SaidIn } from '../model/clean.ts'
import { mayHold, redact, redactJson, redactJsonIn, type Seen, secretsIn } from '../platform/redact.ts'
import type { Caller } from './caller.ts'
import { demand } from './rights.ts'

export interface Outgoing {
  /** For the capability: whatever it cuts goes through this first. */
  clean: Clean
  /** For the whole answer, when it is done: what went through `clean` and was not changed since is not looked at again. */
  finish: Clean
  /** Keys of the chats that texts were taken from. */
  chats: ReadonlySet<number>
}

/** Unredacted text goes to the owner only, by an explicit act. */
export function outgoingFor(archive: Secrets, caller: Caller, asked = caller.reveal === true): Outgoing {
  if (!asked) return redacting(archive)
  demand(caller, ['reveal'])
  const chats = new Set<number>()
  return { clean: (value, said) => noted(chats, value, said), finish: (value) => value, chats }
}

export function cleanerFor(archive: Secrets, caller: Caller, asked = caller.reveal === true): Clean {
  return outgoingFor(archive, caller, asked).clean
}

/** What is said in no chat: settings, arguments of a tool that is about to run. */
export function withoutSecrets<T>(value: T): T {
  return redactJson(value)
}

/** Who knows what was a secret in which chat. */
type Secrets = Pick<Archive, 'secretsSeen'>

/** Names of our own that say nothing of whether the value is a secret; those of tools' arguments may. */
const OURS = new Set(
  'text content preview chatId sessionId messageId id date source role type kind workspace path value why tool stopIf how query intent_query chatIds topChatIds timestamp status notes coverage key asOf nextCursor cursor error message hint stopIf word instead as words expandedTerms excludes tried format note group_by unknownModels actions command lastModified'.split(
    ' ',
  ),
)

/** One of our words, or an id as assistants make them: no rule finds a secret in such. */
const PLAIN = /^(?:[a-z]+(?:[_ -][a-z]+)*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d)$/

/** Shorter than this nothing is a secret. */
const SHORTEST = 8

function noted<T>(chats: Set<number>, value: T, said: SaidIn | undefined): T {
  if (said?.key !== undefined) chats.add(said.key)
  return value
}

function redacting(archive: Secrets): Outgoing {
  const chats = new Set<number>()
  const known = new Known()
  const seen = new Map<unknown, Seen>()
  const seenIn = (said: SaidIn): Seen => {
    const name = said.anywhere ? 'any' : (said.unsynced ?? said.key)
    const found = seen.get(name) ?? secretsOf(archive, said)
    seen.set(name, found)
    return found
  }
  return {
    chats,
    clean(value, said) {
      noted(chats, value, said)
      const redacted = redactJsonIn(value, said && someHolds(value) ? seenIn(said) : undefined)
      known.note(redacted)
      return redacted
    },
    finish: (value) => (isClean(value, known) ? value : (finished(value, '', known) as typeof value)),
  }
}

/** What is archived of a chat was looked through, what is not yet is looked through now. */
function secretsOf(archive: Secrets, { key, unsynced = [], anywhere }: SaidIn): Seen {
  const archived = archive.secretsSeen(anywhere ? 'any' : key)
  if (unsynced.length === 0) return archived
  const seen = archived.with([])
  for (const message of unsynced) for (const { secret } of secretsIn(message)) seen.add(secret)
  return seen
}

/** Most titles and many messages have nothing that may be one: nothing is looked up for them. */
function someHolds(value: unknown): boolean {
  if (typeof value === 'string') return mayHold(value)
  return value !== null && typeof value === 'object' && Object.values(value).some(someHolds)
}

/** Texts without secrets, the last ones: of whole chats that are looked through little leaves, and all of them would be held to the end. */
class Known extends Set<string> {
  #left = MOST_KNOWN

  note(value: unknown): void {
    if (typeof value === 'string') this.#hold(value)
    else if (value && typeof value === 'object') for (const each of Object.values(value)) this.note(each)
  }

  #hold(text: string): void {
    this.#left -= text.length
    if (this.#left < 0) {
      this.clear()
      this.#left = MOST_KNOWN
    }
    this.add(text)
  }
}

/** Characters: several times the longest answer to a model. */
const MOST_KNOWN = 2_000_000

/** In one pass over all that is not known: hardly ever is there anything to take out. */
function isClean(value: unknown, known: Set<string>): boolean {
  const texts: string[] = []
  if (!collect(value, '', known, texts)) return false
  // Our own mark of a cut is of no script, and would have every text looked at twice.
  const all = texts.join('\n\n').replaceAll('…', '\n')
  return redact(all) === all
}

/** False where a name of somebody else's may say that its value is a secret. */
function collect(value: unknown, name: string, known: Set<string>, texts: string[]): boolean {
  if (typeof value === 'string') {
    if (value.length < SHORTEST || known.has(value)) return true
    if (value.length <= 40 && PLAIN.test(value)) return OURS.has(name)
    texts.push(value)
    return OURS.has(name)
  }
  if (!value || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every((each) => collect(each, name, known, texts))
  return Object.entries(value).every(([key, each]) => collect(each, key, known, texts))
}

function finished(value: unknown, name: string, known: Set<string>): unknown {
  if (typeof value === 'string') {
    if (value.length < SHORTEST || known.has(value)) return value
    if (value.length <= 40 && OURS.has(name) && PLAIN.test(value)) return value
    const clean = OURS.has(name) ? redact(value) : redactJson({ [name]: value })[name]!
    // The same text often comes again: an id, a folder.
    known.add(clean)
    return clean
  }
  if (Array.isArray(value)) return value.map((each) => finished(each, name, known))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, finished(each, key, known)]))
}
