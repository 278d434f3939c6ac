import { readChatWiseExport } from '../chatwise/export.ts'
import { importOfChats } from './import.ts'

export const chatWiseExport = importOfChats(
  {
    id: 'chatwise',
    name: 'ChatWise',
    looksFor: 'the chats of a ChatWise export (chat-….json)',
    // Many tools write an id and messages: only the name of the file or a word of its own tells this one.
    recognise: (document, file) =>
      typeof document.id === 'string' &&
      Array.isArray(document.messages) &&
      ('systemInstruction' in document || /^chat-[\w-]+\.json$/.test(file)),
  },
  readChatWiseExport,
)
