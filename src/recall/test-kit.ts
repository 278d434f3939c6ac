import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { Chat, Message } from '../model/chat.ts'
import type { Machine } from '../platform/machine.ts'
import { sources } from '../sources/index.ts'
import { syncOnce } from '../sync/once.ts'
import type { Asker } from './live.ts'

/** A machine with an empty home folder and an archive, both real and both gone after the test. */
export interface Bench extends Asker {
  folder: string
  home: string
  write(chat: Partial<Chat> & { id: string }, messages: Message[], file?: string): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

export function bench(home?: string): Bench {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-recall-'))
  const machine: Machine = {
    platform: 'linux',
    home: home ?? path.join(folder, 'home'),
    env: { RECOLLECT_HOME: path.join(folder, 'archive') },
  }
  fs.mkdirSync(machine.home, { recursive: true })
  const archive: Archive = openSqliteArchive(path.join(folder, 'archive'))
  return {
    folder,
    home: machine.home,
    archive,
    sources,
    machine,
    caller: {},
    write: (chat, messages, file) => write(archive, chat, messages, file),
    async sync() {
      await syncOnce({ archive, sources, machine })
    },
    async close() {
      await archive.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The made-up home folder that comes with the package. */
export const sampleHome = path.join(import.meta.dirname, '..', '..', 'sample')

async function write(
  archive: Archive,
  given: Partial<Chat> & { id: string },
  messages: Message[],
  file = `/home/me/${given.id}.jsonl`,
) {
  const lease = (await archive.takeLease('test')) as Lease
  const chat: Chat = { source: 'claude-code', ...given }
  await archive.write(
    [
      {
        source: chat.source,
        path: file,
        rank: 0,
        fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
        generation: 1,
        chats: [chat],
        messages: messages.map((message) => ({ chatId: chat.id, message })),
        problems: [],
        begins: true,
        completes: false,
      },
    ],
    lease,
  )
  await archive.releaseLease(lease)
}

export const NOON = Date.parse('2026-05-04T12:00:00Z')

/** A message of the kind most tests need; a minute after the one before. */
export function say(order: number, text: string, more: Partial<Message> = {}): Message {
  const role = more.role ?? 'user'
  return {
    id: `m${order}`,
    order,
    role,
    kind: role === 'user' ? 'request' : role === 'tool' ? 'tool' : 'answer',
    createdAt: NOON + order * 60_000,
    text,
    ...more,
  }
}
