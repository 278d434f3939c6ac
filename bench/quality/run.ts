/**
 * How often search finds the right chat, through the capability itself.
 *
 *   node bench/quality/run.ts --sets FOLDER [--only NAME,…]
 *
 * FOLDER holds one folder a set with chats.jsonl and queries.jsonl ({id, scope, text, goldChatIds,
 * goldMessageIds}). Sets of several scopes are searched scope by scope, except those of developer
 * sessions, which are searched all at once. Sets whose licence forbids it are not part of this repository.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Archive } from '../../src/archive/archive.ts'
import { searchConversations } from '../../src/search/search.ts'
import { dice } from '../corpus/dice.ts'
import { archiveOf, type GivenChat, readLines } from './archive-of.ts'
import { type Measures, mean, measured } from './measures.ts'

interface GivenQuery {
  id: string
  scope?: string
  text: string
  goldMessageIds: string[]
  goldChatIds: string[]
}

const POOLED = /^entire/
/** Sets that are searched once more with typing mistakes in the queries. */
const MISSPELT = /^(entire|locomo)/
const LIMIT = 50

const { values } = parseArgs({ options: { sets: { type: 'string' }, only: { type: 'string' } } })
if (!values.sets || !fs.existsSync(values.sets)) {
  console.error('Where are the sets? node bench/quality/run.ts --sets FOLDER')
  process.exit(2)
}
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-quality-'))
const curve: { confidence: number; right: boolean }[] = []
const rows: Record<string, Record<string, number>> = {}
const names = fs
  .readdirSync(values.sets)
  .filter((name) => !values.only || values.only.split(',').includes(name))
for (const name of names) {
  rows[name] = await run(name, {})
  if (!MISSPELT.test(name)) continue
  rows[`${name}, fuzzy`] = await run(name, { fuzzy: true })
  rows[`${name}, typos`] = await run(name, { typos: true })
  rows[`${name}, typos, fuzzy`] = await run(name, { typos: true, fuzzy: true })
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

async function run(name: string, { fuzzy = false, typos = false }): Promise<Record<string, number>> {
  const folder = path.join(values.sets!, name)
  const chats = readLines<GivenChat>(path.join(folder, 'chats.jsonl'))
  const queries = readLines<GivenQuery>(path.join(folder, 'queries.jsonl'))
  const scopes = POOLED.test(name) ? [undefined] : [...new Set(queries.map(({ scope }) => scope))]
  const found = { message: [] as Measures[], chat: [] as Measures[] }
  const seen: boolean[] = []
  const random = dice(11)
  for (const [i, scope] of scopes.entries()) {
    const file = path.join(temp, 'chats.jsonl')
    const within = scope === undefined ? chats : chats.filter((chat) => chat.scope === scope)
    fs.writeFileSync(file, within.map((chat) => JSON.stringify(chat)).join('\n'))
    const archive = await archiveOf(path.join(temp, `${name}-${i}-${fuzzy}-${typos}`), file)
    for (const query of queries.filter((each) => scope === undefined || each.scope === scope)) {
      const text = typos ? misspelt(query.text, () => random.next()) : query.text
      const { chatIds, messageIds, confidence } = await ask(archive, text, fuzzy)
      if (query.goldChatIds.length > 0) {
        found.chat.push(measured(chatIds, new Set(query.goldChatIds)))
        if (!fuzzy && !typos) curve.push({ confidence, right: query.goldChatIds.includes(chatIds[0] ?? '') })
      }
      if (query.goldMessageIds.length > 0) {
        found.message.push(measured(messageIds, new Set(query.goldMessageIds)))
        const shown = await shownTo(archive, text)
        seen.push(query.goldMessageIds.some((id) => shown.has(id)))
      }
    }
    await archive.close()
  }
  const figures: Record<string, number> = {}
  for (const level of ['chat', 'message'] as const)
    if (found[level].length > 0)
      for (const measure of ['recall@1', 'recall@10', 'mrr', 'ndcg@10'] as const)
        figures[`${level} ${measure}`] = mean(found[level], measure)
  if (seen.length > 0)
    figures['evidence shown'] = Math.round((seen.filter(Boolean).length / seen.length) * 1000) / 1000
  return figures
}

/** What a user sees who sets nothing: ten chats, and the snippets they come with. */
async function shownTo(archive: Archive, text: string): Promise<Set<string>> {
  try {
    const { results } = await searchConversations(archive, { intent_query: text })
    return new Set(results.flatMap(({ snippets }) => snippets.map(({ messageId }) => messageId)))
  } catch {
    return new Set()
  }
}

async function ask(archive: Archive, text: string, fuzzy: boolean) {
  try {
    const { results, topChatIds, confidence } = await searchConversations(archive, {
      intent_query: text,
      limit_chats: LIMIT,
      limit_snippets_per_chat: 25,
      precision_mode: fuzzy ? 'fuzzy' : 'basic',
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

/** A mistake in one of the longer words: a letter left out, doubled, changed, or two swapped. */
function misspelt(text: string, random: () => number): string {
  const words = text.split(' ')
  const long = words.flatMap((word, i) => (/^[A-Za-z]{5,}$/.test(word) ? [i] : []))
  if (long.length === 0) return text
  const at = long[Math.floor(random() * long.length)]!
  const word = words[at]!
  const i = 1 + Math.floor(random() * (word.length - 2))
  const letter = String.fromCharCode(97 + Math.floor(random() * 26))
  const kinds = [
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + word[i] + word.slice(i),
    word.slice(0, i) + letter + word.slice(i + 1),
    word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  ]
  words[at] = kinds[Math.floor(random() * kinds.length)]!
  return words.join(' ')
}
