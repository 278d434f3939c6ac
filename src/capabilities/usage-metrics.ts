import { z } from 'zod'
import { usageMetrics as metrics } from '../recall/metrics.ts'
import { capability } from './capability.ts'
import { anything, chatIds, source, timeWindow, workspace } from './fields.ts'

export const usageMetrics = capability({
  name: 'usage_metrics',
  title: 'Usage metrics',
  description:
    'Messages, tokens, estimated cost, latency, reasoning time, tool calls and failures; in total and by day, model, source, workspace or tool.',
  set: 'recall',
  acts: ['read'],
  input: z.object({
    time_window: timeWindow,
    group_by: z.enum(['day', 'model', 'source', 'workspace', 'tool']).optional(),
    chatIds: chatIds.optional(),
    source,
    workspace,
  }),
  output: z.object({
    group_by: z.string().optional(),
    timeRange: z.unknown(),
    totals: z.unknown(),
    groups: anything.optional(),
    prices: z.unknown(),
    notFound: anything.optional(),
    leftOut: z.unknown().optional(),
  }),
  handle: async (deps, input) => await metrics(deps, input, deps.room),
})
