import { fixturesOf } from '../fixture-kit.ts'

const { copied, database } = fixturesOf(import.meta.dirname)

export const homes = [
  copied('storage', '.local/share/opencode/storage'),
  database('opencode.sql', '.local/share/opencode/opencode.db'),
  database(['opencode.sql', 'forked.sql'], '.local/share/opencode/opencode.db'),
]
