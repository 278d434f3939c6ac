import { object, string } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ document }) => {
      const thread = object(document)
      return Array.isArray(thread?.messages) && /^T-[\w-]{4,}$/.test(string(thread.id) ?? '')
    },
    mayStay: ({ name }) => name.startsWith('T-'),
    place: ({ name, document }) => ({
      file: `${safe(string(object(document)?.id) ?? stem(name))}.json`,
    }),
  },
]
