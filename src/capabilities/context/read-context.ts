import { z } from 'zod'
import type { Place } from '../../context/place.ts'
import type { ContextRead, ReadOptions } from '../../context/read.ts'
import { capability, type Deps } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const readContext = capability({
  name: 'read_context',
  title: 'Read the shared context',
  description:
    "The workspace's context.md: what agents and people handed over. Read it before you begin; a long one from its end.",
  set: 'context',
  acts: ['read'],
  input: () =>
    z.object({
      workspace,
      format: z.enum(['markdown', 'plain']).optional(),
      lastSessions: z.int().min(0).optional().describe('Only the last n entries'),
      maxBytes: z.int().min(1).optional().describe('Default: what fits an answer'),
    }),
  output: () =>
    z.object({
      content: z.string(),
      metadata: z.object({
        path: z.string(),
        size: z.number(),
        lastModified: z.string(),
        sessionCount: z.number(),
        truncated: z.boolean().optional(),
      }),
    }),
  async handle(deps, input) {
    const place = placeOf(deps, input.workspace, 'READ_ERROR')
    return input.maxBytes ? await read(place, input, deps.clean) : await fitting(place, input, deps)
  },
})

async function read(place: Place, options: ReadOptions, clean: Deps['clean']): Promise<ContextRead> {
  const { readContext } = await import('../../context/read.ts')
  return await readContext(place, options, clean)
}

/** As much of the end as the answer takes, written as JSON. */
async function fitting(
  place: Place,
  options: ReadOptions,
  { clean, room: budget }: Pick<Deps, 'clean' | 'room'>,
): Promise<ContextRead> {
  for (let maxBytes = budget; ; maxBytes = Math.floor(maxBytes * 0.8)) {
    const answer = await read(place, { ...options, maxBytes }, clean)
    if (JSON.stringify(answer).length <= budget || maxBytes < 200) return answer
  }
}
