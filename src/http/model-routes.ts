import { z } from 'zod'
import { answerFromNowOn, forgetProvider, setBudget, setUpProvider, testProvider } from '../agent/set-up.ts'
import { RecollectError } from '../model/errors.ts'
import { agentConfig, budgetSchema, readConfig } from '../platform/config.ts'
import { KeptKeys } from '../platform/keys/kept-keys.ts'
import { agentOf, forgetReadiness, keysFolder } from './agent-of.ts'
import { spending } from './agent-shapes.ts'
import type { Backend } from './backend.ts'
import { type Route, route } from './route.ts'

const id = z.object({ provider: z.string().min(1).max(32) })
const modelSettings = z.object({
  provider: z.string().optional().describe('Who answers where nobody is named'),
  model: z.string().optional(),
  keys: z.object({
    keychain: z.boolean().describe('Whether this system has a keychain'),
    place: z.string().describe('Where the next key goes: the name of the keychain, else a file'),
  }),
  budget: budgetSchema.optional(),
  spent: spending.shape.providers.describe('Today, by provider'),
})

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
      inFile: z.boolean().optional().describe('Keep the key in the file, even where there is a keychain'),
      url: z.url({ protocol: /^https?$/ }).optional(),
      kind: z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible']).optional(),
      model: z.string().min(1).max(200).nullable().optional(),
      context: z.int().min(2_048).max(10_000_000).nullable().optional(),
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
    handle: async ({ backend, params, body }) =>
      await changing(backend, async (at) => await setUpProvider(params.provider, body, at)),
  }),
  route({
    method: 'delete',
    path: '/api/v2/providers/{provider}',
    summary: 'Take back what was set for a provider, its key too',
    tag: 'owner',
    owner: true,
    params: id,
    answer: z.object({ removed: z.boolean() }),
    handle: async ({ backend, params }) =>
      await changing(backend, async (at) => ({ removed: await forgetProvider(params.provider, at) })),
  }),
  route({
    method: 'delete',
    path: '/api/v2/providers/{provider}/key',
    summary: 'Remove the key that was kept for a provider',
    tag: 'owner',
    owner: true,
    params: id,
    answer: z.object({ removed: z.boolean() }),
    handle: async ({ backend, params }) =>
      await changing(backend, async ({ keys }) => ({ removed: await keys.remove(params.provider) })),
  }),
  route({
    method: 'post',
    path: '/api/v2/providers/{provider}/test',
    summary: 'Ask a provider with what is set now',
    tag: 'owner',
    owner: true,
    params: id,
    answer: z.object({
      models: z.number().optional().describe('How many it told of; many that are like OpenAI do not tell'),
      note: z.string().optional().describe('Why it could not be asked'),
    }),
    handle: async ({ backend, params }) =>
      await changing(backend, async (at) => await testProvider(params.provider, at)),
  }),
  route({
    method: 'get',
    path: '/api/v2/model-settings',
    summary: 'Who answers where nobody is named, where keys are kept, and what may be spent',
    tag: 'owner',
    owner: true,
    answer: modelSettings,
    handle: async ({ backend }) => await currentSettings(backend),
  }),
  route({
    method: 'put',
    path: '/api/v2/model-settings',
    summary: 'Choose who answers where nobody is named, or set what may be spent; what is left out stays',
    tag: 'owner',
    owner: true,
    body: z.strictObject({
      use: z.string().min(1).max(300).optional().describe('A provider, or `provider/model`'),
      budget: budgetSchema.nullable().optional().describe('`null`: as much as it takes'),
    }),
    answer: modelSettings,
    async handle({ backend, body: { use, budget } }) {
      await changing(backend, async (at) => {
        if (use !== undefined) answerFromNowOn(use, at)
        if (budget !== undefined) setBudget(budget ?? undefined, at.folder)
      })
      return await currentSettings(backend)
    },
  }),
]

type Place = Parameters<typeof testProvider>[1]

/** What is done there holds for the next question, whoever asks it. */
async function changing<T>(backend: Backend, act: (at: Place) => Promise<T>): Promise<T> {
  const folder = await place(backend)
  try {
    return await act({ folder, env: backend.shared.env, keys: new KeptKeys(folder) })
  } finally {
    forgetReadiness(backend)
  }
}

async function currentSettings(backend: Backend): Promise<z.output<typeof modelSettings>> {
  const folder = await place(backend)
  const keys = new KeptKeys(folder)
  const { provider, model } = agentConfig(readConfig(folder))
  const { providers: spent, budget } = await (await agentOf(backend)).spent()
  return { provider, model, keys: { keychain: keys.hasKeychain, place: keys.place }, budget, spent }
}

async function place(backend: Backend): Promise<string> {
  if (backend.sample)
    throw new RecollectError(
      'SAMPLE_ARCHIVE',
      'The sample archive has no settings.',
      'Go back to your own archive first.',
    )
  return await keysFolder(backend)
}
