import { z } from 'zod'
import { STATUSES } from '../model/chat.ts'
import { listChats as listed } from '../recall/list.ts'
import { capability } from './capability.ts'
import { cursor, narrowing, origin, timeWindow } from './fields.ts'
import { listedChat, notes } from './shapes.ts'

export const listChats = capability({
  name: 'list_chats',
  title: 'List chats',
  description:
    'Past chats (conversations, sessions) of all assistants on this machine, newest first, in pages.',
  set: 'recall',
  acts: ['read'],
  archiveOnly: true,
  input: () =>
    z.object({
      ...narrowing,
      ...origin,
      time_window: timeWindow,
      title: z.string().optional().describe('Part of the title'),
      status: z.array(z.enum(STATUSES)).optional().describe('State of the last turn'),
      sort: z.enum(['updated', 'created', 'messages', 'title']).optional(),
      limit: z.number().optional().describe('How many, default 20'),
      subagents: z.boolean().optional().describe('true: also sub-agent chats'),
      cursor,
    }),
  output: () => z.object({ chats: z.array(listedChat()), nextCursor: z.string().optional(), notes }),
  handle: async (deps, input) => await listed(deps.archive, input, deps),
})
