import { z } from 'zod'
import { redactJson } from '../../platform/redact.ts'
import { capability } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const initContext = capability({
  name: 'init_context',
  title: 'Create a shared context',
  description: 'Creates context.md in a workspace that has none.',
  set: 'context',
  acts: ['read', 'write-context'],
  input: () =>
    z.object({
      workspace,
      projectName: z.string().max(200).optional(),
      projectDescription: z.string().max(20_000).optional(),
    }),
  output: () => z.object({ success: z.boolean(), path: z.string(), template: z.literal('standard') }),
  // The file is shared: what looks like a secret does not get there.
  async handle(deps, { workspace: at, ...told }) {
    const { initContext: init } = await import('../../context/append.ts')
    return init(placeOf(deps, at, 'WRITE_ERROR'), redactJson(told))
  },
})
