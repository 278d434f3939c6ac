import path from 'node:path'
import type { Sign } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ head }) => /^# aider chat started at \d{4}-/m.test(head),
    // Aider's chats are called by the path of their file, so it stays where it is.
    place: ({ file }) => {
      const name = path.basename(file)
      return { root: path.dirname(file), file: name, label: `AIDER_CHAT_HISTORY_FILE=${name}` }
    },
  },
]
