import type { Archive, ArchivedChat, WordField } from '../archive/archive.ts'
import type { Message } from '../model/chat.ts'
import { heldText, toolText } from '../model/tool-text.ts'
import { exclusion } from './exclude.ts'
import { messageFilter, narrowingOf } from './filter.ts'
import { type SearchInput, spansOf, timeOf } from './input.ts'
import { patternOf } from './pattern.ts'
import { type Hidden, hidden } from './regex-hidden.ts'
import { type Found, type Pattern, type RegexThreads, regexThreads } from './regex-threads.ts'
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
  const threads = await regexThreads(await archive.folder(), limitMs)
  const { until } = threads
  const isAsked = messagesAsked(input) ?? (() => true)
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
      const all = matched && (await hitsIn(archive, threads, pattern, matched, { clean, until }))
      const hits = all && (await askedFor(archive, input, all, { fields, clean, until }))
      if (!hits) {
        found.note = `Stopped after ${limitMs / 1000} seconds; some chats were not searched. Use a simpler pattern or a filter.`
        break
      }
      for (const [chat, texts] of hits) {
        found.total++
        if (found.total <= skip || found.chats.length >= most) continue
        const snippets = await snippetsOf(archive, threads, chat, {
          pattern,
          fields,
          perChat,
          texts,
          isAsked,
        })
        found.chats.push({ chat, hits: texts.length, snippets })
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
    const { withoutSource } = input
    const filter = messageFilter(view, { ...narrowingOf(input), withoutSource, ...timeOf(input) })
    const { chatAt } = view.documents
    return [...view.chatKeys({ subagents: true })]
      .filter((key) => filter.passesChat(key))
      .sort((a, b) => (chatAt[b] ?? 0) - (chatAt[a] ?? 0) || b - a)
  })
}

/** A text that matches: as it was said, as it is shown, and as the pattern sees it. */
interface HitText extends Hidden {
  raw: string
  shown: string
  isTitle: boolean
}

/**
 * The texts of each chat that match. One with a secret is tried only without it, whether it matched with it or not:
 * who may not read a secret must not find out what it is. Cost: what may match is cleaned, 15 µs for each kilobyte.
 */
async function hitsIn(
  archive: Archive,
  threads: RegexThreads,
  pattern: Pattern,
  matched: Found[],
  { clean, until }: { clean: Clean; until: number },
): Promise<Map<ArchivedChat, HitText[]> | undefined> {
  const hits = new Map<ArchivedChat, HitText[]>()
  if (matched.length === 0) return hits
  const chats = await archive.searching((view) => {
    const there = new Set(view.chatKeys({ subagents: true }))
    return matched.map(({ chat }) => (there.has(chat) ? view.chat(chat) : undefined))
  })
  const texts: { chat: ArchivedChat; text: HitText; isHit?: boolean }[] = []
  for (const [i, chat] of chats.entries()) {
    if (Date.now() > until) return undefined
    for (const { held, matches } of chat ? matched[i]!.held : []) {
      const raw = heldText(held)
      const shown = heldText(clean(held, chat))
      const isTitle = 'title' in held
      if (raw !== shown) texts.push({ chat: chat!, text: { raw, shown, isTitle, ...hidden(shown) } })
      else if (matches) {
        const text = { raw, shown, isTitle, text: raw, shownAt: (place: number) => place }
        texts.push({ chat: chat!, text, isHit: true })
      }
    }
  }
  const changed = texts.filter(({ isHit }) => !isHit)
  const marks = await threads.marks(
    pattern,
    changed.map(({ text }) => text.text),
  )
  if (!marks) return undefined
  for (const [i, each] of changed.entries()) each.isHit = marks[i]!.length > 0
  for (const { chat, text, isHit } of texts) {
    if (!isHit) continue
    const known = hits.get(chat)
    if (known) known.push(text)
    else hits.set(chat, [text])
  }
  return hits
}

