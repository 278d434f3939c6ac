import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'mistral-vibe', {
  whole: /^(.*[\\/]session_[^\\/]+)[\\/](.*)$/,
})

export const homes = [copied('session', '.vibe/logs/session')]
