import { object, string } from '../json.ts'
import { type Sign, safe, stem, UUID } from '../sign.ts'

export const signs: Sign[] = [
  {
    // Rows as Claude Code's, in sessions that are called otherwise.
    fits: ({ lines }) =>
      lines.some(
        ({ type, parentUuid, sessionId, message }) =>
          (type === 'user' || type === 'assistant') &&
          parentUuid !== undefined &&
          object(message) !== undefined &&
          UUID.test(/^session-(.+)$/.exec(string(sessionId) ?? '')?.[1] ?? ''),
      ),
    mayStay: ({ name }) => name.startsWith('session-'),
    place: ({ name, lines }) => {
      const id = string(lines.find(({ sessionId }) => string(sessionId))?.sessionId)
      return { file: `imported/${safe(id ?? stem(name))}.jsonl` }
    },
  },
]