/** Of the chats that match, those without what is excluded, and of their texts those of messages that are asked for. */
async function askedFor(
  archive: Archive,
  input: SearchInput,
  hits: Map<ArchivedChat, HitText[]>,
  { fields, clean, until }: Pick<RegexOptions, 'fields' | 'clean'> & { until: number },
): Promise<Map<ArchivedChat, HitText[]> | undefined> {
  const excludes = (input.exclude_terms ?? []).map((term) => term.trim().toLowerCase()).filter(Boolean)
  const isAsked = messagesAsked(input)
  if (excludes.length === 0 && !isAsked) return hits
  const left = new Map<ArchivedChat, HitText[]>()
  for (const [chat, texts] of hits) {
    if (Date.now() > until) return undefined
    const isLeftOut = () => archive.searching((view) => exclusion(view, excludes, fields, clean)(chat.key))
    if (excludes.length > 0 && (await isLeftOut())) continue
    const asked = isAsked ? await ofMessages(archive, chat, texts, isAsked) : texts
    if (asked.length > 0) left.set(chat, asked)
  }
  return left
}

/** Which messages count, where not all of a chat do: as for words. */
function messagesAsked(input: SearchInput): ((message: Message) => boolean) | undefined {
  const { role_filter: roles, months = [] } = input
  const { from, to } = timeOf(input)
  if (!roles && months.length === 0 && from === undefined && to === undefined) return undefined
  const spans = spansOf(months)
  return ({ role, createdAt: at }) => {
    if (roles && !roles.includes(role)) return false
    if (at === undefined) return spans.length === 0
    if (spans.length > 0 && !spans.some(([start, end]) => at >= start && at < end)) return false
    return at >= (from ?? at) && at <= (to ?? at)
  }
}

async function ofMessages(
  archive: Archive,
  chat: ArchivedChat,
  texts: HitText[],
  isAsked: (message: Message) => boolean,
): Promise<HitText[]> {
  const messages = (await archive.messages(chat, {})).filter(isAsked)
  const said = new Set(messages.flatMap((message) => textsOf(message).map(({ text }) => text)))
  return texts.filter(({ raw, isTitle }) => isTitle || said.has(raw))
}

function textsOf(message: Message): { field: WordField; text: string }[] {
  return [
    { field: 'said', text: message.text },
    { field: 'thought', text: message.thinking ?? '' },
    { field: 'tools', text: toolText(message, Number.POSITIVE_INFINITY) },
  ]
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
    texts,
    isAsked,
  }: Pick<RegexOptions, 'fields' | 'perChat'> & {
    pattern: Pattern
    texts: HitText[]
    isAsked: (message: Message) => boolean
  },
): Promise<Snippet[]> {
  const byRaw = new Map(texts.filter(({ isTitle }) => !isTitle).map((text) => [text.raw, text]))
  const messages = (await archive.messages(chat, {})).filter(isAsked)
  const parts = messages
    .flatMap((message) =>
      textsOf(message)
        .filter(({ field }) => fields.includes(field))
        .map(({ field, text }) => {
          const source = field === 'tools' ? ('tool' as const) : ('content' as const)
          return { message, hit: byRaw.get(text), source }
        }),
    )
    .flatMap(({ hit, ...part }) => (hit ? [{ ...part, hit }] : []))
    .slice(0, perChat)
  const marked = await threads.marks(
    pattern,
    parts.map(({ hit }) => hit.text),
  )
  const snippets: Snippet[] = []
  for (const [i, { message, source, hit }] of parts.entries()) {
    const marks = (marked?.[i] ?? []).map(([start, end]): [number, number] => [
      hit.shownAt(start),
      hit.shownAt(end),
    ])
    const [first] = marks
    if (!first) continue
    const from = Math.max(0, first[0] - AROUND)
    const to = Math.min(hit.shown.length, first[1] + AROUND)
    const lead = from > 0 ? '…' : ''
    const shift = lead.length - from
    snippets.push({
      messageId: message.id,
      index: message.index,
      role: message.role,
      type: message.kind,
      createdAt: message.createdAt,
      text: lead + hit.shown.slice(from, to).replace(/\s/g, ' ') + (to < hit.shown.length ? '…' : ''),
      source,
      marks: marks
        .filter(([start, end]) => start >= from && end <= to)
        .map(([start, end]) => [start + shift, end + shift]),
      relevance: 1,
    })
  }
  return snippets
}
