import { object, objects } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ document }) => {
      const messages = objects(object(document)?.messages)
      return messages.length > 0 && messages.every(({ versions }) => Array.isArray(versions))
    },
    place: ({ name }) => ({ file: `${safe(stem(name).replace(/\.conversation$/, ''))}.conversation.json` }),
  },
]
