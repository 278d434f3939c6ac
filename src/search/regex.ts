import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Archive, ArchivedChat, WordField } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { toolText } from '../model/tool-text.ts'
import { messageFilter } from './filter.ts'
import { type SearchInput, timeOf } from './input.ts'
import type { Clean, Snippet } from './snippet.ts'

const LIMIT_MS = 10_000
const BATCH = 2_000_000
const BATCH_CHATS = 64

export interface RegexFound {
  chats: { chat: ArchivedChat; hits: number; snippets: Snippet[] }[]
  total: number
  /** What was left out, where the time was up. */
  note?: string
}

/**
 * Every chat in which a pattern matches, the newest first. Reads the whole record, some megabytes at a time,
 * and matches in a thread of its own that is ended when the time is up.
 */
export async function regexSearch(
  archive: Archive,
  input: SearchInput,
  { fields, most, perChat, clean, limitMs = LIMIT_MS }: RegexOptions,
): Promise<RegexFound> {
  const worker = threadFor(input.regex ?? '')
  const until = Date.now() + limitMs
  const found: RegexFound = { chats: [], total: 0 }
  try {
    const keys = await archive.searching((view) => {
      const { source, workspace, role_filter: roles } = input
      const filter = messageFilter(view, { source, workspace, roles, ...timeOf(input) })
      const { chatAt } = view.documents
      return [...view.chatKeys({ subagents: true })]
        .filter((key) => filter.passesChat(key))
        .sort((a, b) => (chatAt[b] ?? 0) - (chatAt[a] ?? 0) || b - a)
    })
    for (let at = 0; at < keys.length; ) {
      const batch = await archive.searching((view) => {
        const texts: string[] = []
        const owners: ArchivedChat[] = []
        let size = 0
        for (let n = 0; at < keys.length && size < BATCH && n < BATCH_CHATS; n++) {
          const chat = view.chat(keys[at++]!)
          for (const text of view.chatTexts(chat.key, fields)) {
            if (text === '') continue
            texts.push(text)
            owners.push(chat)
            size += text.length
          }
        }
        return { texts, owners }
      })
      const raw = await asked(worker, batch.texts, until)
      // What matches only in a secret is no match: who may not read it must not find out what it is.
      const cleaned = batch.texts.map((text, i) => (raw?.[i]?.length ? clean(text, batch.owners[i]) : ''))
      const marks = raw && (await asked(worker, cleaned, until))
      if (!marks) {
        found.note = `Stopped after ${limitMs / 1000} seconds; some chats were not searched. Use a simpler pattern or a filter.`
        break
      }
      const hits = new Map<ArchivedChat, number>()
      for (const [i, list] of marks.entries())
        if (cleaned[i] !== '' && list.length > 0)
          hits.set(batch.owners[i]!, (hits.get(batch.owners[i]!) ?? 0) + 1)
      for (const [chat, count] of hits) {
        found.total++
        if (found.chats.length >= most) continue
        const snippets = await snippetsOf(archive, worker, chat, { fields, perChat, clean, until })
        found.chats.push({ chat, hits: count, snippets })
      }
    }
    return found
  } finally {
    await worker.terminate()
  }
}

export interface RegexOptions {
  fields: WordField[]
  most: number
  perChat: number
  clean: Clean
  limitMs?: number
}

/** Small letters match capitals too, as long as the pattern has no capitals. */
function threadFor(source: string): Worker {
  const flags = `gm${/\p{Lu}/u.test(source.replace(/\\./g, '')) ? '' : 'i'}`
  for (const each of [`${flags}u`, flags]) {
    try {
      new RegExp(source, each)
    } catch (error) {
      if (each.endsWith('u')) continue
      throw new RecollectError(
        'INVALID_QUERY',
        `That is not a regular expression: ${(error as Error).message}`,
        'Escape special characters with a backslash, or search for words.',
      )
    }
    const file = import.meta.url.endsWith('.ts') ? './regex-worker.ts' : './regex-worker.js'
    return new Worker(new URL(file, import.meta.url), { workerData: { source, flags: each } })
  }
  throw new RecollectError('INVALID_QUERY', 'That is not a regular expression.', 'Search for words.')
}

type Marks = [number, number][]

async function asked(worker: Worker, texts: string[], until: number): Promise<Marks[] | undefined> {
  const stop = AbortSignal.timeout(Math.max(1, until - Date.now()))
  worker.postMessage(texts)
  try {
    const [marks] = await once(worker, 'message', { signal: stop })
    return marks as Marks[]
  } catch (error) {
    if ((error as Error).name === 'AbortError') return undefined
    throw error
  }
}

const AROUND = 60

async function snippetsOf(
  archive: Archive,
  worker: Worker,
  chat: ArchivedChat,
  { fields, perChat, clean, until }: { fields: WordField[]; perChat: number; clean: Clean; until: number },
): Promise<Snippet[]> {
  const messages = await archive.messages(chat, {})
  const parts = messages.flatMap((message) => {
    const said = { message, text: message.text, source: 'content' as const }
    const tools = { message, text: toolText(message), source: 'tool' as const }
    return fields.includes('tools') ? [said, tools] : fields.includes('said') ? [said] : []
  })
  // Secrets are taken out before anything is cut; what was found in one is then not shown.
  const texts = parts.map(({ text }) => clean(text, chat))
  const marks = await asked(worker, texts, until)
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
