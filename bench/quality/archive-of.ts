import fs from 'node:fs'
import type { Archive, Lease, UnitReading } from '../../src/archive/archive.ts'
import { openSqliteArchive } from '../../src/archive/sqlite/index.ts'
import type { Message } from '../../src/model/chat.ts'

export interface GivenChat {
  id: string
  scope?: string
  title: string
  createdAt?: string
  messages: { id: string; role: string; createdAt?: string; text: string }[]
}

const CHATS_AT_ONCE = 100

export function readLines<T>(file: string): T[] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)
}

/** A new archive with the chats of a file in it. */
export async function archiveOf(folder: string, file: string): Promise<Archive> {
  const archive = openSqliteArchive(folder)
  const lease = (await archive.takeLease('bench')) as Lease
  const chats = readLines<GivenChat>(file)
  for (let i = 0; i < chats.length; i += CHATS_AT_ONCE)
    await archive.write([reading(chats.slice(i, i + CHATS_AT_ONCE), `${file}#${i}`)], lease)
  await archive.markSynced(lease)
  await archive.releaseLease(lease)
  return archive
}

function reading(chats: GivenChat[], path: string): UnitReading {
  return {
    source: 'quality',
    path,
    rank: 0,
    fingerprint: { stamp: '', inode: 0, size: 0, mtime: 0, head: '', tail: '' },
    generation: 1,
    begins: true,
    completes: false,
    problems: [],
    chats: chats.map(({ id, title, createdAt }) => ({
      source: 'quality',
      id,
      title,
      createdAt: time(createdAt),
    })),
    messages: chats.flatMap(({ id: chatId, messages }) =>
      messages.map((message, order) => ({ chatId, message: asMessage(message, order) })),
    ),
  }
}

function asMessage({ id, role, createdAt, text }: GivenChat['messages'][number], order: number): Message {
  const isUser = role === 'user'
  return {
    id,
    order,
    role: isUser ? 'user' : 'assistant',
    kind: isUser ? 'request' : 'answer',
    createdAt: time(createdAt),
    text,
  }
}

function time(written: string | undefined): number | undefined {
  const at = Date.parse(written ?? '')
  return Number.isNaN(at) ? undefined : at
}
