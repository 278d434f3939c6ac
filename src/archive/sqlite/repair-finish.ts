import { SEARCHABLE } from '../archive.ts'
import { Bodies, isUnpacked } from './blocks.ts'
import { BodyWriter } from './body-writer.ts'
import type { Connection } from './connection.ts'
import { lexiconOf, WordGathering } from './index-build.ts'
import { mergeAtEnd, mergeSegments } from './index-merge.ts'
import { messageFrom, wordsOf } from './message-row.ts'
import { openChat, saveChat } from './open-chat.ts'
import { toolRows } from './prepared-message.ts'
import { renumber } from './renumber.ts'
import type { Losses } from './repair-rows.ts'
import { DRAW_KEY } from './schema.ts'
import { soundVectors, VECTOR_ROW } from './sums.ts'
import { noteTools } from './tools.ts'
import { eraseVectors } from './vectors.ts'

const STEP = 2_000

/** Counts, places and names of the chats that lost or got back something. In a transaction. */
export function settleChats(connection: Connection, losses: Losses): void {
  const { prepare } = connection
  for (const [key, { source, id }] of losses) {
    if (!prepare('SELECT 1 FROM chat WHERE key = ?').get(key)) continue
    prepare(
      `UPDATE chat SET created_at = coalesce(created_at, (SELECT min(created_at) FROM chat_message WHERE chat = chat.key)),
         updated_at = coalesce(updated_at, (SELECT max(created_at) FROM chat_message WHERE chat = chat.key)),
         models = CASE models WHEN '[]' THEN (SELECT json_group_array(DISTINCT model) FROM chat_message
           WHERE chat = chat.key AND model IS NOT NULL) ELSE models END WHERE key = ?`,
    ).run(key)
    const bodies = new BodyWriter(connection)
    const open = openChat(connection, bodies, source, id)
    if (!open) continue
    open.disordered = true
    renumber(connection, open)
    saveChat(connection, open, (place) =>
      isUnpacked(place) ? place.text : bodies.text(place.chat, { block: place.block!, slot: place.slot! }),
    )
    bodies.finish()
  }
}

/**
 * Everything that is made from the messages is made again: the word index, and which tools were called. By the next sync
 * they are looked through for secrets; what was known of these stays, for the message that named one may be lost.
 */
export function rebuildIndex(
  connection: Connection,
  onProgress?: (progress: { done: number; all: number }) => void,
): void {
  const { db, prepare } = connection
  connection.transaction(() =>
    db.exec(`
      DELETE FROM word_block; DELETE FROM word_segment;
      DELETE FROM tool_call; DELETE FROM tool_failure; DELETE FROM tool;
      DELETE FROM chat_secret WHERE chat NOT IN (SELECT key FROM chat)
        OR NOT EXISTS (SELECT 1 FROM setting WHERE name = 'secretKey');
      INSERT OR REPLACE INTO secret_todo SELECT key, 0 FROM chat;
      -- All is pulled and pushed again, and what was erased here is said again.
      DELETE FROM change_log;
      UPDATE hub_space SET pulled = 0, pushed = '{"log":0,"gone":0,"scan":{"chat":0,"place":0}}';
      UPDATE remote_chat SET chat = NULL WHERE chat NOT IN (SELECT key FROM chat);
      DELETE FROM usage_sum; INSERT OR IGNORE INTO unsummed SELECT DISTINCT key >> 4 FROM chat;
      DELETE FROM setting WHERE name IN ('damage', 'checkCursor');
      DELETE FROM redacted_chat WHERE chat NOT IN (SELECT key FROM chat);
      ${DRAW_KEY};
    `),
  )
  const all = Number(prepare('SELECT count(*) AS n FROM chat_message').get()!.n)
  const next = prepare(`SELECT * FROM chat_message WHERE key > ? ORDER BY key LIMIT ${STEP}`)
  let last = 0
  for (let done = 0; ; ) {
    const rows = next.all(last)
    if (rows.length === 0) break
    connection.transaction(() => indexRows(connection, rows))
    last = Number(rows.at(-1)!.key)
    done += rows.length
    onProgress?.({ done, all })
  }
  connection.transaction(() => {
    const words = new WordGathering(lexiconOf(connection))
    for (const chat of prepare(
      'SELECT key, coalesce(name, title, first_request) AS title FROM chat',
    ).iterate())
      if (chat.title !== null) words.title(Number(chat.key), String(chat.title))
    words.write(connection)
    mergeAtEnd(connection)
  })
}

function indexRows(connection: Connection, rows: Record<string, unknown>[]): void {
  const words = new WordGathering(lexiconOf(connection))
  const bodies = new Bodies(connection)
  for (const row of rows) {
    const message = messageFrom(row, bodies)
    const key = Number(row.key)
    noteTools(connection, key, toolRows(message), false)
    if (message.copy) continue
    const { role, kind, createdAt } = message
    const said = SEARCHABLE.has(kind) ? wordsOf(message) : { said: '', thought: '', tools: '' }
    words.message({ key, chat: Number(row.chat), role, kind, createdAt, ...said })
  }
  words.write(connection)
  mergeSegments(connection, Number.POSITIVE_INFINITY)
}

/** Vectors that are damaged go, and those of messages that are gone; `recollect embed` makes them again. */
export function keepSoundVectors(connection: Connection): void {
  const { prepare } = connection
  for (const row of prepare(`SELECT key, ${VECTOR_ROW} FROM vector`).all()) {
    try {
      soundVectors(connection, row)
    } catch {
      prepare('DELETE FROM vector WHERE key = ?').run(row.key!)
    }
  }
  const exists = prepare('SELECT 1 FROM chat_message WHERE key = ?')
  eraseVectors(connection, { has: (key) => exists.get(key) === undefined })
}
