import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ document }) =>
      words(object(document)?.sessionId) !== undefined && Array.isArray(object(document)?.history),
    place: ({ name }) => ({ file: `${safe(stem(name))}.json` }),
  },
]
