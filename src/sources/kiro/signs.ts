import path from 'node:path'
import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

const KINDS = ['Prompt', 'AssistantMessage', 'ToolResults']

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(({ kind, data }) => KINDS.includes(String(kind)) && Array.isArray(object(data)?.content)),
    place: ({ name }) => ({ file: `cli/${safe(stem(name))}.jsonl` }),
  },
  {
    fits: ({ lines }) =>
      lines.some(
        ({ payload }) => object(payload)?.type === 'turn_start' && words(object(payload)?.executionId),
      ),
    // A session is called by the name of its folder.
    mayStay: ({ file }) => path.basename(path.dirname(file)).startsWith('sess_'),
    place: ({ file, name }) => {
      const folder = path.dirname(file)
      const session = path.basename(folder)
      if (name === 'messages.jsonl' && session.startsWith('sess_')) {
        const at = `imported/${safe(session)}`
        return { file: `${at}/messages.jsonl`, folder, at }
      }
      return { file: `imported/sess_${safe(stem(name))}/messages.jsonl` }
    },
  },
  {
    fits: ({ columns }) =>
      ['key', 'conversation_id', 'value'].every((name) => columns('conversations_v2').includes(name)),
    place: () => ({ file: 'data.sqlite3', label: 'database' }),
  },
]
