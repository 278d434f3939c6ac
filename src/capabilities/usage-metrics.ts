import { z } from 'zod'
import { usageMetrics as measured } from '../recall/metrics.ts'
import { capability } from './capability.ts'
import { chatIds, origin, source, timeWindow, workspace } from './fields.ts'
import { metrics, notes, notFound, timeRange } from './shapes.ts'

export const usageMetrics = capability({
  name: 'usage_metrics',
  title: 'Usage metrics',
  description:
    'Messages, tokens, estimated cost, latency, reasoning time, tool calls and failures; in total and by day, model, source, workspace or tool.',
  set: 'recall',
  acts: ['read'],
  input: z.object({
    time_window: timeWindow,
    group_by: z
      .enum(['day', 'model', 'source', 'workspace', 'tool'])
      .optional()
      .describe('Also a row for each'),
    chatIds: chatIds.optional(),
    source,
    workspace,
    ...origin,
  }),
  output: z.object({
    group_by: z.string().optional(),
    timeRange,
    totals: metrics,
    groups: z.array(metrics.partial().extend({ key: z.string() })).optional(),
    prices: z.object({ asOf: z.string(), unknownModels: z.array(z.string()) }),
    notFound,
    leftOut: z.object({ groups: z.number(), how: z.string() }).optional(),
    notes,
  }),
  // The sums of some hundred chats are read in a millisecond.
  long: (_, { chats }) => chats > 1_000,
  handle: async (deps, input) => await measured(deps, input, deps.room),
})
