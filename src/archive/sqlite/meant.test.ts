import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Lease, UnitReading } from '../archive.ts'
import { dice, readingOf } from './damage-kit.ts'
import { openSqliteArchive } from './index.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-meant-'))
const archive = openSqliteArchive(folder)
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

test('a beginning of an id is looked for in its source, and among chats that are no sub-agents, however many others begin so', async () => {
  const lease = (await archive.takeLease('test')) as Lease
  const random = dice(3)
  const of = (number: number, chat: Partial<UnitReading['chats'][number]>): UnitReading => {
    const reading = readingOf(number, random)
    const source = chat.source ?? reading.source
    return { ...reading, source, chats: reading.chats.map((each) => ({ ...each, ...chat })) }
  }
  // The newest are written last, with the highest numbers.
  await archive.write([of(1, { source: 'codex' }), of(2, {}), of(3, {})], lease)
  await archive.write(
    Array.from({ length: 120 }, (_, i) => of(100 + i, { subagent: true })),
    lease,
  )
  const meant = async (reference: string) => (await archive.resolveChat(reference)).id
  assert.equal(await meant('codex:chat'), 'chat-1')
  await assert.rejects(meant('claude-code:chat'), /could be any of 2 chats:\n.*chat-[23].*\n.*chat-[23]/)
  await assert.rejects(meant('claude-code:chat-1'), /could be any of 100 or more chats/)
})
