import { z } from 'zod'
import { EVIDENCE_KINDS } from '../recall/evidence-in.ts'
import { capability, MANY_MESSAGES } from './capability.ts'
import { chatIds, chosen, cursor, maxChars } from './fields.ts'
import { notes, notFound } from './shapes.ts'

export const collectEvidence = capability({
  name: 'collect_evidence',
  title: 'Links and files',
  description:
    'What chats cite, link to, attach, edit, run and show as code: links, files, commands, each once, with counts, exit codes and where it appears. Choose chats by id or by a search.',
  set: 'recall',
  acts: ['read'],
  input: () =>
    z.object({
      chatIds: chatIds.optional(),
      ...chosen,
      kinds: z.array(z.enum(EVIDENCE_KINDS)).optional().describe('Only these kinds'),
      max_chars: maxChars,
      cursor,
    }),
  output: () =>
    z.object({
      totals: z.partialRecord(z.enum(EVIDENCE_KINDS), z.number()),
      evidence: z.array(
        z.object({
          kind: z.enum(EVIDENCE_KINDS),
          value: z.string(),
          title: z.string().optional(),
          language: z.string().optional(),
          actions: z.array(z.string()).optional(),
          exitCode: z.number().optional(),
          failures: z.number().optional(),
          count: z.number(),
          where: z.array(
            z.object({
              chatId: z.string(),
              messageId: z.string(),
              index: z.number(),
              createdAt: z.number().nullable(),
            }),
          ),
        }),
      ),
      notFound,
      leftOut: z.object({ items: z.number(), cursor: z.string(), how: z.string() }).optional(),
      notes,
    }),
  long: (_, { messages }) => messages > MANY_MESSAGES,
  async handle(deps, input) {
    const { collectEvidence: collected } = await import('../recall/evidence.ts')
    return await collected(deps, input, deps.clean, input.max_chars ?? deps.room, deps.progress)
  },
})
