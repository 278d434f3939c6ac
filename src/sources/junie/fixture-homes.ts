import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'junie', { whole: /^(.*[\\/]sessions)[\\/](.*)$/ })

export const homes = [copied('sessions', '.junie/sessions')]
