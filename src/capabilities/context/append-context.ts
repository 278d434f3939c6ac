import { z } from 'zod'
import { redactJson, secretsIn } from '../../platform/redact.ts'
import { capability } from '../capability.ts'
import { placeOf, workspace } from './where.ts'

export const appendContext = capability({
  name: 'append_context',
  title: 'Add to the shared context',
  description:
    "Hands over work to the next agent or person: adds an entry to the workspace's context.md on what was done, decided and is open.",
  set: 'context',
  acts: ['read', 'write-context'],
  input: () =>
    z.object({
      content: z.string().regex(/\S/, 'is empty').max(1_000_000).describe('The entry, in Markdown'),
      workspace,
      title: z.string().max(500).optional().describe('Default: the first line'),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      timestamp: z.string(),
      path: z.string(),
      redacted: z.number().optional().describe('Secrets that were masked before it was written'),
    }),
  async handle(deps, { content, title, workspace: at }) {
    const told = { content, ...(title !== undefined && { title }) }
    // The file is shared, and mostly committed: what looks like a secret does not get there, whoever wrote it.
    const redacted = secretsIn(told).length
    const { appendContext: append } = await import('../../context/append.ts')
    const answer = await append(placeOf(deps, at, 'WRITE_ERROR'), redacted > 0 ? redactJson(told) : told)
    return { ...answer, ...(redacted > 0 && { redacted }) }
  },
})
