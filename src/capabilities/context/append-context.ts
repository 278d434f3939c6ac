import { z } from 'zod'
import { appendContext as append } from '../../context/append.ts'
import { capability } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const appendContext = capability({
  name: 'append_context',
  title: 'Add to the shared context',
  description:
    "Hands over work to the next agent or person: adds an entry of notes to the workspace's context.md, on what was done, decided and is open.",
  set: 'context',
  acts: ['read', 'write-context'],
  input: z.object({
    content: z.string().regex(/\S/, 'is empty').max(1_000_000).describe('Markdown'),
    workspace,
    title: z.string().max(500).optional().describe('Default: the first line'),
  }),
  output: z.object({ success: z.boolean(), timestamp: z.string(), path: z.string() }),
  handle: async (deps, input) => append(placeOf(deps, input.workspace, 'WRITE_ERROR'), input),
})
