import { z } from 'zod'
import { STATUSES } from '../model/chat.ts'
import { packageVersion } from '../platform/package-root.ts'
import type { Reader } from '../service/reader.ts'
import { badges, sourceName } from '../sources/names.ts'
import { isAgentReady } from './agent-of.ts'
import { readerOf } from './caller.ts'
import { syncState } from './fields.ts'
import { syncOf } from './live-routes.ts'
import { type Route, route } from './route.ts'

const MOST_PLACES = 200

const counted = z.array(z.object({ name: z.string(), chats: z.number() }))

const places = {
  workspaces: z.array(z.object({ path: z.string(), chats: z.number(), newestAt: z.number().optional() })),
  origins: z
    .object({ repository: counted, author: counted, machine: counted })
    .describe('What chats can be narrowed to by where they come from, the most used first'),
}

export const overviewRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/overview',
    summary: 'What there is: chats by assistant and by project, and how fresh they are',
    tag: 'archive',
    query: z.object({
      places: z
        .boolean()
        .default(true)
        .describe('With the workspaces and origins, which take longer where there are many chats; else none'),
    }),
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
      ...places,
      agent: z.object({ ready: z.boolean() }),
      guest: z
        .object({ spaces: z.array(z.string()) })
        .optional()
        .describe('Somebody who may read these spaces and nothing else'),
    }),
    async handle({ backend, entry, query }) {
      const reader = readerOf(entry, backend)
      // The page asks when it hears of a change, and not again: what it gets must have it.
      const [overview, known] = await Promise.all([
        reader.overview(),
        query.places ? placesOf(reader) : NO_PLACES,
      ])
      const { chats, messages, bytes, lastSyncAt, readOnly, sources, damage } = overview
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
        ...known,
        agent: { ready: await isAgentReady(backend) },
        ...(entry.spaces && { guest: { spaces: [...entry.spaces] } }),
      }
    },
  }),
  route({
    method: 'get',
    path: '/api/v1/places',
    summary: 'Where chats come from: projects, repositories, people and machines',
    tag: 'archive',
    answer: z.object(places),
    handle: ({ backend, entry }) => placesOf(readerOf(entry, backend)),
  }),
  route({
    method: 'get',
    path: '/api/v1/states',
    summary: 'Chats by the state of their last turn: running, waiting for you, done, failed',
    tag: 'archive',
    answer: z.partialRecord(z.enum(STATUSES), z.number()).describe('How many chats; of assistants that tell'),
    handle: ({ backend, entry }) => readerOf(entry, backend).states(),
  }),
]

const NO_PLACES = { workspaces: [], origins: { repository: [], author: [], machine: [] } }

/** One after the other: a helper is started for each otherwise. */
async function placesOf(reader: Reader) {
  const workspaces = await reader.workspaces()
  const { repository, author, machine } = await reader.origins()
  return {
    workspaces: some(workspaces),
    origins: { repository: some(repository), author: some(author), machine: some(machine) },
  }
}

function some<T>(list: T[]): T[] {
  return list.slice(0, MOST_PLACES)
}

/** What checks found while nothing else was to be done. */
function damagedBy([first]: string[]): string {
  return `The archive is damaged: ${first}. \`recollect repair\` saves all that can be read.`
}
