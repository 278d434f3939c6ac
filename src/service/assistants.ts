import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { redact } from '../platform/redact.ts'
import { MALFORMED } from './failure.ts'

/** An assistant by its id or as people write it: `Claude Code`, `claude_code`, `VS Code`. */
export async function assistantNamed(
  archive: Archive,
  given: string,
): Promise<{ id: string; notes: string[] }> {
  const { sourceHint, sourceName, sourcesLike } = await import('../sources/names.ts')
  const { sources } = await import('../sources/index.ts')
  const archived = await sourcesIn(archive)
  const ids = [...new Set([...archived, ...sources.map(({ id }) => id)])]
  if (ids.includes(given)) return { id: given, notes: emptyNote(given, archived, sourceName) }
  const plain = letters(given)
  const equal = ids.filter((id) => [id, sourceName(id)].some((name) => letters(name) === plain))
  const alike =
    equal.length > 0 || plain.length < 3
      ? equal
      : ids.filter((id) => [id, sourceName(id)].some((name) => letters(name).includes(plain)))
  // Several have a name like that; where chats are only of one, that one is meant.
  const found = alike.length > 1 ? alike.filter((id) => archived.includes(id)) : alike
  const [id] = found
  if (found.length === 1 && id !== undefined) {
    const taken = `"${given}" was taken as the assistant ${id}.`
    return { id, notes: [...(letters(id) === plain ? [] : [taken]), ...emptyNote(id, archived, sourceName)] }
  }
  const said =
    alike.length > 1
      ? `"${given}" may be several assistants`
      : `no assistant "${redact(given).slice(0, 100)}"`
  const offered = (alike.length > 1 ? alike : archived).map((each) => `${each} (${sourceName(each)})`)
  if (offered.length === 0) throw new RecollectError(MALFORMED, `${said}.`, sourceHint(given))
  const more = offered.length > MOST_OFFERED + 1 ? [`${offered.length - MOST_OFFERED} more`] : []
  const some = more.length ? offered.slice(0, MOST_OFFERED) : offered
  const like = alike.length > 1 ? [] : sourcesLike(given)
  const withChats = like.filter((each) => archived.includes(each))
  const near = withChats.length > 0 ? withChats : like
  throw new RecollectError(
    MALFORMED,
    `${said}; there are ${[...some, ...more].join(', ')}.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Name one of these.',
  )
}

/** Of the assistants that have chats: the list is for people too. */
const MOST_OFFERED = 8

function emptyNote(id: string, archived: string[], name: (id: string) => string): string[] {
  if (archived.includes(id) || archived.length === 0) return []
  return [`There are no chats of ${name(id)}; there are chats of ${archived.map(name).join(', ')}.`]
}

const known = new WeakMap<Archive, { at: number; ids: string[] }>()
const FRESH_MS = 2_000

/** Assistants with chats, most of them first. */
async function sourcesIn(archive: Archive): Promise<string[]> {
  const before = known.get(archive)
  if (before && Date.now() - before.at < FRESH_MS) return before.ids
  const { sources } = await archive.counts()
  const ids = sources
    .filter(({ chats }) => chats > 0)
    .sort((a, b) => b.chats - a.chats)
    .map(({ source }) => source)
  known.set(archive, { at: Date.now(), ids })
  return ids
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
