import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { Chat, Message } from '../model/chat.ts'
import type { Address } from './address.ts'
import { invite } from './admin.ts'
import type { Database } from './database.ts'
import type { Exchanged } from './exchange.ts'
import { exchangeOnce } from './keep.ts'
import { join, setPhrase } from './membership.ts'
import { newSeal } from './seal.ts'
import { changeSpace, type Share } from './settings.ts'

/** A machine with an archive of its own, in a hub. */
export interface TestMachine {
  folder: string
  archive: Archive
  share(space: string, share: Share): Promise<void>
  write(chat: Partial<Chat> & { id: string }, messages: Message[]): Promise<void>
  exchange(): Promise<Exchanged[]>
  /** What is in the archive: a line for each message, with whose chat it is of. */
  lines(): Promise<string[]>
  close(): Promise<void>
}

export const PHRASE = 'a phrase for tests'
const CHEAP = 10

export async function testMachine(
  admin: Database,
  address: Address,
  person: string,
  label: string,
  way: Address = address,
): Promise<TestMachine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-hub-'))
  const invitation = await invite(admin, address, person, label)
  await join({ ...invitation, host: way.host, port: way.port }, { folder, label })
  // What keeps others from guessing a phrase takes a tenth of a second of CPU for each machine.
  await admin.query('UPDATE hub.space SET seal = $1 WHERE name = $2 AND seal IS NULL', [
    newSeal(PHRASE, CHEAP).seal,
    `${person}'s own`,
  ])
  await setPhrase(folder, `${person}'s own`, PHRASE)
  return { ...openMachine(folder), close: async () => fs.rmSync(folder, { recursive: true, force: true }) }
}

export function openMachine(folder: string): Omit<TestMachine, 'close'> {
  const archive = openSqliteArchive(folder)
  const signal = new AbortController().signal
  return {
    folder,
    archive,
    async share(space, share) {
      changeSpace(folder, space, (each) => ({ ...each, shares: [...each.shares, share] }))
      await archive.pushFromTheStart(space)
    },
    write: (chat, messages) => write(archive, chat, messages),
    exchange: () => exchangeOnce({ archive, folder, signal }),
    lines: () => linesOf(archive),
  }
}

let files = 0

async function write(
  archive: Archive,
  given: Partial<Chat> & { id: string },
  messages: Message[],
): Promise<void> {
  const lease = (await archive.takeLease('test')) as Lease
  const chat: Chat = { source: 'claude-code', ...given }
  files++
  await archive.write(
    [
      {
        source: chat.source,
        path: `/home/me/${chat.id}.jsonl`,
        rank: 0,
        fingerprint: { stamp: `${files}`, inode: 1, size: 1, mtime: files, head: '', tail: '' },
        generation: 1,
        chats: [chat],
        // Chats that begin with the same message are forks of one another.
        messages: messages.map((each) => ({
          chatId: chat.id,
          message: { ...each, id: `${chat.id}-${each.id}` },
        })),
        problems: [],
        begins: true,
        completes: false,
      },
    ],
    lease,
  )
  await archive.releaseLease(lease)
}

async function linesOf(archive: Archive): Promise<string[]> {
  const lines: string[] = []
  for (const chat of await archive.listChats({ subagents: true }, { limit: 1_000_000 })) {
    const id = chat.origin ? `${chat.id} from ${chat.origin.machine} by ${chat.origin.space}` : chat.id
    for (const message of await archive.messages(chat)) lines.push(`${id} ${message.id} ${message.text}`)
  }
  return lines.sort()
}

const NOON = Date.parse('2026-05-04T12:00:00Z')

export function say(order: number, text: string, more: Partial<Message> = {}): Message {
  return {
    ...{ id: `m${order}`, order, role: 'user', kind: 'request', createdAt: NOON + order * 60_000, text },
    ...more,
  } as Message
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
