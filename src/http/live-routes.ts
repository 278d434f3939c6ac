import { z } from 'zod'
import type { ArchivedChat } from '../archive/archive.ts'
import type { Changed } from '../archive/following.ts'
import { ended } from '../server/listen.ts'
import type { BackgroundState } from '../sync/background.ts'
import type { Backend } from './backend.ts'
import { readerOf } from './caller.ts'
import { eventStream } from './event-stream.ts'
import { chat, syncState } from './fields.ts'
import { type Route, route } from './route.ts'

const SYNC_MS = 250

/**
 * What changes, as it changes. While nothing does, a listener costs one comparison four times a
 * second, and all of them together one small row three times a second.
 */
export const liveRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/live',
    summary:
      'Events: `sync` (the state of the sync) and `changed` (which chats; null for many; `replaced` where another archive took its place)',
    tag: 'live',
    type: 'text/event-stream',
    events: {
      sync: syncState,
      changed: z.object({
        chats: z.array(z.object({ id: z.string(), source: z.string() })).nullable(),
        replaced: z.boolean().optional(),
      }),
    },
    handle: ({ backend, backends, entry, isStillIn }) =>
      eventStream(async ({ send, gone }) => {
        let served = backend
        let told = ''
        const out = new AbortController()
        const tellSync = () => {
          if (!isStillIn()) return out.abort()
          const state = syncOf(served)
          const said = JSON.stringify(state)
          if (said !== told) send('sync', state)
          told = said
        }
        const tellChanged = ({ chats, listChanged, replaced }: Changed) => {
          // That something changed which they may not see is nothing for a guest either.
          if (entry.spaces && chats?.length === 0 && !listChanged && !replaced) return
          if (!isStillIn()) return out.abort()
          send('changed', {
            chats: chats?.map(({ id, source }) => ({ id, source })) ?? null,
            ...(replaced && { replaced }),
          })
        }
        let stop = served.shared.news.changes.listen(tellChanged)
        const stopSwitching = backends.listen((other) => {
          stop()
          served = other
          stop = served.shared.news.changes.listen(tellChanged)
          tellSync()
          tellChanged({ listChanged: true })
        })
        const timer = setInterval(tellSync, SYNC_MS).unref()
        tellSync()
        await served.shared.news.changes.begun()
        await ended(AbortSignal.any([gone, out.signal]))
        clearInterval(timer)
        stopSwitching()
        stop()
      }),
  }),
  route({
    method: 'get',
    path: '/api/v1/chats/{chat}/live',
    summary:
      'Events: `changed` when a chat grows or is noted, with its message count, time, status, title and whether it is starred',
    tag: 'live',
    params: z.object({ chat }),
    type: 'text/event-stream',
    events: {
      changed: z.object({
        messageCount: z.number(),
        updatedAt: z.number().optional(),
        status: z.enum(['running', 'waiting', 'done', 'failed', 'cancelled']).optional(),
        title: z.string(),
        pinned: z.literal(true).optional().describe('Starred by its owner'),
      }),
    },
    async handle({ backend, params, entry, isStillIn }) {
      const { news } = backend.shared
      const reader = readerOf(entry, backend)
      const { key, source, id } = await reader.archived(params.chat)
      return eventStream(async ({ send, gone }) => {
        const forgotten = new AbortController()
        const tell = async () => {
          if (!isStillIn()) return forgotten.abort()
          const now = await reader.archived(`${source}:${id}`).catch(() => undefined)
          if (now) send('changed', stateOf(now))
          else forgotten.abort()
        }
        const stop = news.changes.listen(({ chats }) => {
          if (!chats || chats.some((each) => each.key === key)) void tell()
        })
        await news.changes.begun()
        // What came before we listened: whoever read the chat a moment ago may have missed it.
        await tell()
        await ended(AbortSignal.any([gone, forgotten.signal]))
        stop()
      })
    },
  }),
]

/** Where this process does not sync, that is said too. */
export function syncOf({ shared }: Backend): BackgroundState | { state: 'off' } {
  return shared.syncing() ?? { state: 'off' }
}

function stateOf({ messageCount, updatedAt, status, title, pinned }: ArchivedChat) {
  return { messageCount, updatedAt, status, title, ...(pinned && { pinned }) }
}
