import { fixturesOf } from '../fixture-kit.ts'

const { copied, database } = fixturesOf(import.meta.dirname, 'kiro', {
  whole: /^(.*[\\/]sessions[\\/](?:cli|[^\\/]+))[\\/](.*)$/,
})

export const homes = [
  copied('sessions', '.kiro/sessions'),
  database('conversations.sql', '.local/share/kiro-cli/data.sqlite3'),
]
