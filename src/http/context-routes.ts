import { z } from 'zod'
import { MOST_BYTES } from '../context/document.ts'
import { contextPlace, type FailureCode, type Place, workspaceFolder } from '../context/place.ts'
import { RecollectError } from '../model/errors.ts'
import type { Entry } from '../server/guard.ts'
import type { Backend } from './backend.ts'
import { readerOf } from './caller.ts'
import { type Route, route } from './route.ts'

const workspace = z.string().min(1).max(4_096)

/** A workspace's context file, to be read and edited. */
export const contextRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/context',
    summary: "A workspace's context.md; `etag` is wanted back when it is saved",
    tag: 'context',
    query: z.object({ workspace: workspace.optional() }),
    answer: z.object({
      path: z.string(),
      exists: z.boolean(),
      content: z.string(),
      etag: z.string(),
      entries: z.array(
        z.object({ timestamp: z.string(), title: z.string(), sessionIds: z.array(z.string()) }),
      ),
    }),
    handle: async ({ backend, query, entry }) =>
      await readerOf(entry, backend).document(
        await knownPlace(backend, entry, query.workspace, 'READ_ERROR'),
      ),
  }),
  route({
    method: 'put',
    path: '/api/v1/context',
    summary: 'Save context.md, unless somebody else did so meanwhile (409 with what they wrote)',
    tag: 'context',
    owner: true,
    body: z.strictObject({
      workspace: workspace.optional(),
      content: z.string().max(MOST_BYTES),
      etag: z.string().max(100).describe('Of the content that was edited; empty where there was no file'),
    }),
    answer: z.object({ etag: z.string() }),
    handle: async ({ backend, body, entry }) =>
      await readerOf(entry, backend).saveDocument(
        await knownPlace(backend, entry, body.workspace, 'WRITE_ERROR'),
        body,
      ),
  }),
]

/** Only folders that chats were about, or that the server works in: not any file of the machine. */
async function knownPlace(
  backend: Backend,
  entry: Entry,
  named: string | undefined,
  failure: FailureCode,
): Promise<Place> {
  const { env } = backend.shared
  const own = workspaceFolder({ env })
  const folder = named ?? own
  const isKnown =
    folder === own ||
    (await readerOf(entry, backend, entry.owner).workspaces()).some(({ path }) => path === folder)
  if (isKnown) return contextPlace({ workspace: folder, env }, failure)
  throw new RecollectError(
    'WORKSPACE_NOT_FOUND',
    `No chat was about ${folder}.`,
    'The overview lists the workspaces that there are.',
  )
}
