import { object, objects, string, version, words } from '../json.ts'
import { type Session, toChat, toMessage } from '../opencode/message.ts'
import { importOfChats } from './import.ts'

/** What `opencode export` prints: the session, and its messages with their parts. */
export const opencodeExport = importOfChats(
  {
    id: 'opencode',
    name: 'opencode',
    looksFor: 'a session printed by `opencode export`',
    recognise: (document) =>
      words(object(document.info)?.id) !== undefined &&
      Array.isArray(document.messages) &&
      objects(document.messages).every(({ info, parts }) => object(info) && Array.isArray(parts)),
  },
  function* (document) {
    const info = object(document.info)!
    const time = object(info.time)
    const session: Session = {
      id: String(info.id),
      title: info.title,
      directory: info.directory,
      parentId: info.parentID,
      createdAt: time?.created,
      updatedAt: time?.updated,
      format: version(info.version) ?? 'export',
      revertedFrom: words(object(info.revert)?.messageID),
    }
    yield { chat: toChat(session, { id: 'opencode', command: 'opencode' }) }
    for (const each of objects(document.messages)) {
      const about = object(each.info)!
      const id = words(about.id)
      const parts = objects(each.parts).map((content) => ({ id: string(content.id) ?? '', content }))
      const message = id && toMessage(id, about, parts, session)
      if (message) yield { chatId: session.id, message }
    }
  },
)
