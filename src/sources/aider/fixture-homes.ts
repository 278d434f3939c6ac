import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname)

export const homes = [
  copied('history.md', 'proj/.aider.chat.history.md'),
  copied('trimmed.md', 'proj/.aider.chat.history.md'),
]
