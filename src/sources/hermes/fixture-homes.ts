import { fixturesOf } from '../fixture-kit.ts'

const { database } = fixturesOf(import.meta.dirname)

export const homes = [database('state.sql', '.hermes/state.db')]
