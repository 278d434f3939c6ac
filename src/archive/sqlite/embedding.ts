import type { MessageText } from '../archive.ts'
import { BODY_COLUMNS, Bodies, type BodyPlace } from './blocks.ts'
import { vectorSum } from './checksums.ts'
import type { Connection } from './connection.ts'
import { HEAD, rewrite, rounded } from './vectors.ts'

/** What people and assistants said to each other is embedded; what tools said is not. */
const EMBEDDED = `kind IN ('request', 'answer', 'summary') AND copy_of IS NULL AND coalesce(text_bytes, octet_length(text)) > 0`

/**
 * Drops what is stale, and tells which messages have no vector of this model, newest first. Cost: one
 * pass over the messages' heads.
 */
export function withoutVector(connection: Connection, model: string): number[] {
  const { prepare } = connection
  return connection.transaction(() => {
    prepare('DELETE FROM vector WHERE model <> ?').run(model)
    const end = Number(prepare('SELECT coalesce(max(key), 0) + 1 AS n FROM chat_message').get()!.n)
    const hashes = new Float64Array(end).fill(-1)
    const times = new Float64Array(end)
    const rows = prepare(`SELECT key, hash, created_at FROM chat_message WHERE ${EMBEDDED}`).iterate()
    for (const { key, hash, created_at } of rows) {
      hashes[Number(key)] = Number(hash)
      times[Number(key)] = Number(created_at ?? 0)
    }
    const known = new Uint8Array(end)
    rewrite(connection, (key, hash) => {
      const keeps = hashes[key] === hash && known[key] === 0
      if (keeps) known[key] = 1
      return keeps
    })
    const missing: number[] = []
    for (let key = 0; key < end; key++) if (hashes[key] !== -1 && known[key] === 0) missing.push(key)
    return missing.sort((a, b) => times[b]! - times[a]! || b - a)
  })
}

export function textsOf(connection: Connection, keys: number[]): MessageText[] {
  const get = connection.prepare(
    `SELECT hash, ${BODY_COLUMNS} FROM chat_message WHERE key = ? AND ${EMBEDDED}`,
  )
  const bodies = new Bodies(connection)
  return connection.reading(() =>
    keys.flatMap((key) => {
      const row = get.get(key)
      const text = row && bodies.text(row as unknown as BodyPlace)
      return row && text !== undefined ? [{ key: Number(row.key), hash: Number(row.hash), text }] : []
    }),
  )
}

export function saveVectors(
  connection: Connection,
  model: string,
  vectors: { of: MessageText; vector: ArrayLike<number> }[],
): void {
  const { prepare } = connection
  connection.transaction(() => {
    // While the endpoint was asked, a message may have changed or been forgotten.
    const same = prepare('SELECT 1 FROM chat_message WHERE key = ? AND hash = ?')
    const kept = vectors.filter(({ of }) => same.get(of.key, of.hash) !== undefined)
    if (kept.length === 0) return
    const { length } = kept[0]!.vector
    const heads = new Float64Array(kept.length * HEAD)
    const data = new Int8Array(kept.length * length)
    for (const [i, { of, vector }] of kept.entries()) {
      const { bytes, scale } = rounded(vector)
      heads.set([of.key, of.hash, scale], i * HEAD)
      data.set(bytes, i * length)
    }
    const [messages, bytes] = [new Uint8Array(heads.buffer), new Uint8Array(data.buffer)]
    prepare('INSERT INTO vector (model, messages, data, sum) VALUES (?, ?, ?, ?)').run(
      model,
      messages,
      bytes,
      vectorSum(model, messages, bytes),
    )
  })
}

/** All of them, for good. Says of how many messages they were. */
export function eraseAllVectors(connection: Connection): number {
  const { db, prepare } = connection
  db.exec('PRAGMA secure_delete = ON')
  try {
    return connection.transaction(() => {
      const { bytes } = prepare('SELECT coalesce(sum(octet_length(messages)), 0) AS bytes FROM vector').get()!
      prepare('DELETE FROM vector').run()
      return Number(bytes) / (HEAD * 8)
    })
  } finally {
    db.exec('PRAGMA secure_delete = FAST')
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
}
