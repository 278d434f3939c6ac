import { setImmediate } from 'node:timers/promises'
import type { Message } from '../../model/chat.ts'
import { log } from '../../platform/log.ts'
import type { Lease } from '../archive.ts'
import { type BodyPlace, isUnpacked } from './blocks.ts'
import { BodyWriter, encoded } from './body-writer.ts'
import type { Connection } from './connection.ts'
import { assertLease } from './lease.ts'
import { idFrom, storedId } from './message-id.ts'
import { toolRows } from './prepared-message.ts'
import { noteTools } from './tools.ts'
import { vacuum } from './vacuum.ts'

/** One transaction packs so many messages: others can write in between, and a kill repeats no more. */
const STEP = 3_000

export interface PackOptions {
  onProgress?: (packing: Packing) => void
  signal?: AbortSignal
  /** How many messages one transaction packs. */
  step?: number
}

interface Packing {
  /** Messages. */
  done: number
  all: number
}

/**
 * Packs what an archive of the first edition holds, chat by chat. Each step is whole by itself: after a
 * kill the next run goes on, and meanwhile packed and unpacked chats are read alike.
 */
export async function packAll(
  connection: Connection,
  lease: Lease,
  { onProgress, signal, step = STEP }: PackOptions = {},
): Promise<void> {
  const { prepare } = connection
  const first = prepare('SELECT key FROM chat WHERE NOT packed LIMIT 1').get()
  if (first) {
    const all = Number(prepare('SELECT sum(messages) AS n FROM chat WHERE NOT packed').get()!.n ?? 0)
    let done = 0
    for (;;) {
      if (signal?.aborted) return
      const packed = connection.transaction(() => {
        assertLease(connection, lease)
        return packStep(connection, step)
      })
      if (packed === undefined) break
      done += packed
      onProgress?.({ done, all: Math.max(all, done) })
      await setImmediate()
    }
  }
  shrink(connection)
}

/** Packs one chat, if it is not yet. Within a transaction. */
export function packChat(connection: Connection, chat: number, bodies: BodyWriter): number {
  const { prepare } = connection
  const rows = prepare('SELECT * FROM chat_message WHERE chat = ? ORDER BY place').all(chat)
  const open = {
    key: chat,
    openBlock: (prepare('SELECT open_block FROM chat WHERE key = ?').get(chat)?.open_block ?? null) as
      | number
      | null,
  }
  for (const row of rows) {
    const place = row as unknown as BodyPlace
    if (!isUnpacked(place)) continue
    const detail: Partial<Message> = place.detail === null ? {} : JSON.parse(place.detail)
    const put = bodies.put(open, encoded(place))
    const createdAt = row.created_at as number | null
    prepare(
      `UPDATE chat_message SET block = ?, slot = ?, text_bytes = ?, detail_bytes = ?, thinking_ms = ?,
         created_at = ?, undone = ?, id = ?, text = '', detail = NULL WHERE key = ?`,
    ).run(
      put.block,
      put.slot,
      put.textBytes,
      put.detailBytes,
      detail.thinkingMs ?? null,
      createdAt !== null && createdAt > 0 ? createdAt : null,
      row.hash === 0 ? 2 : Number(row.undone),
      storedId(idFrom(row.id)),
      row.key as number,
    )
    noteTools(connection, row.key as number, toolRows(detail), true)
  }
  bodies.finish()
  prepare('UPDATE chat SET open_block = ?, packed = 1 WHERE key = ?').run(open.openBlock, chat)
  return rows.length
}

function packStep(connection: Connection, step: number): number | undefined {
  const { prepare } = connection
  let packed: number | undefined
  const bodies = new BodyWriter(connection)
  while ((packed ?? 0) < step) {
    const chat = prepare('SELECT key FROM chat WHERE NOT packed LIMIT 1').get()
    if (!chat) break
    packed = (packed ?? 0) + packChat(connection, Number(chat.key), bodies)
  }
  return packed
}

/** The room that unpacked messages took is given back, once. Without room for it, or while others read, it waits for the next time. */
function shrink(connection: Connection): void {
  const { db } = connection
  if (db.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum !== 0) return
  try {
    vacuum(connection)
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    log('debug', `the archive could not be made smaller: ${(error as Error).message}`)
  }
}
