/**
 * How often search finds the right chat, through the capability itself.
 *
 *   node bench/quality/run.ts --sets FOLDER [--more FOLDER] [--only NAME,…] [--modes MODE,…] [--without PART,…] [--expand auto]
 *
 * FOLDER holds one folder a set with chats.jsonl and queries.jsonl ({id, scope, text, goldChatIds,
 * goldMessageIds}). Sets of several scopes are searched scope by scope, except those of developer
 * sessions, which are searched all at once. Sets whose licence forbids it are not part of this repository.
 * --more: a folder of further queries over the chats of a set, `entire-dev-ru.queries.jsonl`. --modes: of `clean`,
 * `fuzzy`, `typos`, `typos fuzzy`. --without: what a part of search contributes shows where it is taken away.
 *
 * --endpoint URL: with vectors from there (docs/decisions/0004); endpoint.py serves a sentence model so.
 *
 * Two views of each: the ranking (50 chats, 25 snippets each), and what a user sees who sets nothing: ten chats, and
 * the snippets they come with (`shown`: whether the right chat, the evidence, all of the evidence is among them).
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Archive } from '../../src/archive/archive.ts'
import { embedMessages } from '../../src/search/embed.ts'
import { embedderOf } from '../../src/search/embeddings.ts'
import { searchConversations } from '../../src/search/search.ts'
import { dice } from '../corpus/dice.ts'
import { archiveOf, type GivenChat } from './archive-of.ts'
import { type Measures, mean, measured } from './measures.ts'
import { misspelt } from './misspelt.ts'
import { type GivenQuery, setsIn } from './sets.ts'
import { takeAway } from './without.ts'

const POOLED = /^entire/
/** Sets that are searched once more with typing mistakes in the queries. */
const MISSPELT = /^(entire|locomo)-dev$/
const MODES = ['clean', 'fuzzy', 'typos', 'typos fuzzy']
const LIMIT = 50

const OPTIONS = ['sets', 'more', 'only', 'modes', 'without', 'endpoint', 'expand'] as const
const { values } = parseArgs({
  options: Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' as const }])),
}) as { values: Partial<Record<(typeof OPTIONS)[number], string>> }
if (!values.sets || !fs.existsSync(values.sets)) {
  console.error('Where are the sets? node bench/quality/run.ts --sets FOLDER')
  process.exit(2)
}
const isWithoutDates = takeAway(values.without?.split(',') ?? [])
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-quality-'))
const curve: { confidence: number; right: boolean }[] = []
const rows: Record<string, Record<string, number>> = {}
const wanted = values.only?.split(',')
const modes = values.modes?.split(',')
for (const { name, chats, queries } of setsIn(values.sets, values.more)) {
  if (wanted && !wanted.includes(name)) continue
  for (const mode of MISSPELT.test(name) ? MODES : ['clean']) {
    if (modes && !modes.includes(mode)) continue
    const given = { name, chats, queries, fuzzy: mode.includes('fuzzy'), typos: mode.includes('typos') }
    rows[mode === 'clean' ? name : `${name}, ${mode}`] = await run(given)
  }
}
fs.rmSync(temp, { recursive: true, force: true })
console.table(rows)
console.log('Confidence: how often the first chat was the right one')
console.table(
  Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => {
      const given = curve.filter(
        ({ confidence }) => confidence >= i / 10 && confidence < (i + 1) / 10 + (i === 9 ? 1 : 0),
      )
      const right = given.filter((each) => each.right).length / Math.max(1, given.length)
      return [`${i / 10}–${(i + 1) / 10}`, { answers: given.length, right: Math.round(right * 100) / 100 }]
    }),
  ),
)

interface Run {
  name: string
  chats: GivenChat[]
  queries: GivenQuery[]
  fuzzy: boolean
  typos: boolean
}

