import type { ArchivedChat, ArchivedMessage } from '../../archive/archive.ts'
import type { Reading } from './reading.ts'

/** A chat of which all messages are here: requests and answers in turn. */
export function readingOf(texts: string[]): Reading {
  const chat: ArchivedChat = {
    key: 1,
    source: 'codex',
    id: 'c',
    title: 'A chat',
    models: [],
    messageCount: texts.length,
    requestCount: Math.ceil(texts.length / 2),
  }
  return { chat, messages: texts.map(messageOf), top: { index: 0, row: 0 } }
}

export function messageOf(text: string, index: number): ArchivedMessage {
  const isRequest = index % 2 === 0
  return {
    key: index + 1,
    id: `m${index}`,
    order: index,
    index,
    role: isRequest ? 'user' : 'assistant',
    kind: isRequest ? 'request' : 'answer',
    text,
  }
}
