import { z } from 'zod'
import type { ArchivedChat } from '../archive/archive.ts'
import { isOnDisk } from '../recall/on-disk.ts'
import { originOf } from '../recall/origin.ts'
import { capability, longChat, MANY_MESSAGES } from './capability.ts'
import { chatHeader, notes, readMessage } from './shapes.ts'

/** For people who read a chat from top to bottom. Models gather it: that keeps to their budget. */
export const readChat = capability({
  name: 'read_chat',
  title: 'Read a chat',
  description: 'A chat as it is at this moment, with all that is known of its messages.',
  set: 'recall',
  internal: true,
  acts: ['read'],
  input: () =>
    z.object({
      chatId: z.string().min(1),
      from: z.int().min(0).optional().describe('First message index'),
      to: z.int().min(0).optional().describe('Last message index'),
    }),
  output: () => z.object({ chat: chatHeader(), messages: z.array(readMessage()), notes }),
  long: ({ chatId }, size) => longChat(chatId, size, MANY_MESSAGES),
  async handle(deps, { chatId, from = 0, to = Number.MAX_SAFE_INTEGER }) {
    const [{ openChat }, { saidIn }] = await Promise.all([
      import('../recall/current.ts'),
      import('../recall/live.ts'),
    ])
    const { chat, messages, unsynced } = await openChat(deps, chatId)
    const { key, resume, origin, ...rest } = chat
    const isThere = key === undefined || isOnDisk(await deps.archive.unitsOf(chat as ArchivedChat))
    const header = { ...rest, ...originOf(chat), ...(isThere && { resume }) }
    const shown = messages.filter(({ index }) => index >= from && index <= to)
    const told = { chat: header, messages: shown.map(({ order, ...message }) => message) }
    return deps.clean(told, saidIn({ chat, messages, unsynced }))
  },
})
