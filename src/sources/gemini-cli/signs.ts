import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines, document }) =>
      [lines[0], object(document)].some((first) => words(first?.sessionId) && words(first?.projectHash)),
    place: ({ name, lines }) => {
      const kind = lines.length > 1 || name.endsWith('.jsonl') ? 'jsonl' : 'json'
      return { file: `tmp/imported/chats/session-${safe(stem(name).replace(/^session-/, ''))}.${kind}` }
    },
  },
]
