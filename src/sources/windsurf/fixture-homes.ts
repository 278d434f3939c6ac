import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname)

export const homes = [copied('transcripts', '.windsurf/transcripts')]
