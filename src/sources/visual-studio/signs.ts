import { type Sign, safe, stem } from '../sign.ts'
import { chatIdOf, spansIn } from './span.ts'

export const signs: Sign[] = [
  {
    fits: ({ lines }) =>
      lines.some((line) => [...spansIn(line)].some((span) => chatIdOf(span) !== undefined)),
    place: ({ name }) => ({
      file: `${safe(stem(name)).replace(/_VSGitHubCopilot_traces$/, '')}_VSGitHubCopilot_traces.jsonl`,
    }),
  },
]
