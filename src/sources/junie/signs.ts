import path from 'node:path'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) => lines.some(({ kind }) => kind === 'SessionA2uxEvent' || kind === 'UserPromptEvent'),
    place: ({ file, name }) => {
      const session = path.basename(path.dirname(file))
      const isWhole = name === 'events.jsonl' && session.startsWith('session-')
      return { file: `${isWhole ? safe(session) : `session-${safe(stem(name))}`}/events.jsonl` }
    },
  },
]
