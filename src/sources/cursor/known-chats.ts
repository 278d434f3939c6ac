import fs from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { configFolder, type Machine } from '../../platform/machine.ts'
import { columnsOf, openForeignDatabase } from '../foreign-db.ts'
import { objects } from '../json.ts'
import { valueReader } from './values.ts'

/**
 * The chats that the database of all windows tells. Asked for each transcript and each workspace, so
 * the last answer is kept until the file changes. Throws when the database cannot be read.
 */
export function chatsInDatabase(machine: Machine): Set<string> {
  const file = path.join(configFolder(machine), 'Cursor', 'User', 'globalStorage', 'state.vscdb')
  const stamp = [file, stampOf(file), stampOf(`${file}-wal`)].join('\n')
  if (last?.stamp !== stamp) last = { stamp, chats: fs.existsSync(file) ? read(file) : new Set() }
  return last.chats
}

let last: { stamp: string; chats: Set<string> } | undefined

function read(file: string): Set<string> {
  const db = openForeignDatabase(file)
  try {
    if (!columnsOf(db, 'cursorDiskKV').includes('value')) return new Set()
    const chats = new Set<string>()
    const withBubbles = chatsWithBubbles(db)
    const value = valueReader(db, 'cursorDiskKV')
    const keys = db.prepare(
      "SELECT key FROM cursorDiskKV WHERE key > 'composerData:' AND key < 'composerData;' ORDER BY key",
    )
    for (const row of keys.iterate()) {
      const id = String(row.key).slice('composerData:'.length)
      if (withBubbles.has(id) || objects(value(`composerData:${id}`)?.conversation).length > 0) chats.add(id)
    }
    return chats
  } finally {
    db.close()
  }
}

/** From the first bubble of a chat straight to that of the next: one step per chat, not per bubble. */
function chatsWithBubbles(db: DatabaseSync): Set<string> {
  const next = db.prepare(
    "SELECT key FROM cursorDiskKV WHERE key > ? AND key < 'bubbleId;' ORDER BY key LIMIT 1",
  )
  const chats = new Set<string>()
  let after = 'bubbleId:'
  for (;;) {
    const key = next.get(after)?.key
    if (typeof key !== 'string') return chats
    const chat = key.split(':')[1]!
    chats.add(chat)
    after = key.includes(':', 'bubbleId:'.length) ? `bubbleId:${chat};` : key
  }
}

function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : ''
}
