import type { Message } from '../../model/chat.ts'
import { type Held, heldText, type ToolsOf, toolsOf } from '../../model/tool-text.ts'
import { SEARCHABLE, type WordField } from '../archive.ts'
import { Bodies, bytesAt, readable, unpack } from './blocks.ts'
import { type Connection, connect } from './connection.ts'
import { messageFrom } from './message-row.ts'
import { chatReader } from './read.ts'

/** The texts of an archive, for a thread that looks through all of them. */
export interface Texts {
  /** What of a chat may match, whole and of any length. */
  held(chat: number, fields: WordField[], wanted: Wanted): Held[]
  close(): void
}

export interface Wanted {
  mayMatch(text: string): boolean
  /** Whether texts that are written one after the other may match; what does not is not taken apart. */
  inTexts(bytes: Buffer): boolean
  /** Whether what is written there as JSON may match; what does not is not parsed. */
  inJson(bytes: Buffer): boolean
}

export function openTexts(folder: string): Texts {
  const connection = connect(folder)
  const bodies = new Bodies(connection)
  return {
    held(chat, fields, wanted) {
      const found = fields.includes('title') ? inTitle(connection, chat, wanted) : []
      const inMessages = fields.filter((field) => field !== 'title')
      if (inMessages.length === 0) return found
      const inText = isPacked(connection, chat)
        ? inBlocks(connection, chat, inMessages, wanted)
        : inRows(connection, bodies, chat, inMessages, wanted)
      return [...found, ...inText]
    },
    close: () => connection.close(),
  }
}

function inTitle(connection: Connection, chat: number, { mayMatch }: Wanted): Held[] {
  const row = connection.prepare('SELECT name, title, first_request FROM chat WHERE key = ?').get(chat)
  // Forgotten since.
  if (!row) return []
  const title = String(row.name ?? row.title ?? row.first_request ?? '')
  if (!mayMatch(title)) return []
  const told = titleOf(connection, chat)
  return mayMatch(told) ? [{ title: told }] : []
}

/** By an index of those that are not, of which there are hardly any: its row need not be read. */
function isPacked({ prepare }: Connection, chat: number): boolean {
  const unpacked = prepare('SELECT 1 FROM chat INDEXED BY chat_unpacked WHERE key = ? AND NOT packed')
  return unpacked.get(chat) === undefined
}

/** As it was written: it is checked only where it is told. */
function titleOf(connection: Connection, chat: number): string {
  const row = connection.prepare('SELECT * FROM chat WHERE key = ?').get(chat)
  return row ? chatReader(connection)(row).title : ''
}

/** Of a chat that is not packed yet. */
function inRows(
  { prepare }: Connection,
  bodies: Bodies,
  chat: number,
  fields: WordField[],
  wanted: Wanted,
): Held[] {
  return prepare('SELECT * FROM chat_message WHERE chat = ? ORDER BY block, slot')
    .all(chat)
    .filter((row) => SEARCHABLE.has(row.kind as Message['kind']))
    .flatMap((row) => wantedOf(messageFrom(row, bodies), fields, wanted))
}

/** Looks at what lies in the blocks, without the rows of the messages: only those of what matches are read. */
function inBlocks(connection: Connection, chat: number, fields: WordField[], wanted: Wanted): Held[] {
  const found: Held[] = []
  const { inTexts, inJson } = wanted
  const { prepare } = connection
  const take = (held: Held[], block: unknown, slot: number) => {
    if (held.length === 0) return
    const kind = prepare('SELECT kind FROM chat_message WHERE chat = ? AND block = ? AND slot = ?').get(
      chat,
      Number(block),
      slot,
    )?.kind
    if (SEARCHABLE.has(kind as Message['kind'])) found.push(...held)
  }
  const inDetails = fields.filter((field) => field !== 'said')
  for (const { key, texts, details } of prepare(inDetails.length > 0 ? BLOCKS : TEXTS).all(chat)) {
    if (fields.includes('said'))
      eachSlot(connection, chat, texts, inTexts, (bytes, slot) =>
        take(wantedOf({ text: bytes.toString() }, ['said'], wanted), key, slot),
      )
    if (details)
      eachSlot(connection, chat, details, inJson, (bytes, slot) => {
        if (inJson(bytes)) take(wantedOf(JSON.parse(bytes.toString()), inDetails, wanted), key, slot)
      })
  }
  return found
}

const TEXTS = 'SELECT key, texts FROM block WHERE chat = ? ORDER BY key'
const BLOCKS = `SELECT block.key, texts, details FROM block LEFT JOIN block_detail ON block_detail.key = block.key
  WHERE chat = ? ORDER BY block.key`

/** The slots of a part of a block that is not empty, if it is one that may match. */
function eachSlot(
  connection: Connection,
  chat: number,
  packed: unknown,
  mayMatch: (bytes: Buffer) => boolean,
  visit: (bytes: Buffer, slot: number) => void,
): void {
  const slots = readable(connection, chat, () => unpack(packed as Uint8Array, sameRoom))
  if (!mayMatch(slots.bytes.subarray(slots.start))) return
  for (let slot = 0; slot < slots.count; slot++) {
    const bytes = bytesAt(slots, slot)
    if (bytes.length > 0) visit(bytes, slot)
  }
}

/** All blocks are unpacked into the same room, one after the other: of each nothing is kept but the strings that match. */
const ROOM = 512 * 1024
let room: Buffer | undefined
function sameRoom(size: number): Buffer | undefined {
  if (size > ROOM) return undefined
  room ??= Buffer.allocUnsafeSlow(ROOM)
  return room.subarray(0, size)
}

function wantedOf(
  message: Pick<Message, 'text' | 'thinking'> & ToolsOf,
  fields: WordField[],
  { mayMatch }: Wanted,
): Held[] {
  return fields
    .map((field): Held => {
      if (field === 'tools') return toolsOf(message, Number.POSITIVE_INFINITY)
      return { text: (field === 'said' ? message.text : message.thinking) ?? '' }
    })
    .filter((held) => {
      const text = heldText(held)
      return text !== '' && mayMatch(text)
    })
}
