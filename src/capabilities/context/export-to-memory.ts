import { z } from 'zod'
import { MEMORY_TARGETS } from '../../context/memory-files.ts'
import { capability } from '../capability.ts'
import { apply, fittingDiff, placeOf, workspace } from './where.ts'

export const exportToMemory = capability({
  name: 'export_to_memory',
  title: 'Context into instructions',
  description:
    "Puts the last entries of context.md into a marked block of an assistant's instructions. Shows the diff first.",
  set: 'context',
  acts: ['read'],
  also: [{ act: 'write-memory', when: ({ apply }) => apply === true }],
  input: () =>
    z.object({
      workspace,
      target: z.enum(MEMORY_TARGETS).optional().describe('Default: the first that exists'),
      apply,
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      target: z.enum(MEMORY_TARGETS),
      path: z.string(),
      diff: z.string(),
      applied: z.boolean(),
    }),
  async handle(deps, input) {
    const place = placeOf(deps, input.workspace, 'WRITE_ERROR')
    const { exportToMemory: exported } = await import('../../context/memory.ts')
    return fittingDiff(deps, await exported({ place, machine: deps.machine }, input, deps.clean))
  },
})
