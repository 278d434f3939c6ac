import { fixturesOf } from '../fixture-kit.ts'

const { database } = fixturesOf(import.meta.dirname)

export const homes = [database('conversations.sql', '.local/share/amazon-q/data.sqlite3')]
