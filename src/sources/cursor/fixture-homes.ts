import { fixturesOf } from '../fixture-kit.ts'

const { copied, database } = fixturesOf(import.meta.dirname)

export const homes = [
  database('global.sql', '.config/Cursor/User/globalStorage/state.vscdb'),
  database('workspace.sql', '.config/Cursor/User/workspaceStorage/w1/state.vscdb'),
  copied('transcript.jsonl', `.cursor/projects/home-me-proj/agent-transcripts/${'a'.repeat(8)}.jsonl`),
]
