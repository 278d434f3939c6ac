import { object } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some(
        (line) =>
          (line.type === 'user_input' && 'user_response' in (object(line.user_input) ?? {})) ||
          (line.type === 'planner_response' && 'response' in (object(line.planner_response) ?? {})),
      ),
    place: ({ name }) => ({ file: `${safe(stem(name))}.jsonl` }),
  },
]
