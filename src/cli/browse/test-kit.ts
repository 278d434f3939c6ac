import type { OpenedChat, ReadMessage } from '../../recall/reader.ts'
import type { Reading } from './reading.ts'

/** A chat of which all messages are here: requests and answers in turn. */
export function readingOf(texts: string[]): Reading {
  const chat: OpenedChat['chat'] = {
    source: 'codex',
    id: 'c',
    title: 'A chat',
    models: [],
    messageCount: texts.length,
    requestCount: Math.ceil(texts.length / 2),
    filePaths: [],
  }
  return { chat, messages: texts.map(messageOf), top: { index: 0, row: 0 } }
}

export function messageOf(text: string, index: number): ReadMessage {
  const isRequest = index % 2 === 0
  return {
    id: `m${index}`,
    index,
    role: isRequest ? 'user' : 'assistant',
    kind: isRequest ? 'request' : 'answer',
    text,
  }
}
