import path from 'node:path'
import { object, words } from '../json.ts'
import { isStart, type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) => isStart(lines),
    place: ({ file, name, lines }) => {
      const id = safe(words(object(lines[0]?.data)?.sessionId) ?? stem(name))
      const at = `session-state/${id}`
      const isWhole = name === 'events.jsonl' && path.basename(path.dirname(file)) === id
      return { file: `${at}/events.jsonl`, ...(isWhole && { folder: path.dirname(file), at }) }
    },
  },
  {
    fits: ({ document }) =>
      Array.isArray(object(document)?.chatMessages) && Array.isArray(object(document)?.timeline),
    place: ({ document }) => ({
      file: `history-session-state/session_${safe(String(object(document)?.sessionId))}_0.json`,
    }),
  },
]
