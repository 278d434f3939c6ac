import { fixturesOf } from '../fixture-kit.ts'

const { database } = fixturesOf(import.meta.dirname)

/** The list of projects names them by where they are, which a home that may be moved cannot. */
export const homes = [database('crush.sql', '.local/share/crush/crush.db')]

/** A database in a project. */
export const project = database('crush.sql', 'shop/.crush/crush.db')
