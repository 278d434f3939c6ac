import { object, string } from '../json.ts'
import { type Sign, safe, stem, UUID } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(
        ({ uuid, parentUuid, sessionId, message }) =>
          string(uuid) &&
          parentUuid !== undefined &&
          string(sessionId) &&
          Array.isArray(object(message)?.parts),
      ),
    place: ({ name, lines }) => {
      const id = string(lines.find(({ sessionId }) => string(sessionId))?.sessionId)
      if (lines.some(({ isSidechain }) => isSidechain === true))
        return {
          file: `imported/subagents/${safe(id ?? '')}/agent-${safe(stem(name).replace(/^agent-/, ''))}.jsonl`,
        }
      return { file: `imported/chats/${UUID.test(stem(name)) || !id ? safe(stem(name)) : safe(id)}.jsonl` }
    },
  },
]
