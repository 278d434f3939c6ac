import { z } from 'zod'
import { collectEvidence as collected } from '../recall/evidence.ts'
import { EVIDENCE_KINDS } from '../recall/evidence-in.ts'
import { capability } from './capability.ts'
import { anything, chatIds, cursor, maxChars, source, timeWindow, workspace } from './fields.ts'

export const collectEvidence = capability({
  name: 'collect_evidence',
  title: 'Collect evidence',
  description:
    'What chats cite, link to, attach, edit, run and show as code: links, files, commands, each once, with counts, exit codes and where it stands. Choose chats by id or by a search.',
  set: 'recall',
  acts: ['read'],
  input: z.object({
    chatIds: chatIds.optional(),
    query: z.string().optional(),
    source,
    workspace,
    time_window: timeWindow,
    kinds: z.array(z.enum(EVIDENCE_KINDS)).optional(),
    max_chars: maxChars,
    cursor,
  }),
  output: z.object({
    totals: z.record(z.string(), z.number()),
    evidence: anything,
    notFound: anything.optional(),
    leftOut: z.unknown().optional(),
  }),
  handle: async (deps, input) => await collected(deps, input, deps.clean, input.max_chars ?? deps.room),
})
