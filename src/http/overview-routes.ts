import { z } from 'zod'
import { type ChatStatus, STATUSES } from '../model/chat.ts'
import { packageVersion } from '../platform/package-root.ts'
import type { Reader } from '../service/reader.ts'
import { badges, sourceName } from '../sources/names.ts'
import { isAgentReady } from './agent-of.ts'
import { readerOf } from './caller.ts'
import { syncState } from './fields.ts'
import { syncOf } from './live-routes.ts'
import { type Route, route } from './route.ts'

const MOST_WORKSPACES = 200

const counted = z.array(z.object({ name: z.string(), chats: z.number() }))

export const overviewRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/overview',
    summary: 'What there is: chats by assistant and by project, and how fresh they are',
    tag: 'archive',
    answer: z.object({
      version: z.string(),
      sample: z.boolean(),
      archive: z.object({
        chats: z.number(),
        messages: z.number(),
        bytes: z.number(),
        lastSyncAt: z.number().optional(),
        readOnly: z.boolean().optional().describe('Nothing can be written to it here'),
      }),
      sources: z.array(
        z.object({
          source: z.string(),
          name: z.string(),
          chats: z.number(),
          messages: z.number(),
          newestAt: z.number().optional(),
        }),
      ),
      badges: z
        .record(z.string(), z.object({ letters: z.string(), colour: z.string() }))
        .describe('How the page marks each assistant, by its id'),
      sync: syncState,
      workspaces: z.array(z.object({ path: z.string(), chats: z.number(), newestAt: z.number().optional() })),
      origins: z
        .object({ repository: counted, author: counted, machine: counted })
        .describe('What chats can be narrowed to by where they come from, the most used first'),
      agent: z.object({ ready: z.boolean() }),
      guest: z
        .object({ spaces: z.array(z.string()) })
        .optional()
        .describe('Somebody who may read these spaces and nothing else'),
    }),
    async handle({ backend, entry }) {
      const reader = readerOf(entry, backend)
      // The page asks when it hears of a change, and not again: what it gets must have it.
      const { chats, messages, bytes, lastSyncAt, readOnly, sources, damage } = await reader.overview()
      const workspaces = await reader.workspaces()
      return {
        version: packageVersion(),
        sample: backend.sample,
        archive: { chats, messages, bytes, lastSyncAt, ...(readOnly && { readOnly }) },
        sources: sources
          .filter((each) => each.chats > 0)
          .map((each) => ({
            source: each.source,
            name: sourceName(each.source),
            chats: each.chats,
            messages: each.messages,
            newestAt: each.newestAt,
          })),
        badges: badges(),
        sync: damage ? { state: 'failed' as const, reason: damagedBy(damage) } : syncOf(backend),
        workspaces: workspaces.slice(0, MOST_WORKSPACES),
        origins: await someOrigins(reader),
        agent: { ready: await isAgentReady(backend) },
        ...(entry.spaces && { guest: { spaces: [...entry.spaces] } }),
      }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/states',
    summary: 'Chats by the state of their last turn: running, waiting for you, done, failed',
    tag: 'archive',
    answer: z.partialRecord(z.enum(STATUSES), z.number()).describe('How many chats; of assistants that tell'),
    handle: ({ backend, entry }) => statesOf(readerOf(entry, backend)),
  }),
]

async function statesOf(reader: Reader): Promise<Partial<Record<ChatStatus, number>>> {
  const counted = await Promise.all(
    STATUSES.map(async (status) => [status, await reader.count({ statuses: [status] })] as const),
  )
  return Object.fromEntries(counted.filter(([, chats]) => chats > 0))
}

async function someOrigins(reader: Reader) {
  const { repository, author, machine } = await reader.origins()
  const some = <T>(list: T[]) => list.slice(0, MOST_WORKSPACES)
  return { repository: some(repository), author: some(author), machine: some(machine) }
}

/** What checks found while nothing else was to be done. */
function damagedBy([first]: string[]): string {
  return `The archive is damaged: ${first}. \`recollect repair\` saves all that can be read.`
}
