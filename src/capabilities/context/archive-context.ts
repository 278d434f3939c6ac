import { z } from 'zod'
import { capability } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const archiveContext = capability({
  name: 'archive_context',
  title: 'Shorten the shared context',
  description: 'Moves all but the newest entries of context.md to context.archive.md. Nothing is lost.',
  set: 'context',
  acts: ['read', 'write-context'],
  input: () =>
    z.object({
      workspace,
      keepSessions: z.int().min(0).max(100_000).optional().describe('Entries to keep, default 20'),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      path: z.string(),
      archivePath: z.string(),
      archived: z.number(),
      kept: z.number(),
    }),
  async handle(deps, input) {
    const { archiveContext: archived } = await import('../../context/archive-entries.ts')
    return archived(placeOf(deps, input.workspace, 'WRITE_ERROR'), input.keepSessions ?? 20)
  },
})
