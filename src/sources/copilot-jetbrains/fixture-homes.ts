import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'copilot-jetbrains', {
  whole: /^(.*[\\/]jb[\\/][^\\/]+)[\\/](.*)$/,
})

export const homes = [copied('jb', '.copilot/jb')]
