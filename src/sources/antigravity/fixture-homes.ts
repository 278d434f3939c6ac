import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'antigravity', {
  whole: /^(.*[\\/]antigravity-cli)[\\/](.*)$/,
})

export const homes = [copied('', '.gemini/antigravity-cli')]
