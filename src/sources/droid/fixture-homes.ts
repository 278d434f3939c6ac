import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'droid', {
  whole: /^(.*[\\/]-home-me-shop)[\\/](.*)$/,
})

export const homes = [copied('sessions', '.factory/sessions')]
