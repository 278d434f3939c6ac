import { list, object, words } from '../json.ts'
import { isStart, type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) => {
      const session = lines[0]?.kind === 0 ? object(lines[0].v) : undefined
      if (session) return Array.isArray(session.requests) || 'responderUsername' in session
      // A log that lacks its first entry.
      return (
        lines.length > 0 &&
        lines.every(({ kind, k }) => typeof kind === 'number' && typeof list(k)[0] === 'string')
      )
    },
    place: ({ name, lines }) => {
      const id = words(object(lines[0]?.v)?.sessionId) ?? stem(name)
      return { file: `workspaceStorage/imported/chatSessions/${safe(id)}.jsonl` }
    },
  },
  {
    fits: ({ lines, file }) =>
      isStart(lines, (data) => 'vscodeVersion' in data) ||
      (/[\\/]transcripts[\\/]/.test(file) && isStart(lines)),
    place: ({ lines, name }) => {
      const id = words(object(lines[0]?.data)?.sessionId) ?? stem(name)
      return { file: `workspaceStorage/imported/GitHub.copilot-chat/transcripts/${safe(id)}.jsonl` }
    },
  },
  {
    fits: ({ document }) =>
      Array.isArray(object(document)?.requests) && words(object(document)?.sessionId) !== undefined,
    place: ({ document }) => ({
      file: `workspaceStorage/imported/chatSessions/${safe(String(object(document)!.sessionId))}.json`,
    }),
  },
  {
    fits: ({ hasKey }) => hasKey('interactive.sessions'),
    place: () => ({ file: 'workspaceStorage/imported/state.vscdb' }),
  },
]
