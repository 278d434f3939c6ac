import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'grok-build', {
  whole: /^(.*[\\/]01[0-9a-f-]{34})[\\/](.*)$/,
})

export const homes = [copied('sessions', '.grok/sessions')]
