import { list, object, string, words } from '../json.ts'
import { type Sign, safe, stem, UUID } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some((line) => {
        const isTurn = line.type === 'user' || line.type === 'assistant'
        return (
          isTurn &&
          'parentUuid' in line &&
          string(line.sessionId) &&
          list(object(line.message)?.parts).length === 0
        )
      }) ||
      lines.some(
        ({ type, leafUuid, summary }) => type === 'summary' && leafUuid && typeof summary === 'string',
      ),
    // A session is called by the name of its file.
    mayStay: ({ name }) => UUID.test(stem(name)) || name.startsWith('agent-'),
    place: ({ name, lines }) => {
      const id = words(lines.find(({ sessionId }) => words(sessionId))?.sessionId)
      const isNamed = UUID.test(stem(name)) || name.startsWith('agent-') || !id
      return { file: `imported/${isNamed ? stem(name) : safe(id)}.jsonl` }
    },
  },
]
