import type { Archive, ArchivedChat, WordField } from '../archive/archive.ts'
import { toolText } from '../model/tool-text.ts'
import { messageFilter, narrowingOf } from './filter.ts'
import { type SearchInput, timeOf } from './input.ts'
import { patternOf } from './pattern.ts'
import { type Marks, type Pattern, type RegexThreads, regexThreads } from './regex-threads.ts'
import type { Clean, Snippet } from './snippet.ts'

const LIMIT_MS = 10_000
/** So many chats are looked through before what was found is told: some megabytes. */
const AT_ONCE = 400

export interface RegexFound {
  chats: { chat: ArchivedChat; hits: number; snippets: Snippet[] }[]
  total: number
  /** What was left out, where the time was up. */
  note?: string
}

/**
 * Every chat in which a pattern matches, the newest first. Threads of their own read the whole record, some
 * hundred chats at a time, and are ended when the time is up.
 */
export async function regexSearch(
  archive: Archive,
  input: SearchInput,
  { fields, most, skip = 0, perChat, clean, limitMs = LIMIT_MS }: RegexOptions,
): Promise<RegexFound> {
  const pattern = patternOf(input.regex ?? '')
  const keys = await chatsFor(archive, input)
  const threads = regexThreads(await archive.folder(), Date.now() + limitMs)
  const found: RegexFound = { chats: [], total: 0 }
  try {
    for (let at = 0; at < keys.length; at += threads.count * AT_ONCE) {
      const lists = await Promise.all(
        Array.from({ length: threads.count }, (_, thread) => {
          const from = at + thread * AT_ONCE
          return threads.find(thread, pattern, keys.slice(from, from + AT_ONCE), fields)
        }),
      )
      const matched = lists.every((list) => list !== undefined) ? lists.flat() : undefined
      const hits = matched && (await hitsIn(archive, threads, pattern, matched, clean))
      if (!hits) {
        found.note = `Stopped after ${limitMs / 1000} seconds; some chats were not searched. Use a simpler pattern or a filter.`
        break
      }
      for (const [chat, count] of hits) {
        found.total++
        if (found.total <= skip || found.chats.length >= most) continue
        const snippets = await snippetsOf(archive, threads, chat, { pattern, fields, perChat, clean })
        found.chats.push({ chat, hits: count, snippets })
      }
    }
    return found
  } finally {
    await threads.end()
  }
}

export interface RegexOptions {
  fields: WordField[]
  /** So many are told elsewhere. */
  skip?: number
  most: number
  perChat: number
  clean: Clean
  limitMs?: number
}

/** The chats that pass the filters, the newest first. */
function chatsFor(archive: Archive, input: SearchInput): Promise<number[]> {
  return archive.searching((view) => {
    const filter = messageFilter(view, { ...narrowingOf(input), ...timeOf(input) })
    const { chatAt } = view.documents
    return [...view.chatKeys({ subagents: true })]
      .filter((key) => filter.passesChat(key))
      .sort((a, b) => (chatAt[b] ?? 0) - (chatAt[a] ?? 0) || b - a)
  })
}

/** How many texts of each chat match. What matches only in a secret is no match: who may not read it must not find out what it is. */
async function hitsIn(
  archive: Archive,
  threads: RegexThreads,
  pattern: Pattern,
  matched: { chat: number; texts: string[] }[],
  clean: Clean,
): Promise<Map<ArchivedChat, number> | undefined> {
  const hits = new Map<ArchivedChat, number>()
  if (matched.length === 0) return hits
  const chats = await archive.searching((view) => {
    const there = new Set(view.chatKeys({ subagents: true }))
    return matched.map(({ chat }) => (there.has(chat) ? view.chat(chat) : undefined))
  })
  const cleaned = matched.flatMap(({ texts }, i) =>
    texts.map((text) => ({ chat: chats[i], raw: text, text: chats[i] ? clean(text, chats[i]) : '' })),
  )
  const changed = cleaned.filter(({ raw, text }) => raw !== text)
  const marks = await threads.marks(
    pattern,
    changed.map(({ text }) => text),
  )
  if (!marks) return undefined
  const isGone = new Set(changed.filter(({ text }, i) => text === '' || marks[i]!.length === 0))
  for (const each of cleaned)
    if (each.chat && !isGone.has(each)) hits.set(each.chat, (hits.get(each.chat) ?? 0) + 1)
  return hits
}

const AROUND = 60

async function snippetsOf(
  archive: Archive,
  threads: RegexThreads,
  chat: ArchivedChat,
  {
    pattern,
    fields,
    perChat,
    clean,
  }: Pick<RegexOptions, 'fields' | 'perChat' | 'clean'> & { pattern: Pattern },
): Promise<Snippet[]> {
  const messages = await archive.messages(chat, {})
  const parts = messages.flatMap((message) => {
    const said = { message, text: message.text, source: 'content' as const }
    const tools = { message, text: toolText(message, Number.POSITIVE_INFINITY), source: 'tool' as const }
    return fields.includes('tools') ? [said, tools] : fields.includes('said') ? [said] : []
  })
  const raw = await threads.marks(
    pattern,
    parts.map(({ text }) => text),
  )
  // Secrets are taken out before anything is cut; what was found in one is then not shown.
  const texts = parts.map(({ text }, i) => (raw?.[i]?.length ? clean(text, chat) : ''))
  const marks: Marks[] | undefined = await threads.marks(pattern, texts)
  const snippets: Snippet[] = []
  for (const [i, { message, source }] of parts.entries()) {
    const [first] = marks?.[i] ?? []
    if (!first || snippets.length >= perChat) continue
    const from = Math.max(0, first[0] - AROUND)
    const to = Math.min(texts[i]!.length, first[1] + AROUND)
    const lead = from > 0 ? '…' : ''
    const shift = lead.length - from
    snippets.push({
      messageId: message.id,
      index: message.index,
      role: message.role,
      type: message.kind,
      createdAt: message.createdAt,
      text: lead + texts[i]!.slice(from, to).replace(/\s/g, ' ') + (to < texts[i]!.length ? '…' : ''),
      source,
      marks: marks!
        [i]!.filter(([start, end]) => start >= from && end <= to)
        .map(([start, end]) => [start + shift, end + shift]),
      relevance: 1,
    })
  }
  return snippets
}
