import path from 'node:path'
import { object, words } from '../json.ts'
import { type Sign, safe } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines, name }) =>
      name === 'messages.jsonl' &&
      lines.some(
        ({ metadata }) => words(object(metadata)?.conversation_id) && words(object(metadata)?.agent_id),
      ),
    place: ({ file }) => {
      const folder = path.dirname(file)
      const at = safe(path.basename(folder))
      return { file: `${at}/messages.jsonl`, folder, at }
    },
  },
]
