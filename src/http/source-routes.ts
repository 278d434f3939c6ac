import { z } from 'zod'
import { readerOf } from './caller.ts'
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

const vanishes = z.object({
  days: z.number().optional().describe('After which the assistant deletes a chat'),
  setting: z.string().optional(),
  settingFile: z.string().optional().describe('Where the setting is, or would be'),
  isSet: z.boolean().optional().describe('Set there, and not only by default'),
  nextAt: z.number().optional().describe('When the next of its files may go'),
  soon: z.number().describe('Files that may go within a week'),
  soonUnarchived: z.number(),
  onlyHere: z.number().describe('Chats whose files are gone already'),
})

export const sourceRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/sources',
    summary: 'Every assistant: where it was looked for, what was found, and what prevents reading it',
    tag: 'archive',
    answer: z.object({
      sources: z.array(
        z.object({
          source: z.string(),
          name: z.string(),
          on: z.boolean(),
          looked: z.number(),
          onlyOn: z
            .array(z.string())
            .optional()
            .describe('Systems that it runs on, where this is none of them'),
          found: z.array(z.string()),
          unreadable: z.array(z.string()),
          formats: z.array(z.object({ format: z.string(), chats: z.number() })),
          overview: sourceOverview.optional(),
          vanishing: vanishes
            .optional()
            .describe('What the assistant will delete, and what is only in the archive'),
          problems: z.array(
            z.object({
              problem: z.string(),
              hint: z.string(),
              file: z.string().optional().describe('The file or folder that it is about'),
              kind: z
                .enum(['unreadable', 'records', 'more'])
                .optional()
                .describe('What it is, for whoever says it in other words'),
              count: z.number().optional().describe('Of records, or of files'),
              reason: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
    handle: async ({ backend, entry }) => ({ sources: await readerOf(entry, backend).sourceReports() }),
  }),
]
