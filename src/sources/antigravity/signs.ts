import path from 'node:path'
import { number, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.length > 0 &&
      lines.every(({ step_index, type }) => number(step_index) !== undefined && words(type) !== undefined) &&
      lines.some(({ source }) => words(source) !== undefined),
    place: ({ file, name }) => {
      const folder = path.resolve(file, '..', '..', '..')
      const isWhole = path.basename(path.dirname(path.dirname(file))) === '.system_generated'
      const id = safe(isWhole ? path.basename(folder) : stem(name))
      return { file: `${id}/.system_generated/logs/transcript.jsonl` }
    },
  },
]
