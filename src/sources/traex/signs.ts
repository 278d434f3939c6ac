import path from 'node:path'
import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

const ROLLOUT = /^rollout-.+\.jsonl$/

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(
        ({ type, payload }) =>
          type === 'history_mutation' ||
          (type === 'session_meta' && object(payload)?.model_provider === 'trae'),
      ),
    place: ({ file, name, lines }) => {
      // Rollouts of one thread belong together.
      if (ROLLOUT.test(name) && name === path.basename(file))
        return { file: `sessions/${name}`, folder: path.dirname(file), at: 'sessions' }
      const meta = lines.find(({ type }) => type === 'session_meta')
      const id = words(object(meta?.payload)?.id) ?? stem(name)
      return { file: `sessions/rollout-imported-${safe(id)}.jsonl` }
    },
  },
]
