import type { SQLInputValue } from 'node:sqlite'
import type { QueryWord } from '../../model/words.ts'
import type { Match, WordSearch } from '../archive.ts'
import type { Connection } from './connection.ts'
import { messageFrom } from './message-row.ts'
import { chatFrom, conditions } from './read.ts'

/** Of a very common word only so many of the newest messages are ranked: all of them would take a second. */
const RANKED = 3_000

/** The messages and titles that hold the words, best first. Cost: at most RANKED rankings. */
export function find(connection: Connection, search: WordSearch): Match[] {
  const expression = search.groups.map(phrase).join(search.join === 'all' ? ' AND ' : ' OR ')
  return [...findTitles(connection, search, expression), ...findMessages(connection, search, expression)]
}

function findMessages({ prepare }: Connection, search: WordSearch, expression: string): Match[] {
  const { where, values } = conditions(search.filter)
  const { roles } = search.filter
  const ofRole = roles ? `AND message.role IN (${roles.map(() => '?').join(', ')})` : ''
  const rows = prepare(
    `SELECT message.*, found.score FROM (
       SELECT words.rowid AS key, -bm25(words, 1.0, 0.3, 0.4) AS score
       FROM words JOIN message ON message.key = words.rowid JOIN chat ON chat.key = message.chat
       WHERE words MATCH ? AND ${where} ${ofRole}
       ORDER BY words.rowid DESC LIMIT ${RANKED}
     ) AS found JOIN message ON message.key = found.key ORDER BY found.score DESC LIMIT ?`,
  ).all(
    `{${search.fields.join(' ')}} : (${expression})`,
    ...values,
    ...((roles ?? []) as SQLInputValue[]),
    search.limit,
  )
  const chats = new Map<unknown, Match['chat']>()
  return rows.map((row) => {
    const chat =
      chats.get(row.chat) ?? chatFrom(prepare('SELECT * FROM chat WHERE key = ?').get(row.chat as number)!)
    chats.set(row.chat, chat)
    return { chat, message: messageFrom(row), score: Number(row.score) }
  })
}

function findTitles({ prepare }: Connection, search: WordSearch, expression: string): Match[] {
  if (search.filter.roles) return []
  const { where, values } = conditions(search.filter)
  return prepare(
    `SELECT chat.*, -bm25(title_words) AS score FROM title_words JOIN chat ON chat.key = title_words.rowid
     WHERE title_words MATCH ? AND ${where} ORDER BY score DESC LIMIT ?`,
  )
    .all(expression, ...values, search.limit)
    .map((row) => ({ chat: chatFrom(row), score: Number(row.score) }))
}

/** Words hold letters, digits and marks only, so quoting them is enough. */
function phrase(words: QueryWord[]): string {
  const quoted = words.map(({ word }) => word).join(' ')
  return `"${quoted}"${words.at(-1)?.prefix ? '*' : ''}`
}
