/** Asks queries of one archive and tells how long the answers took. Run by search.ts in a process of its own. */
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Archive } from '../src/archive/archive.ts'
import { detailOf } from '../src/archive/body.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { isStopWord } from '../src/model/stop-words.ts'
import { spendLittleMemory } from '../src/platform/little-memory.ts'
import { searchConversations } from '../src/search/search.ts'
import { dice } from './corpus/dice.ts'

export interface Outcome {
  /** Median and 95th percentile by kind of query, in milliseconds. */
  times: Record<string, [number, number]>
  examples: Record<string, string>
  first: number
  rss: number
  mostRss: number
}

spendLittleMemory()
const [folder, engine] = process.argv.slice(2) as [string, 'search' | 'fts5']
const QUERIES = path.join(folder, 'queries.json')
const REPEATS = 3
const started = performance.now()
const run = engine === 'search' ? await ours() : await fts5()
const queries = JSON.parse(fs.readFileSync(QUERIES, 'utf8')) as Record<string, string[]>
await run(Object.values(queries)[0]![0]!)
const first = Math.round(performance.now() - started)
for (const list of Object.values(queries)) for (const query of list.slice(0, 5)) await run(query)
const times: Outcome['times'] = {}
const examples: Outcome['examples'] = {}
for (const [kind, list] of Object.entries(queries)) {
  const taken: number[] = []
  for (const query of list) {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < REPEATS; i++) {
      const start = performance.now()
      await run(query)
      best = Math.min(best, performance.now() - start)
    }
    taken.push(best)
  }
  taken.sort((a, b) => a - b)
  times[kind] = [
    rounded(taken[Math.floor(taken.length / 2)]!),
    rounded(taken[Math.floor(taken.length * 0.95)]!),
  ]
  examples[kind] = list[0]!
}
const rss = Math.round(process.memoryUsage.rss() / 1e6)
const mostRss = Math.round(process.resourceUsage().maxRSS / 1000)
process.send?.({ times, examples, first, rss, mostRss } satisfies Outcome)
process.disconnect?.()

async function ours(): Promise<(query: string) => Promise<unknown>> {
  const archive = openSqliteArchive(folder)
  if (!fs.existsSync(QUERIES)) fs.writeFileSync(QUERIES, JSON.stringify(await makeQueries(archive)))
  return (query) =>
    searchConversations(archive, {
      intent_query: query.replace(/~$/, ''),
      ...(query.endsWith('~') && { precision_mode: 'fuzzy' }),
    })
}

/** What plain FTS5 would do: all words joined with OR, stop words left out, ranked by its BM25. */
async function fts5(): Promise<(query: string) => Promise<unknown>> {
  const file = path.join(folder, 'fts5.db')
  const isNew = !fs.existsSync(file)
  const db = new DatabaseSync(file)
  if (isNew) {
    db.exec(
      `CREATE VIRTUAL TABLE words USING fts5 (said, tools, content = '', tokenize = 'porter unicode61'); BEGIN`,
    )
    const insert = db.prepare('INSERT INTO words (rowid, said, tools) VALUES (?, ?, ?)')
    const archive = openSqliteArchive(folder)
    for (const chat of await archive.listChats({ subagents: true }, { limit: 1e9 })) {
      for (const message of await archive.messages(chat))
        insert.run(message.key, message.text, detailOf(message))
    }
    await archive.close()
    db.exec('COMMIT')
  }
  const find = db.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 30')
  return async (query) => {
    const phrase = /^"(.*)"$/.exec(query)?.[1]
    const all = query.replace(/[~"]/g, '').split(' ')
    const telling = all.filter((word) => !isStopWord(word))
    const words = telling.length > 0 ? telling : all
    const expression = phrase
      ? `"${phrase}"`
      : words.map((word) => (word.endsWith('*') ? `"${word.slice(0, -1)}"*` : `"${word}"`)).join(' OR ')
    return find.all(expression)
  }
}

async function makeQueries(archive: Archive): Promise<Record<string, string[]>> {
  const random = dice(5)
  return archive.searching((view) => {
    const { documents } = view
    const common = view.termsFrom('said', '', 40).map(({ term }) => term)
    const sentence = (): string[] => {
      for (;;) {
        const key = Math.floor(random.next() * documents.end)
        if (documents.said[key] === undefined || documents.said[key] < 8) continue
        const words = (
          view
            .text(key)
            .toLowerCase()
            .match(/[\p{L}\p{N}]{3,}/gu) ?? []
        ).map((word) =>
          // Nobody types a whole sentence of a script without spaces.
          /\p{Script=Han}/u.test(word) ? word.slice(0, 4) : word,
        )
        if (words.length >= 6) return words
      }
    }
    const some = (count: number): string => {
      const words = sentence()
      const from = Math.floor(random.next() * (words.length - count))
      return words.slice(from, from + count).join(' ')
    }
    const many = (count: number, make: () => string) => Array.from({ length: count }, make)
    const swapped = () => {
      const words = some(3).split(' ')
      const longest = words.reduce((a, b) => (b.length > a.length ? b : a))
      return words
        .map((word) => (word === longest ? word.slice(0, 2) + word[3] + word[2] + word.slice(4) : word))
        .join(' ')
    }
    return {
      ordinary: many(60, () => some(2 + Math.floor(random.next() * 4))),
      'one word': many(40, () => some(1)),
      'commonest word': common.slice(0, 20),
      'three commonest': many(20, () =>
        [0, 1, 2].map(() => common[Math.floor(random.next() * 20)]).join(' '),
      ),
      phrase: many(20, () => `"${some(2)}"`),
      'one letter*': [...'abcdefgst'].map((letter) => `${letter}*`),
      'fuzzy, a typo': many(20, () => `${swapped()}~`),
      'long question': many(10, () => [some(5), some(5), some(5), some(5)].join(' ')),
    }
  })
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
