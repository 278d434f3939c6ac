import { string, words } from '../json.ts'
import { type Sign, safe, stem, UUID } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) => lines[0]?.type === 'session_start' && words(lines[0].id) !== undefined,
    mayStay: ({ name }) => UUID.test(stem(name)),
    place: ({ name, lines }) => ({
      file: `imported/${safe(UUID.test(stem(name)) ? stem(name) : (string(lines[0]?.id) ?? stem(name)))}.jsonl`,
    }),
  },
]
