import type { Archive } from '../archive/archive.ts'
import type { Clean } from '../model/clean.ts'
import { RecollectError } from '../model/errors.ts'
import { preview } from './preview.ts'

export interface Resolved {
  chats: { chatId: string; title: string; source: string }[]
  messages: { messageId: string; chatId: string; index: number; role: string; preview: string }[]
  /** A prefix that was given does not name exactly one. */
  ambiguous: boolean
}

const LISTED = 20
const MOST_LISTED = 100
const LEAST_PREFIX = 4

/** Whole ids for beginnings of ids. */
export async function resolveIds(
  archive: Archive,
  {
    chatIdPrefix,
    messageIdPrefix,
    limit = LISTED,
  }: { chatIdPrefix?: string; messageIdPrefix?: string; limit?: number },
  clean: Clean,
): Promise<Resolved> {
  const given = [chatIdPrefix, messageIdPrefix].filter((prefix) => prefix !== undefined)
  if (given.length === 0 || given.some((prefix) => prefix.trim().length < LEAST_PREFIX)) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `A beginning of an id needs at least ${LEAST_PREFIX} characters.`,
      'Give more of the id of a chat or of a message.',
    )
  }
  const most = Math.min(MOST_LISTED, Math.max(1, Math.floor(limit)))
  const chats = chatIdPrefix ? await archive.chatsBegunWith(chatIdPrefix.trim(), most + 1) : []
  const found = messageIdPrefix ? await archive.messagesBegunWith(messageIdPrefix.trim(), most + 1) : []
  // Messages of the chat that is meant, where both are given.
  const keys = new Set(chats.map((chat) => chat.key))
  const messages = chatIdPrefix ? found.filter(({ chat }) => keys.has(chat.key)) : found
  return {
    chats: chats.slice(0, most).map(({ key, id, title, source }) => ({
      chatId: id,
      title: preview(clean({ title }, { key }).title, 120),
      source,
    })),
    messages: messages.slice(0, most).map(({ chat, message }) => ({
      messageId: message.id,
      chatId: chat.id,
      index: message.index,
      role: message.role,
      preview: preview(clean(message.text, chat)),
    })),
    ambiguous: chats.length > 1 || messages.length > 1,
  }
}
