import { z } from 'zod'
import { USAGE_GROUPS } from '../archive/archive.ts'
import { capability, MANY_CHATS } from './capability.ts'
import { chatIds, chosen, origin, source, timeWindow, workspace } from './fields.ts'
import { metrics, notes, notFound, timeRange } from './shapes.ts'

export const usageMetrics = capability({
  name: 'usage_metrics',
  title: 'Usage metrics',
  description:
    'Messages, tokens, estimated cost, latency, reasoning time, tool calls and failures; in total and by day, hour of the week, model, source, workspace, repository, tool (with the newest errors), chat, or main and subagent.',
  set: 'recall',
  acts: ['read'],
  // Only which dialog asks shows in the assistants' files.
  archiveOnly: ({ chatIds = [] }) => !chatIds.includes('current'),
  input: () =>
    z.object({
      time_window: timeWindow,
      group_by: z.enum(USAGE_GROUPS).optional().describe('Also totals per group'),
      chatIds: chatIds.optional(),
      query: chosen.query,
      source,
      workspace,
      ...origin,
      tool: z.string().optional().describe('Only calls of this tool'),
      time_zone: z.string().optional().describe('e.g. Europe/Berlin'),
      limit: z.number().int().min(1).optional().describe('Groups at most'),
    }),
  output: () =>
    z.object({
      group_by: z.string().optional(),
      timeRange,
      totals: metrics(),
      groups: z
        .array(
          metrics()
            .partial()
            .extend({ key: z.string(), title: z.string().optional(), names: z.array(z.string()).optional() }),
        )
        .optional(),
      failed: z
        .array(
          z.object({
            tool: z.string(),
            source: z.string(),
            chatId: z.string(),
            title: z.string(),
            index: z.number(),
            createdAt: z.number().nullable(),
            error: z.string(),
          }),
        )
        .optional()
        .describe('By tool: the newest calls that failed'),
      prices: z.object({ asOf: z.string(), unknownModels: z.array(z.string()) }),
      notFound,
      leftOut: z.object({ groups: z.number(), how: z.string() }).optional(),
      notes,
    }),
  // The sums of some hundred chats are read in a millisecond.
  long: (_, { chats }) => chats > MANY_CHATS,
  async handle(deps, input) {
    const { usageMetrics: measured } = await import('../recall/metrics.ts')
    return await measured(deps, input, deps)
  },
})
