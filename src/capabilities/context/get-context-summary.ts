import { z } from 'zod'
import { capability } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const getContextSummary = capability({
  name: 'get_context_summary',
  title: 'Shared context at a glance',
  description: 'Size of context.md and its last five entries by title, without reading it all.',
  set: 'context',
  acts: ['read'],
  input: () => z.object({ workspace }),
  output: () =>
    z.object({
      path: z.string(),
      exists: z.boolean(),
      stats: z.object({ size: z.number(), lines: z.number(), words: z.number(), sessions: z.number() }),
      lastModified: z.string(),
      recentSessions: z.array(z.object({ timestamp: z.string(), preview: z.string() })),
    }),
  async handle(deps, input) {
    const { summarizeContext } = await import('../../context/read.ts')
    return await summarizeContext(placeOf(deps, input.workspace, 'READ_ERROR'), deps.clean)
  },
})
