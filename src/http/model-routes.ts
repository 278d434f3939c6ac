import { z } from 'zod'
import { setUpProvider } from '../agent/set-up.ts'
import { RecollectError } from '../model/errors.ts'
import { KeptKeys } from '../platform/keys/kept-keys.ts'
import { forgetReadiness, keysFolder } from './agent-of.ts'
import type { Backend } from './backend.ts'
import { type Route, route } from './route.ts'

const id = z.object({ provider: z.string().min(1).max(32) })

/** Providers of models, set up at the page: a key goes in and never comes out. */
export const modelRoutes: Route[] = [
  route({
    method: 'put',
    path: '/api/v2/providers/{provider}',
    summary: 'Set up a provider; its key goes into the keychain, else into a file for the owner alone',
    tag: 'owner',
    owner: true,
    params: id,
    body: z.strictObject({
      key: z.string().min(1).max(4_096).optional(),
      url: z.url({ protocol: /^https?$/ }).optional(),
      kind: z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible']).optional(),
      model: z.string().min(1).max(200).optional(),
      context: z.int().min(2_048).max(10_000_000).optional(),
      default: z.boolean().optional().describe('Whether it answers where no other is named'),
    }),
    answer: z.object({
      id: z.string(),
      name: z.string(),
      key: z.enum(['keychain', 'file', 'environment', 'none']).describe('Where its key is'),
      default: z.boolean(),
      model: z.string().optional(),
      models: z.number().optional().describe('How many it told of'),
      notes: z.array(z.string()),
    }),
    async handle({ backend, params, body }) {
      const folder = await place(backend)
      forgetReadiness(backend)
      const { env } = backend.shared
      return await setUpProvider(params.provider, body, { folder, env, keys: new KeptKeys(folder) })
    },
  }),
  route({
    method: 'delete',
    path: '/api/v2/providers/{provider}/key',
    summary: 'Remove the key that was kept for a provider',
    tag: 'owner',
    owner: true,
    params: id,
    answer: z.object({ removed: z.boolean() }),
    async handle({ backend, params }) {
      const keys = new KeptKeys(await place(backend))
      forgetReadiness(backend)
      return { removed: await keys.remove(params.provider) }
    },
  }),
]

async function place(backend: Backend): Promise<string> {
  if (backend.sample)
    throw new RecollectError(
      'SAMPLE_ARCHIVE',
      'The sample archive has no settings.',
      'Go back to your own archive first.',
    )
  return await keysFolder(backend)
}
