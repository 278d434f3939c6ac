import { z } from 'zod'
import { timeOf } from '../search/input.ts'
import { forgetterOf } from './caller.ts'
import { chat } from './fields.ts'
import { type Route, route } from './route.ts'

const forgotten = z.object({
  chats: z.number(),
  messages: z.number(),
  pending: z
    .boolean()
    .optional()
    .describe('Another process is reading an older state: bytes of them are wiped when it is done'),
  forks: z
    .array(z.string())
    .optional()
    .describe('Forks that lost the beginning which they shared; their own words stay'),
  originals: z
    .array(z.string())
    .optional()
    .describe('Chats that were not forgotten and begin with the same messages'),
})

const choice = z
  .strictObject({
    chatIds: z.array(z.string().min(1).max(1_000)).min(1).max(10_000).optional(),
    workspace: z.string().min(1).max(4_096).optional().describe('Every chat of this project'),
    before: z.iso.date().optional().describe('Every chat that ended before this day'),
    dryRun: z.boolean().optional().describe('Only count'),
  })
  .refine(({ chatIds, workspace, before }) => chatIds || workspace || before, {
    error: 'Which chats? Give chatIds, workspace or before.',
  })

/** Erasing for good, which a program with a token may not. */
export const forgetRoutes: Route[] = [
  route({
    method: 'delete',
    path: '/api/v1/chats/{chat}',
    summary: 'Forget a chat: erased for good, and not brought back by a sync',
    tag: 'forget',
    owner: true,
    act: 'forget',
    params: z.object({ chat }),
    answer: forgotten,
    async handle({ backend, params, entry }) {
      const forgetter = forgetterOf(entry, backend)
      return await forgetter.forget(await forgetter.unwanted({ chatIds: [params.chat] }))
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/forget',
    summary: 'Forget chats by id, project or age',
    tag: 'forget',
    owner: true,
    act: 'forget',
    body: choice,
    answer: forgotten,
    async handle({ backend, entry, body: { chatIds, workspace, before, dryRun } }) {
      const forgetter = forgetterOf(entry, backend)
      const day = before && timeOf({ dateFrom: before }).from
      const chats = await forgetter.unwanted({ chatIds, workspace, before: day || undefined })
      return dryRun ? await forgetter.count(chats) : await forgetter.forget(chats)
    },
  }),
]
