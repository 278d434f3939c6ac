import path from 'node:path'
import { string } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(
        ({ role, message_id, type }) =>
          (role === 'user' || role === 'assistant') && string(message_id) && type === undefined,
      ),
    mayStay: ({ name, file }) =>
      name === 'messages.jsonl' && path.basename(path.dirname(file)).startsWith('session_'),
    place: ({ file, name }) => {
      const folder = path.basename(path.dirname(file))
      if (name === 'messages.jsonl' && folder.startsWith('session_'))
        return { file: `${safe(folder)}/messages.jsonl`, folder: path.dirname(file), at: safe(folder) }
      return { file: `session_${safe(stem(name))}/messages.jsonl` }
    },
  },
]
