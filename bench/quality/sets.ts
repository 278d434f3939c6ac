import fs from 'node:fs'
import path from 'node:path'
import { type GivenChat, readLines } from './archive-of.ts'

export interface GivenQuery {
  id: string
  scope?: string
  text: string
  goldMessageIds: string[]
  goldChatIds: string[]
}

export interface GivenSet {
  name: string
  chats: GivenChat[]
  queries: GivenQuery[]
}

const MORE = '.queries.jsonl'

/** The sets of a folder, one after the other, and further queries over their chats, `SET-NAME.queries.jsonl`. */
export function* setsIn(folder: string, more?: string): Generator<GivenSet> {
  const isSet = (name: string) => fs.existsSync(path.join(folder, name, 'chats.jsonl'))
  const names = fs.readdirSync(folder).filter(isSet).sort()
  if (names.length === 0) throw new Error(`There is no set in ${folder}: no folder in it holds chats.jsonl.`)
  for (const name of names) {
    const chats = readLines<GivenChat>(path.join(folder, name, 'chats.jsonl'))
    yield { name, chats, queries: readLines<GivenQuery>(path.join(folder, name, 'queries.jsonl')) }
    for (const file of more ? fs.readdirSync(more).sort() : [])
      if (file.startsWith(`${name}-`) && file.endsWith(MORE))
        yield {
          name: file.slice(0, -MORE.length),
          chats,
          queries: readLines<GivenQuery>(path.join(more!, file)),
        }
  }
}
