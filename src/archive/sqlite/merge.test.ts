import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { type ChatReading, type KnownChat, merged, mergedHeader } from '../../model/merge.ts'
import type { Archive, Lease, UnitReading } from '../archive.ts'
import { detailOf, hashOf } from '../body.ts'
import type { Parcel } from '../parcel.ts'
import { connect } from './connection.ts'
import { openSqliteArchive } from './index.ts'
import { IndexReader } from './index-read.ts'
import { ParcelWriter } from './parcel-writer.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-merge-'))
const archive: Archive = openSqliteArchive(folder)
const lease = (await archive.takeLease('test')) as Lease
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

type Below = (end: number) => number

/** A file that tells of the chat: what it says now, and how often it was read from the start. */
interface File {
  path: string
  rank: number
  standsIn: boolean
  generation: number
  messages: Message[]
  told: number
}

test('property: what the archive holds after any readings is what the merge says', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const below = dice(seed)
    const id = `chat-${seed}`
    const files = Array.from({ length: 1 + below(3) }, (_, n) => newFile(`/${seed}/${n}`, below))
    let known: KnownChat = { base: {}, tellings: [], messages: [] }
    for (let step = 0; step < 8; step++) {
      const reading = nextReading(files[below(files.length)]!, id, below)
      if (below(2) === 0) await archive.write([reading], lease)
      else await archive.writeParcel(parcelOf(reading), lease)
      known = merged(known, asChatReading(reading))
      await assertSame(id, known, `seed ${seed}, step ${step}`)
    }
  }
})

test('property: chats that begin alike have one original, in whatever order and pieces they are read', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const outcomes: unknown[] = []
    for (let order = 0; order < 3; order++) {
      const below = dice(seed)
      const source = `source-${order}`
      const readings = forks(seed, below).flatMap((reading) =>
        inPieces({ ...reading, source }, dice(seed + order)),
      )
      const turn = dice(seed * 7 + order)
      // Pieces of one file stay in their order; files are read in any.
      const queues = [...Map.groupBy(readings, (reading) => reading.path).values()]
      while (queues.length > 0) {
        const at = turn(queues.length)
        const reading = queues[at]!.shift()!
        if (turn(2) === 0) await archive.write([reading], lease)
        else await archive.writeParcel(parcelOf(reading), lease)
        if (queues[at]!.length === 0) queues.splice(at, 1)
      }
      const chats = await archive.listChats({ source, titleContains: '' }, { limit: 100 })
      const told = await Promise.all(
        chats
          .filter((chat) => chat.id.startsWith(`f${seed}-`))
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map(async (chat) => ({
            id: chat.id,
            forkOf: chat.forkOf,
            copies: (await archive.messages(chat)).map((message) => message.copy ?? false),
          })),
      )
      outcomes.push(told)
    }
    assert.deepEqual(outcomes[1], outcomes[0], `seed ${seed}`)
    assert.deepEqual(outcomes[2], outcomes[0], `seed ${seed}`)
  }
})

const parcels = new ParcelWriter(2)

/** As it comes from another thread. */
function parcelOf(...readings: UnitReading[]): Parcel {
  for (const reading of readings) parcels.add(reading)
  return structuredClone(parcels.take())
}

test('what another thread made ready is written as what is written at once, rows and words alike', async () => {
  const below = dice(5)
  const files = Array.from({ length: 12 }, (_, n) => newFile(`/alike/${n}`, below))
  const batches = Array.from({ length: 12 }, () =>
    Array.from({ length: 1 + below(6) }, () =>
      nextReading(files[below(files.length)]!, `alike-${below(4)}`, below),
    ),
  )
  const [one, other] = [fs.mkdtempSync(`${folder}-one`), fs.mkdtempSync(`${folder}-other`)]
  for (const [place, isReady] of [
    [one, false],
    [other, true],
  ] as const) {
    const into = openSqliteArchive(place)
    const right = (await into.takeLease('test')) as Lease
    for (const readings of batches) {
      if (isReady) await into.writeParcel(parcelOf(...readings), right)
      else await into.write(readings, right)
    }
    await into.markSynced(right)
    assert.deepEqual(await into.check({ deep: true }), [])
    await into.close()
  }
  assert.deepEqual(contentsOf(other), contentsOf(one))
  for (const place of [one, other]) fs.rmSync(place, { recursive: true })
})

/** Rows, blocks and what search knows of each message. */
function contentsOf(place: string): unknown {
  const connection = connect(place)
  const rows = [
    'chat',
    'chat_message',
    'tool_call',
    'tool_failure',
    'block',
    'block_detail',
    'unit_chat',
  ].map((table) => connection.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all())
  const words = new IndexReader(connection).searching((view) => {
    const found: string[] = []
    for (const field of ['said', 'thought', 'tools', 'title'] as const)
      for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789')
        for (const { term } of view.termsFrom(field, letter, 1_000)) {
          const { keys, counts, size } = view.postings(field, term)
          const messages = Array.from({ length: size }, (_, i) => `${keys[i]}:${counts[i]}`).sort()
          if (size > 0) found.push(`${field} ${term} ${messages.join(' ')}`)
        }
    assert.ok(found.length > 10)
    return { found: found.sort(), counted: view.documents.messages, words: view.documents.words }
  })
  connection.close()
  return { rows, words }
}

