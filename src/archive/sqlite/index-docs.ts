import type { MessageKind, Role } from '../../model/chat.ts'
import { KINDS, ROLES } from '../archive.ts'
import { ByteReader, ByteWriter } from './index-bytes.ts'

/** Role and kind in one byte. */
export function labelOf(role: Role, kind: MessageKind): number {
  return ROLES.indexOf(role) * 16 + KINDS.indexOf(kind)
}

/** One message at a time, so that merging copies without making objects. */
export class MessageListWriter {
  readonly #out = new ByteWriter()
  #key = 0
  #chat = 0
  #at = 0

  add(
    key: number,
    chat: number,
    label: number,
    at: number,
    said: number,
    thought: number,
    tools: number,
  ): void {
    const out = this.#out
    out.number(key - this.#key)
    out.signed(chat - this.#chat)
    out.byte(label)
    out.signed(at - this.#at)
    out.byte(said)
    out.byte(thought)
    out.byte(tools)
    this.#key = key
    this.#chat = chat
    this.#at = at
  }

  take(): Uint8Array {
    return this.#out.take()
  }
}

/** Walks over a list of messages; the fields hold the current one. Lengths are codes. */
export class MessageListReader {
  key = 0
  chat = 0
  label = 0
  at = 0
  said = 0
  thought = 0
  tools = 0
  readonly #in: ByteReader

  constructor(bytes: Uint8Array) {
    this.#in = new ByteReader(bytes)
  }

  next(): boolean {
    const from = this.#in
    const { bytes } = from
    if (from.at >= bytes.length) return false
    this.key += from.number()
    this.chat += from.signed()
    this.label = bytes[from.at++]!
    this.at += from.signed()
    this.said = bytes[from.at++]!
    this.thought = bytes[from.at++]!
    this.tools = bytes[from.at++]!
    return true
  }
}

export function writeTitles(titles: { chat: number; code: number }[]): Uint8Array {
  const out = new ByteWriter()
  let before = 0
  for (const { chat, code } of titles) {
    out.number(chat - before)
    out.byte(code)
    before = chat
  }
  return out.take()
}

export function* readTitles(bytes: Uint8Array): Generator<{ chat: number; code: number }> {
  const from = new ByteReader(bytes)
  let chat = 0
  while (from.at < bytes.length) {
    chat += from.number()
    yield { chat, code: bytes[from.at++]! }
  }
}
