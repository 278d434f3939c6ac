import path from 'node:path'
import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines[0]?.type === 'metadata' &&
      words(lines[0].protocol_version) !== undefined &&
      lines.some(({ agentId, time }) => words(agentId) && typeof time === 'number'),
    place: ({ file, name, lines }) => {
      const agent = words(lines.find(({ agentId }) => words(agentId))?.agentId) ?? 'main'
      const session = path.resolve(file, '..', '..', '..')
      if (name === 'wire.jsonl' && path.basename(path.resolve(file, '..', '..')) === 'agents') {
        const at = `imported/${safe(path.basename(session))}`
        return { file: `${at}/agents/${safe(agent)}/wire.jsonl`, folder: session, at }
      }
      return { file: `imported/${safe(stem(name))}/agents/${safe(agent)}/wire.jsonl` }
    },
  },
]

/** Of the program in Python. */
export const pythonSigns: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(({ timestamp, message }) => {
        const told = object(message)
        return (
          typeof timestamp === 'number' && told?.type === 'TurnBegin' && object(told.payload) !== undefined
        )
      }),
    place: ({ file, name }) => {
      const folder = path.dirname(file)
      const at = `imported/${safe(path.basename(folder))}`
      return name === 'wire.jsonl'
        ? { file: `${at}/wire.jsonl`, folder, at }
        : { file: `imported/${safe(stem(name))}/wire.jsonl` }
    },
  },
]
