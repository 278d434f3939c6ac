import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines[0]?.type === 'session' &&
      typeof lines[0].version === 'number' &&
      lines[0].version < 4 &&
      'cwd' in lines[0],
    place: ({ name, lines }) => {
      const isNamed = /_[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(stem(name))
      return { file: `${isNamed ? stem(name) : `imported_${safe(String(lines[0]?.id))}`}.jsonl` }
    },
  },
]