async function assertSame(id: string, known: KnownChat, about: string): Promise<void> {
  const chat = await archive.resolveChat(`test:${id}`).catch(() => undefined)
  if (!chat) return assert.equal(known.messages.length, 0, about)
  const archived = await archive.messages(chat)
  const line = ({ id: name, text, undone }: Message) => `${name} ${text}${undone ? ' (undone)' : ''}`
  assert.deepEqual(
    archived.map(line),
    known.messages.map(({ message, vanished }) => line({ ...message, undone: message.undone || vanished })),
    about,
  )
  const header = mergedHeader(known.tellings)
  assert.equal(chat.workspace, header.workspace, about)
  assert.equal(chat.updatedAt, header.updatedAt, about)
  assert.deepEqual(mergedHeader((await archive.known(chat)).tellings), header, about)
}

function newFile(file: string, below: Below): File {
  const standsIn = below(4) === 0
  return { path: file, rank: below(3), standsIn, generation: 0, messages: [], told: 0 }
}

/** The file grows, or is rewritten, and is read. */
function nextReading(file: File, chatId: string, below: Below): UnitReading {
  const isRewritten = file.generation === 0 || below(3) === 0
  if (isRewritten) {
    file.generation++
    file.messages = file.messages.filter(() => below(4) > 0)
    file.told = 0
  }
  for (let n = below(4); n > 0; n--) file.messages.push(newMessage(file, below))
  const told = file.messages.slice(file.told)
  file.told = file.messages.length
  const { path: place, rank, standsIn, generation } = file
  return {
    ...{ source: 'test', path: place, rank, standsIn, generation },
    fingerprint: { stamp: 's', inode: 1, size: 1, mtime: generation, head: '', tail: '' },
    chats: below(2)
      ? [{ source: 'test', id: chatId, workspace: `/of${place}`, updatedAt: 5000 + below(9) }]
      : [],
    messages: told.map((message) => ({ chatId, message })),
    problems: [],
    begins: isRewritten,
    completes: isRewritten && generation > 1 && told.length > 0,
  }
}

function newMessage(file: File, below: Below): Message {
  const order = (file.messages.at(-1)?.order ?? 0) + 1 + below(5)
  const id = below(3) === 0 ? `shared${below(6)}` : `${file.path}-${order}`
  return {
    ...{ id: file.messages.some((each) => each.id === id) ? `${file.path}-${order}` : id, order },
    ...{
      role: 'user',
      kind: 'request',
      createdAt: 1000 + order * 10,
      text: `${id}${' more'.repeat(below(3))}`,
    },
    ...(below(3) === 0 && { thinking: 'hm' }),
    ...(below(6) === 0 && { undone: true }),
  }
}

function asChatReading(reading: UnitReading): ChatReading {
  const { path: place, rank, standsIn = false, generation, completes } = reading
  return {
    ...{ path: place, rank, standsIn, generation, completes, changedAt: reading.fingerprint.mtime },
    headers: reading.chats.map(({ workspace, updatedAt }) => ({ workspace, updatedAt })),
    messages: reading.messages.map(({ message }) => ({
      message,
      order: message.order,
      size: Buffer.byteLength(message.text),
      hash: hashOf(message, detailOf(message)),
    })),
  }
}

/** A chat and its forks, which share more or less of its beginning. */
function forks(seed: number, below: Below): UnitReading[] {
  const shared = Array.from({ length: 2 + below(4) }, (_, n) => plain(`s${seed}-${n}`, n))
  return Array.from({ length: 2 + below(3) }, (_, n) => {
    const id = `f${seed}-${n}`
    const own = Array.from({ length: below(3) }, (_, i) => plain(`${id}-${i}`, 100 + i))
    const messages = [...shared.slice(0, 1 + below(shared.length)), ...own]
    return {
      ...{ source: 'test', path: `/forks/${id}`, rank: 0, generation: 1 },
      fingerprint: { stamp: 's', inode: 1, size: 1, mtime: 1, born: 1 + below(4), head: '', tail: '' },
      chats: [{ source: 'test', id, ...(below(4) === 0 && { background: true }) }],
      messages: messages.map((message) => ({ chatId: id, message })),
      problems: [],
      begins: true,
      completes: false,
    }
  })
}

function inPieces(reading: UnitReading, below: Below): UnitReading[] {
  const at = below(reading.messages.length + 1)
  const chats = reading.chats.map((chat) => ({ ...chat, source: reading.source }))
  return [
    { ...reading, chats, messages: reading.messages.slice(0, at) },
    { ...reading, chats, messages: reading.messages.slice(at), begins: false },
  ]
}

function plain(id: string, order: number): Message {
  return { id, order, role: 'user', kind: 'request', createdAt: 1000 + order, text: id }
}

function dice(seed: number): Below {
  let state = seed * 2_654_435_761
  return (end) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * end)
  }
}
