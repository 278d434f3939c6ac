import { z } from 'zod'
import { passing } from '../service/passing.ts'
import { sourceReports } from '../sync/source-report.ts'
import { callerOf } from './caller.ts'
import { type Route, route } from './route.ts'

const sourceOverview = z.object({
  source: z.string(),
  chats: z.number(),
  messages: z.number(),
  requests: z.number(),
  files: z.number(),
  problems: z.number().describe('Records that could not be read'),
  newestAt: z.number().optional(),
  lastSyncAt: z.number().optional(),
})

export const sourceRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/sources',
    summary: 'Every assistant: where it was looked for, what was found, and what stands in the way',
    tag: 'archive',
    answer: z.object({
      sources: z.array(
        z.object({
          source: z.string(),
          name: z.string(),
          on: z.boolean(),
          looked: z.number(),
          found: z.array(z.string()),
          unreadable: z.array(z.string()),
          formats: z.array(z.object({ format: z.string(), chats: z.number() })),
          overview: sourceOverview.optional(),
          problems: z.array(z.object({ problem: z.string(), hint: z.string() })),
        }),
      ),
    }),
    handle: async ({ desk, entry }) =>
      await passing(desk.shared, callerOf(entry, desk), ['read'], async ({ archive }) => ({
        sources: await sourceReports(await desk.readable(), archive),
      })),
  }),
]
