import path from 'node:path'
import { object, words } from '../json.ts'
import { type Sign, safe, stem, UUID } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines, document, name, head }) =>
      lines.some(
        ({ type, payload }) =>
          object(payload) && /^(session_meta|response_item|event_msg|turn_context)$/.test(String(type)),
      ) ||
      (lines[0] !== undefined && UUID.test(String(lines[0].id)) && 'instructions' in lines[0]) ||
      (object(object(document)?.session) !== undefined && Array.isArray(object(document)?.items)) ||
      (/^rollout-.+\.jsonl\.zst$/.test(name) && !/^\s*[{[]/.test(head)),
    place: ({ file, name, lines }) => {
      // Rollouts of one thread belong together.
      if (/^rollout-.+\.(jsonl|jsonl\.zst|json)$/.test(name) && name === path.basename(file))
        return { file: `sessions/${name}`, folder: path.dirname(file), at: 'sessions' }
      if (/^rollout-.+\.(jsonl|jsonl\.zst|json)$/.test(name)) return { file: `sessions/${name}` }
      const meta = lines.find(({ type }) => type === 'session_meta')
      const id = words(object(meta?.payload)?.id) ?? words(lines[0]?.id)
      const kind = lines.length > 1 ? 'jsonl' : 'json'
      return { file: `sessions/rollout-imported-${safe(id ?? stem(name))}.${kind}` }
    },
  },
]
