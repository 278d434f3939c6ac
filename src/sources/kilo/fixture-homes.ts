import { fixturesOf } from '../fixture-kit.ts'

const { database } = fixturesOf(import.meta.dirname)

export const homes = [database('kilo.sql', '.local/share/kilo/kilo.db')]
