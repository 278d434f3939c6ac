import { z } from 'zod'
import { MEMORY_TARGETS } from '../../context/memory-files.ts'
import { capability } from '../capability.ts'
import { apply, fittingDiff, placeOf, workspace } from './where.ts'

export const importFromMemory = capability({
  name: 'import_from_memory',
  title: 'Instructions into context',
  description: "Adds what an assistant's instructions or memory say to context.md. Shows the diff first.",
  set: 'context',
  acts: ['read'],
  also: [{ act: 'write-context', when: ({ apply }) => apply === true }],
  input: () =>
    z.object({
      workspace,
      from: z.enum(MEMORY_TARGETS).optional().describe('Default: the first that exists'),
      apply,
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      from: z.enum(MEMORY_TARGETS),
      read: z.string(),
      path: z.string(),
      entry: z.enum(['added', 'updated', 'unchanged']),
      diff: z.string(),
      applied: z.boolean(),
    }),
  async handle(deps, input) {
    const place = placeOf(deps, input.workspace, 'WRITE_ERROR')
    const { importFromMemory: imported } = await import('../../context/memory.ts')
    return fittingDiff(deps, await imported({ place, machine: deps.machine }, input, { clean: deps.clean }))
  },
})
