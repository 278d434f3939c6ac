import { words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      words(lines[0]?.working_dir) !== undefined &&
      lines.slice(1).every(({ role, content }) => role && Array.isArray(content)),
    place: ({ name }) => ({ file: `${safe(stem(name))}.jsonl` }),
  },
  {
    fits: ({ columns }) => columns('messages').includes('content_json'),
    place: () => ({ file: 'sessions.db' }),
  },
]
