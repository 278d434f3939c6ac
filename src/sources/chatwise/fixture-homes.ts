import { fixturesOf } from '../fixture-kit.ts'

const { database } = fixturesOf(import.meta.dirname)

export const homes = [database('app.sql', '.config/app.chatwise/app.db')]
