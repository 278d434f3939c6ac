import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { connect } from './connection.ts'
import { saveVectors, withoutVector } from './embedding.ts'
import { eraseVectors, nearest } from './vectors.ts'

/** Numbers that are the same at each run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

test('property: under random savings, changes, erasures the nearest are those of a plain list', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-vectors-'))
  const connection = connect(folder)
  const { prepare } = connection
  const random = dice(3)
  const below = (end: number) => Math.floor(random() * end)
  const vector = () => Array.from({ length: 30 }, () => random() - 0.5)
  const hashes = new Map<number, number>()
  const plain = new Map<number, { hash: number; vector: number[] }>()
  prepare(`INSERT INTO chat (source, id) VALUES ('codex', 'one')`).run()
  for (let key = 1; key <= 300; key++) {
    hashes.set(key, key)
    prepare(
      `INSERT INTO chat_message (key, chat, id, generation, rank, hash, position, place, role, kind, created_at, text)
       VALUES (?, 1, ?, 1, 0, ?, ?, ?, 'user', 'request', ?, 'x')`,
    ).run(key, String(key), key, key, key, key)
  }
  for (let round = 0; round < 60; round++) {
    const missing = withoutVector(connection, 'm')
    const expected = [...hashes].filter(([key, hash]) => plain.get(key)?.hash !== hash).map(([key]) => key)
    assert.deepEqual(
      missing,
      expected.sort((a, b) => b - a),
    )
    const batch = missing.slice(0, 1 + below(40)).map((key) => {
      // Some have changed since they were read.
      const hash = below(10) === 0 ? hashes.get(key)! + 0.5 : hashes.get(key)!
      return { of: { key, hash, text: 'x' }, vector: vector() }
    })
    saveVectors(connection, 'm', batch)
    for (const { of, vector: saved } of batch)
      if (of.hash === hashes.get(of.key)) plain.set(of.key, { hash: of.hash, vector: saved })
    for (let i = below(6); i > 0; i--) {
      const key = 1 + below(300)
      hashes.set(key, hashes.get(key)! + 1_000)
      prepare('UPDATE chat_message SET hash = ? WHERE key = ?').run(hashes.get(key)!, key)
    }
    if (round % 5 === 4) {
      const gone = new Set([1 + below(300), 1 + below(300)])
      eraseVectors(connection, gone)
      for (const key of gone) plain.delete(key)
    }
    const asked = vector()
    const even = (key: number) => key % 2 === 0
    const truth = [...plain]
      .filter(([key, { hash }]) => even(key) && hashes.get(key) === hash)
      .map(([key, each]) => ({ key, likeness: cosine(asked, each.vector) }))
      .sort((a, b) => b.likeness - a.likeness)
    const found = nearest(connection, 'm', asked, even, 10).messages
    assert.equal(found.length, Math.min(10, truth.length))
    for (const [i, { key, likeness }] of found.entries()) {
      assert.ok(Math.abs(likeness - truth[i]!.likeness) < 0.02)
      assert.ok(truth.some((each) => each.key === key))
    }
  }
  assert.deepEqual(nearest(connection, 'another', vector(), () => true, 10).messages, [])
  assert.deepEqual(nearest(connection, 'm', [1, 2], () => true, 10).messages, [])
  connection.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, each, i) => sum + each * y[i]!, 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