async function run({ name, chats, queries, fuzzy, typos }: Run): Promise<Record<string, number>> {
  const scopes = POOLED.test(name) ? [undefined] : [...new Set(queries.map(({ scope }) => scope))]
  const found = { message: [] as Measures[], chat: [] as Measures[] }
  const seen: Seen[] = []
  const random = dice(11)
  for (const [i, scope] of scopes.entries()) {
    const file = path.join(temp, 'chats.jsonl')
    const within = scope === undefined ? chats : chats.filter((chat) => chat.scope === scope)
    fs.writeFileSync(file, within.map((chat) => JSON.stringify(chat)).join('\n'))
    const home = path.join(temp, `${name}-${i}-${fuzzy}-${typos}`)
    const archive = await archiveOf(home, file)
    if (values.endpoint) await embedBy(values.endpoint, home, archive)
    for (const query of queries.filter((each) => scope === undefined || each.scope === scope)) {
      const text = typos ? misspelt(query.text, () => random.next()) : query.text
      const { chatIds, messageIds, confidence } = await ask(archive, text, fuzzy)
      if (query.goldChatIds.length > 0) {
        found.chat.push(measured(chatIds, new Set(query.goldChatIds)))
        if (!fuzzy && !typos) curve.push({ confidence, right: query.goldChatIds.includes(chatIds[0] ?? '') })
      }
      if (query.goldMessageIds.length > 0) {
        found.message.push(measured(messageIds, new Set(query.goldMessageIds)))
      }
      seen.push(await shownTo(archive, text, query, fuzzy))
    }
    await archive.close()
  }
  const figures: Record<string, number> = {}
  for (const level of ['chat', 'message'] as const)
    if (found[level].length > 0)
      for (const measure of ['recall@1', 'recall@10', 'mrr', 'ndcg@10'] as const)
        figures[`${level} ${measure}`] = mean(found[level], measure)
  const share = (list: (boolean | undefined)[]) =>
    Math.round((list.filter(Boolean).length / list.length) * 1000) / 1000
  figures['chat shown'] = share(seen.map(({ chat }) => chat))
  const withEvidence = seen.filter(({ evidence }) => evidence !== undefined)
  if (withEvidence.length > 0) {
    figures['evidence shown'] = share(withEvidence.map(({ evidence }) => evidence))
    figures['all evidence shown'] = share(withEvidence.map(({ all }) => all))
  }
  figures['snippets shown'] = Math.round(seen.reduce((sum, { snippets }) => sum + snippets, 0) / seen.length)
  return figures
}

interface Seen {
  chat: boolean
  evidence?: boolean
  all?: boolean
  snippets: number
}

async function embedBy(url: string, home: string, archive: Archive): Promise<void> {
  const embeddings = { url, model: 'bench' }
  fs.writeFileSync(path.join(home, 'config.json'), JSON.stringify({ embeddings }))
  await embedMessages(archive, embedderOf(embeddings))
}

/** What a user sees who sets nothing: ten chats, and the snippets they come with. */
async function shownTo(
  archive: Archive,
  text: string,
  { goldChatIds, goldMessageIds }: GivenQuery,
  fuzzy: boolean,
): Promise<Seen> {
  try {
    const { results, topChatIds } = await searchConversations(archive, {
      intent_query: asked(text),
      ...(fuzzy && { precision_mode: 'fuzzy' }),
      ...(values.expand === 'auto' && { expand: 'auto' }),
    })
    const list = results.flatMap(({ snippets }) => snippets.map(({ messageId }) => messageId))
    const shown = new Set(list)
    return {
      chat: goldChatIds.some((id) => topChatIds.includes(id)),
      ...(goldMessageIds.length > 0 && {
        evidence: goldMessageIds.some((id) => shown.has(id)),
        all: goldMessageIds.every((id) => shown.has(id)),
      }),
      snippets: list.length,
    }
  } catch {
    return { chat: false, ...(goldMessageIds.length > 0 && { evidence: false, all: false }), snippets: 0 }
  }
}

/** A list of texts is not looked through for a time. */
function asked(text: string): string | string[] {
  return isWithoutDates ? [text, ''] : text
}

async function ask(archive: Archive, text: string, fuzzy: boolean) {
  try {
    const { results, topChatIds, confidence } = await searchConversations(archive, {
      intent_query: asked(text),
      limit_chats: LIMIT,
      limit_snippets_per_chat: 25,
      precision_mode: fuzzy ? 'fuzzy' : 'basic',
      ...(values.expand === 'auto' && { expand: 'auto' }),
    })
    const snippets = results.flatMap((result) => result.snippets).filter(({ messageId }) => messageId !== '')
    snippets.sort((a, b) => b.relevance - a.relevance)
    return {
      chatIds: topChatIds,
      messageIds: snippets.map(({ messageId }) => messageId).slice(0, LIMIT),
      confidence,
    }
  } catch {
    return { chatIds: [], messageIds: [], confidence: 0 }
  }
}
