import { z } from 'zod'
import type { Entry } from '../server/guard.ts'
import { type Sharer, sharerFor } from '../service/sharer.ts'
import type { Backend } from './backend.ts'
import { callerOf } from './caller.ts'
import { type Route, route } from './route.ts'

const share = z
  .strictObject({
    workspace: z.string().min(1).max(4_096).optional().describe('A folder; what is in it counts too'),
    repository: z.string().min(1).max(1_000).optional().describe('A git remote'),
    all: z.literal(true).optional().describe('Everything: an own space only'),
  })
  .refine((given) => Object.values(given).filter(Boolean).length === 1, {
    error: 'Share what? Give a workspace, a repository, or all.',
  })
const sharing = z.object({
  workspace: z.string().optional(),
  repository: z.string().optional(),
  all: z.boolean().optional(),
})
const trouble = z.object({ code: z.string(), message: z.string(), hint: z.string().optional() })
const counted = z.object({ done: z.number(), all: z.number() })
const space = z.string().min(1).max(200)

/** The hub: how this machine and its spaces are, and what is shared with them. */
export const hubRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/hub',
    summary: 'How this machine and its hub are, space by space; nothing where none was joined',
    tag: 'owner',
    owner: true,
    answer: z.object({
      joined: z.boolean(),
      address: z.string().optional(),
      person: z.string().optional(),
      machine: z.string().optional(),
      reachable: z.boolean().optional(),
      answeredMs: z.number().optional().describe('In how many milliseconds the server answered'),
      readOnly: z.boolean().optional(),
      trouble: trouble.optional(),
      spaces: z.array(
        z.object({
          space: z.string(),
          kind: z.enum(['own', 'team']),
          sealed: z.boolean(),
          home: z.string().optional().describe('The database of its chats, where it is not the hub’s own'),
          shares: z.array(sharing),
          waiting: z.number().describe('Messages to be looked at for pushing'),
          sending: counted.optional().describe('How far the first push is, in messages of this machine'),
          receiving: counted.optional().describe('How far a pull is, in changes of the space'),
          pulledChats: z.number(),
          pulledMessages: z.number(),
          lag: z.number().optional().describe('How far behind the server this machine is'),
          pushedAt: z.number().optional(),
          pulledAt: z.number().optional(),
          unreadable: z.number(),
          trouble: trouble.extend({ since: z.number() }).optional(),
        }),
      ),
    }),
    async handle({ backend, entry }) {
      const status = backend.sample ? undefined : await (await sharerOf(entry, backend)).status()
      if (!status) return { joined: false, spaces: [] }
      const { hub: _, exchanging: __, ...told } = status
      return { joined: true, ...told }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/hub/share',
    summary: 'Share a project with a space; unless `apply` is said, only tell what would be shared',
    tag: 'owner',
    owner: true,
    body: z.strictObject({ space, share, apply: z.boolean().optional() }),
    answer: z.object({
      shared: z.boolean(),
      preview: z.object({
        space: z.string(),
        kind: z.enum(['own', 'team']),
        sealed: z.boolean(),
        readers: z.array(z.string()),
        chats: z.number(),
        messages: z.number(),
        from: z.number().optional(),
        to: z.number().optional(),
        redacted: z.number().describe('Messages that secrets are taken out of before they are sent'),
        answers: z.boolean().describe('With what tools answered'),
        titles: z.array(z.string()),
      }),
    }),
    async handle({ backend, entry, body }) {
      const sharer = await sharerOf(entry, backend)
      const preview = await sharer.preview(body.space, body.share)
      if (body.apply) await sharer.share(body.space, body.share)
      return { shared: body.apply === true, preview }
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/hub/unshare',
    summary: 'Share a project no longer: what was sent is removed there',
    tag: 'owner',
    owner: true,
    body: z.strictObject({ space, share }),
    answer: z.object({ removed: z.number() }),
    handle: async ({ backend, entry, body }) => ({
      removed: await (await sharerOf(entry, backend)).unshare(body.space, body.share),
    }),
  }),
]

async function sharerOf(entry: Entry, backend: Backend): Promise<Sharer> {
  return sharerFor(backend.shared, callerOf(entry, backend), await backend.folder())
}
