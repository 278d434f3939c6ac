import { fixturesOf } from '../fixture-kit.ts'

const { copied, made } = fixturesOf(import.meta.dirname)

export const homes = [
  copied('projects', '.claude/projects'),
  made('a session of Claude Desktop', (home) => {
    const session = '-home-me-shop/0b1f6c1e-0000-4000-8000-0000000000b2.jsonl'
    copied(`projects/${session}`, `.claude/projects/${session}`).put(home)
    copied('desktop', '.config/Claude/claude-code-sessions').put(home)
  }),
]
