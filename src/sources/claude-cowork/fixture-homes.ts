import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname, 'claude-cowork', {
  whole: /^(.*[\\/]local-agent-mode-sessions)[\\/](.*)$/,
})

export const homes = [copied('sessions', '.config/Claude/local-agent-mode-sessions')]
