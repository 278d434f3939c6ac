import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Archive, WordField } from '../../src/archive/archive.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import { toolText } from '../../src/model/tool-text.ts'
import { regexSearch } from '../../src/search/regex.ts'
import { searchConversations } from '../../src/search/search.ts'
import { fts5, makeQueries } from '../search-queries.ts'
import { cpuOf, type Figure } from './measured.ts'
import type { Prepared } from './prepared.ts'

/** Searching beside plain FTS5 over the same text, by kind of query. */
export function searchFigures({ archive }: Prepared): Figure[] {
  const opened = lazily(async () => {
    const ours = openSqliteArchive(archive())
    const queries = await makeQueries(ours)
    return { ours, queries, theirs: await fts5(archive()) }
  })
  const kinds = ['ordinary', 'one word', 'commonest word', 'phrase', 'long question']
  return kinds.map((kind) => ({
    name: `search, ${kind} / FTS5`,
    warmUps: 2,
    async measure() {
      const { ours, queries, theirs } = await opened()
      const list = queries[kind]!.slice(0, 20)
      const each = async (ask: (query: string) => Promise<unknown>) => {
        for (const query of list) await ask(query)
      }
      const plain = await cpuOf(() => each(theirs))
      const own = await cpuOf(() => each((query) => searchConversations(ours, { intent_query: query })))
      return { plain, ours: own }
    },
  }))
}

const FIELDS: WordField[] = ['said', 'thought', 'tools']
const PATTERNS = ['zzzqqqxyz', 'E[A-Z]+_\\d{4}', '\\d{4}-\\d\\d-\\d\\d']

/** Regular expressions beside the same over the text in memory, and beside ripgrep where there is one. */
export function regexFigures({ temp, archive }: Prepared): Figure[] {
  const opened = lazily(async () => {
    const ours = openSqliteArchive(archive())
    const texts = await textsOf(ours)
    const folder = path.join(temp, 'texts')
    fs.mkdirSync(folder)
    for (const [number, text] of texts.entries()) fs.writeFileSync(path.join(folder, `${number}.txt`), text)
    return { ours, texts, folder }
  })
  const measured = async (plain: (texts: string[], folder: string) => unknown) => {
    const { ours, texts, folder } = await opened()
    const options = { fields: FIELDS, most: 10, perChat: 3, clean: <T>(value: T) => value }
    let own = 0
    for (const regex of PATTERNS) own += await cpuOf(() => regexSearch(ours, { regex }, options))
    return { ours: own, plain: Number(await plain(texts, folder)) }
  }
  const hasRipgrep = spawnSync('rg', ['--version']).status === 0
  return [
    {
      name: 'regular expression / over the text in memory',
      warmUps: 2,
      measure: () =>
        measured((texts) =>
          cpuOf(() => {
            for (const source of PATTERNS) for (const text of texts) new RegExp(source, 'gmu').test(text)
          }),
        ),
    },
    ...(hasRipgrep
      ? [{ name: 'regular expression / ripgrep', measure: () => measured((_, folder) => ripgrep(folder)) }]
      : []),
  ]
}

function ripgrep(folder: string): number {
  let spent = 0
  for (const pattern of PATTERNS) {
    const timed = spawnSync(
      'bash',
      ['-c', 'TIMEFORMAT="%U %S"; time "$@"', '-', 'rg', '-l', '-s', '-e', pattern, folder],
      { encoding: 'utf8', maxBuffer: 1e9 },
    )
    const [user = 0, system = 0] = timed.stderr.trim().split(' ').map(Number)
    spent += (user + system) * 1000
  }
  return spent
}

async function textsOf(archive: Archive): Promise<string[]> {
  const texts: string[] = []
  for (const chat of await archive.listChats({ subagents: true }, { limit: 1e9 }))
    texts.push(
      (await archive.messages(chat))
        .map((message) =>
          [message.text, message.thinking ?? '', toolText(message, Number.POSITIVE_INFINITY)].join('\n'),
        )
        .join('\n'),
    )
  return texts
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
