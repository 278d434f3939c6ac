import type { Chat } from '../../model/chat.ts'
import { millis, object, objects, words } from '../json.ts'
import type { Found } from '../source.ts'
import { toMessage } from './message.ts'

/** One `chat-<id>.json` of the app's own export. The other files in that archive hold keys: never pass them here. */
export function* readChatWiseExport(document: unknown): Generator<Found> {
  const exported = object(document)
  const id = words(exported?.id)
  if (!exported || !id || !Array.isArray(exported.messages)) {
    yield { problem: { reason: 'not a chat exported by ChatWise' } }
    return
  }
  const chat: Chat = {
    source: 'chatwise',
    id,
    title: words(exported.title),
    createdAt: millis(exported.createdAt),
    updatedAt: millis(exported.updatedAt),
    format: 'export',
  }
  yield { chat }
  const instruction = words(exported.systemInstruction)
  if (instruction)
    yield {
      chatId: id,
      message: { id: `${id}:system`, order: 0, role: 'system', kind: 'injected', text: instruction },
    }
  const unknown = new Set<string>()
  for (const [place, entry] of objects(exported.messages).entries()) {
    const messageId = words(entry.id) ?? `${id}:${place}`
    const { role, content, model, createdAt, files, reasoningContent, meta } = entry
    const stored = { id: messageId, role, content, model, createdAt, files, reasoningContent, meta }
    yield { chatId: id, message: toMessage(stored, place + 1, (what) => unknown.add(what)) }
  }
  if (unknown.size > 0) yield { problem: { reason: `not understood: ${[...unknown].join(', ')}` } }
}
