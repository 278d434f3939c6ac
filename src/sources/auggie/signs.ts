import { object, objects, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ document }) =>
      words(object(document)?.sessionId) !== undefined &&
      objects(object(document)?.chatHistory).some(({ exchange }) => object(exchange) !== undefined),
    place: ({ name }) => ({ file: `${safe(stem(name))}.json` }),
  },
]
