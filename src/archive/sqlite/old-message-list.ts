import { ByteReader, ByteWriter } from './index-bytes.ts'
import { MessageList, MessageListWriter } from './index-docs.ts'

/**
 * Lists of messages as they were written before they stood in columns, and as they stand in copies of older archives: message
 * by message, its key, chat and time as differences to the one before.
 */
export function columnsOf(old: Uint8Array): Uint8Array {
  const from = new ByteReader(old)
  const out = new MessageListWriter(Number.POSITIVE_INFINITY)
  let [key, chat, at] = [0, 0, 0]
  while (from.at < old.length) {
    key += from.number()
    chat += from.signed()
    const label = old[from.at++]!
    at += from.signed()
    const [said, thought, tools] = [old[from.at++]!, old[from.at++]!, old[from.at++]!]
    out.add(key, chat, label, at, said, thought, tools)
  }
  return out.take()[0] ?? new Uint8Array(0)
}

/** `shift` is added to all keys. */
export function oldListOf(columns: Uint8Array, shift = 0): Uint8Array {
  const list = new MessageList(columns)
  const out = new ByteWriter()
  let before = { key: 0, chat: 0, at: 0 }
  list.each((n, key, chat) => {
    const now = { key: key + shift, chat: chat + shift, at: list.at(n) }
    out.number(now.key - before.key)
    out.signed(now.chat - before.chat)
    out.byte(list.label[n]!)
    out.signed(now.at - before.at)
    for (const length of [list.said, list.thought, list.tools]) out.byte(length[n]!)
    before = now
  })
  return out.take()
}
