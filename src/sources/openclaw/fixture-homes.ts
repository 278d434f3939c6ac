import { fixturesOf } from '../fixture-kit.ts'

const { copied, database } = fixturesOf(import.meta.dirname)

export const homes = [
  copied('sessions', '.openclaw/agents/main/sessions'),
  database('agent.sql', '.openclaw/agents/main/agent/openclaw-agent.sqlite'),
]
