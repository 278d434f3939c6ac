import { words } from '../json.ts'
import { type Sign, stem, UUID } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines, name }) =>
      lines[0]?.type === 'session' && words(lines[0].version) !== undefined && UUID.test(stem(name)),
    place: ({ name }) => ({ file: name }),
  },
]
