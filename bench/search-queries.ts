/** The queries of bench/search.ts, and plain FTS5 over the same text to compare with. */
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Archive } from '../src/archive/archive.ts'
import { detailOf } from '../src/archive/body.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { isStopWord } from '../src/model/stop-words.ts'
import { dice } from './corpus/dice.ts'

/** What plain FTS5 would do: all words joined with OR, stop words left out, ranked by its BM25. */
export async function fts5(folder: string): Promise<(query: string) => Promise<unknown>> {
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

/** Words that hardly stand in made-up chats, so that others like them are looked for. */
const NOT_THERE = [
  'websocket reconnect backoff',
  'mutex starvation golang',
  'nginx upstream keepalive',
  'ffmpeg subtitles burn',
  'vim macro register',
  'zookeeper quorum',
  'terraform drift',
  'haskell monad transformer',
  'bluetooth pairing',
  'cobol copybook',
]

export async function makeQueries(archive: Archive): Promise<Record<string, string[]>> {
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
      'not there': NOT_THERE,
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
