import type { Message } from '../../model/chat.ts'
import { toolText } from '../../model/tool-text.ts'
import { SEARCHABLE, type WordField } from '../archive.ts'
import { Bodies, bytesAt, type Slots } from './blocks.ts'
import { type Connection, connect } from './connection.ts'
import { messageFrom } from './message-row.ts'
import { chatReader } from './read.ts'

/** The texts of an archive, for a thread that looks through all of them. */
export interface Texts {
  /** Those texts of a chat that match, whole and of any length. */
  matching(chat: number, fields: WordField[], wanted: Wanted): string[]
  close(): void
}

export interface Wanted {
  matches(text: string): boolean
  /** Whether bytes may hold what is looked for: what may not is not made a text of. */
  mayHold(bytes: Buffer): boolean
}

export function openTexts(folder: string): Texts {
  const connection = connect(folder)
  const bodies = new Bodies(connection)
  return {
    matching(chat, fields, wanted) {
      const row = connection.prepare('SELECT * FROM chat WHERE key = ?').get(chat)
      // Forgotten since.
      if (!row) return []
      const found = fields.includes('title') ? [chatReader(connection)(row).title].filter(wanted.matches) : []
      const inMessages = fields.filter((field) => field !== 'title')
      const look = row.packed === 1 ? inBlocks : inRows
      return inMessages.length === 0
        ? found
        : [...found, ...look(connection, bodies, chat, inMessages, wanted)]
    },
    close: () => connection.close(),
  }
}

/** Of a chat that is not packed yet. */
function inRows(
  { prepare }: Connection,
  bodies: Bodies,
  chat: number,
  fields: WordField[],
  { matches }: Wanted,
): string[] {
  return prepare('SELECT * FROM chat_message WHERE chat = ? ORDER BY block, slot')
    .all(chat)
    .filter((row) => SEARCHABLE.has(row.kind as Message['kind']))
    .flatMap((row) => textsOf(messageFrom(row, bodies), fields).filter(matches))
}

/** Looks at what lies in the blocks, without the rows of the messages: only those of what matches are read. */
function inBlocks(
  { prepare }: Connection,
  bodies: Bodies,
  chat: number,
  fields: WordField[],
  { matches, mayHold }: Wanted,
): string[] {
  const found: string[] = []
  const isSearched = prepare('SELECT kind FROM chat_message WHERE chat = ? AND block = ? AND slot = ?')
  const take = (texts: string[], block: number, slot: number) => {
    const matching = texts.filter((text) => text !== '' && matches(text))
    if (matching.length === 0) return
    const kind = isSearched.get(chat, block, slot)?.kind
    if (SEARCHABLE.has(kind as Message['kind'])) found.push(...matching)
  }
  const details = fields.filter((field) => field !== 'said')
  for (const { key } of prepare('SELECT key FROM block WHERE chat = ? ORDER BY key').all(chat)) {
    const block = Number(key)
    if (fields.includes('said'))
      for (const [slot, bytes] of slotsThat(mayHold, bodies.slots('texts', block, chat)))
        take([bytes.toString()], block, slot)
    if (details.length > 0)
      for (const [slot, bytes] of slotsThat(mayHold, bodies.slots('details', block, chat)))
        take(textsOf(JSON.parse(bytes.toString()), details), block, slot)
  }
  return found
}

function slotsThat(mayHold: Wanted['mayHold'], slots: Slots | null): [slot: number, bytes: Buffer][] {
  if (!slots || !mayHold(slots.bytes)) return []
  return Array.from({ length: slots.count }, (_, slot): [number, Buffer] => [
    slot,
    bytesAt(slots, slot),
  ]).filter(([, bytes]) => bytes.length > 0 && mayHold(bytes))
}

function textsOf(message: Message, fields: WordField[]): string[] {
  return fields.map((field) =>
    field === 'said'
      ? message.text
      : field === 'thought'
        ? (message.thinking ?? '')
        : toolText(message, Number.POSITIVE_INFINITY),
  )
}
