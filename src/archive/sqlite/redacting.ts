import type { Message } from '../../model/chat.ts'
import { redactJsonIn, type Seen, secretsIn } from '../../platform/redact.ts'
import { redactHeader, redactMessage } from '../../platform/redact-message.ts'
import type { UnitReading } from '../archive.ts'
import type { ParcelReading } from '../parcel.ts'
import type { Connection } from './connection.ts'
import type { Screened } from './forgotten.ts'
import type { OpenChat } from './open-chat.ts'
import { messageOf, type PreparedMessage, preparedFrom } from './prepared-message.ts'
import { isRedactedChat, keepSeen, noteUnseen, seenBy } from './seen-secrets.ts'
import { readCheckpoint } from './unit-row.ts'

/** What is told, and whether secrets are taken out of any of it. */
export interface Cleaned extends Screened<Message | PreparedMessage> {
  isRedacted: boolean
  /** What they are, all chats of it together. */
  seen?: Seen
}

/** Takes secrets out of what is told of chats that are kept without them: of all, where that is set. */
export class Redacting {
  readonly #connection: Connection
  readonly #all: boolean
  readonly #any: boolean

  constructor(connection: Connection, all: boolean) {
    this.#connection = connection
    this.#all = all
    this.#any = all || connection.prepare('SELECT 1 FROM redacted_chat LIMIT 1').get() !== undefined
  }

  clean(told: Screened<Message | PreparedMessage>, openChat: (id: string) => OpenChat | undefined): Cleaned {
    if (!this.#any) return { ...told, isRedacted: false }
    const known = new Map<string, Seen>()
    let together: Seen | undefined
    for (const id of new Set([
      ...told.chats.map((chat) => chat.id),
      ...told.messages.map(({ chatId }) => chatId),
    ])) {
      const open = openChat(id)
      if (!open || !this.#isRedacted(open.key)) continue
      const seen = this.#learn(open, told, id)
      known.set(id, seen)
      together = together ? together.with(seen.marks()) : seen
    }
    if (!together) return { ...told, isRedacted: false }
    return {
      ...told,
      chats: told.chats.map((chat) => (known.has(chat.id) ? redactHeader(chat, known.get(chat.id)!) : chat)),
      messages: told.messages.map((each) =>
        known.has(each.chatId)
          ? { ...each, message: withoutSecrets(each.message, known.get(each.chatId)!) }
          : each,
      ),
      isRedacted: true,
      seen: together,
    }
  }

  /** A reading as it is noted: where it may go on holds no secret; without that it begins again. */
  noted(reading: UnitReading | ParcelReading, { seen }: Cleaned): UnitReading | ParcelReading {
    const isReady = 'first' in reading
    const checkpoint = isReady ? readCheckpoint(reading.checkpoint) : reading.checkpoint
    const written = JSON.stringify(checkpoint ?? null)
    if (redactJsonIn(written, seen) === written) return reading
    return isReady ? { ...reading, checkpoint: null } : { ...reading, checkpoint: undefined }
  }

  reason(reason: string, { isRedacted, seen }: Cleaned): string {
    return isRedacted ? redactJsonIn(reason, seen) : reason
  }

  #isRedacted(chat: number): boolean {
    if (this.#all) this.#connection.prepare('INSERT OR IGNORE INTO redacted_chat (chat) VALUES (?)').run(chat)
    return this.#all || isRedactedChat(this.#connection, chat)
  }

  /** What is a secret in the chat, with what is told now. Where that is more, its older messages are looked at again. */
  #learn(open: OpenChat, told: Screened<Message | PreparedMessage>, id: string): Seen {
    const seen = seenBy(this.#connection, open.key)
    const before = seen.size
    for (const { chatId, message } of told.messages)
      if (chatId === id)
        for (const { secret } of secretsIn('hash' in message ? messageOf(message) : message)) seen.add(secret)
    if (seen.size > before) {
      keepSeen(this.#connection, open.key, seen)
      if (open.messages > 0) noteUnseen(this.#connection, open.key, 0)
    }
    return seen
  }
}

/** What another thread made ready is made anew only where it holds one. */
function withoutSecrets(message: Message | PreparedMessage, seen: Seen): Message | PreparedMessage {
  if (!('hash' in message)) return redactMessage(message, seen)
  const whole = messageOf(message)
  const clean = redactMessage(whole, seen)
  return JSON.stringify(clean) === JSON.stringify(whole) ? message : preparedFrom(clean)
}
