import path from 'node:path'
import { type Json, object, words } from '../json.ts'
import { type Sign, safe } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines, name }) =>
      name.endsWith('.jsonl') &&
      lines.some(
        ({ method, params }) =>
          /^(_x\.ai\/)?session\/update$/.test(String(method)) &&
          words(object(params)?.sessionId) !== undefined,
      ),
    // A session is called by the name of its folder.
    mayStay: ({ file, lines }) => path.basename(path.dirname(file)) === sessionIn(lines),
    place: ({ file, name, lines }) => {
      const session = sessionIn(lines)
      const folder = path.dirname(file)
      const at = `imported/${safe(session)}`
      const isWhole = name === 'updates.jsonl' && path.basename(folder) === session
      return { file: `${at}/updates.jsonl`, ...(isWhole && { folder, at }) }
    },
  },
]

function sessionIn(lines: Json[]): string {
  return lines.map(({ params }) => words(object(params)?.sessionId)).find(Boolean) ?? 'unnamed'
}
