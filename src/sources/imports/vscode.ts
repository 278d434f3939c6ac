import { hash } from 'node:crypto'
import { objects, plain } from '../json.ts'
import { exportedChat, isExportedChat } from '../vscode/session.ts'
import { importOfChats } from './import.ts'

export const vscodeExport = importOfChats(
  {
    id: 'vscode',
    name: 'VS Code',
    looksFor: 'a chat saved with "Chat: Export Chat…" in VS Code',
    recognise: isExportedChat,
  },
  (document) => {
    const first = plain(objects(document.requests)[0]?.message)
    return exportedChat(document, `export-${hash('sha1', first).slice(0, 16)}`)
  },
)
