import { fixturesOf } from '../fixture-kit.ts'

const { copied } = fixturesOf(import.meta.dirname)

export const homes = [
  copied(
    'traces.jsonl',
    '.local/share/Temp/VSGitHubCopilotLogs/traces/20261001_VSGitHubCopilot_traces.jsonl',
  ),
]
