import { z } from 'zod'
import type { Provider } from './providers.ts'

/** What is known of a model before it is asked. */
export interface ModelFacts {
  id: string
  /** The most tokens that it can read. */
  context?: number
  /** As many as it reads the way it is loaded now. */
  loaded?: number
  tools?: boolean
  images?: boolean
}

/** Models are loaded to read so much, where they can and nobody said otherwise: our tools alone take a third of it. */
const USUAL_CONTEXT = 32_768
const ASK_MS = 4_000
/** Loading a large model from a disk takes its time. */
const LOAD_MS = 300_000
const MOST = 100

const tags = z.object({ models: z.array(z.object({ name: z.string() })) })
const modelDetails = z.object({
  model_info: z.record(z.string(), z.unknown()).optional(),
  capabilities: z.array(z.string()).optional(),
})
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      state: z.string().optional(),
      max_context_length: z.number().optional(),
      loaded_context_length: z.number().optional(),
      capabilities: z.array(z.string()).optional(),
    }),
  ),
})

const listedNewer = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      type: z.string().optional(),
      max_context_length: z.number().optional(),
      loaded_instances: z
        .array(z.object({ config: z.object({ context_length: z.number().optional() }).optional() }))
        .default([]),
      capabilities: z.object({ vision: z.boolean().optional() }).nullish(),
    }),
  ),
})

/** What the program itself says of its models; nothing where it is another program after all. */
export async function localModels(provider: Provider): Promise<ModelFacts[] | undefined> {
  if (provider.program === 'ollama') return await ofOllama(provider)
  return provider.program === 'lm-studio' ? await ofLmStudio(provider) : undefined
}

/** How many tokens a model on this machine will read: as many as the person said, or a sensible many, or all it can. */
export function contextFor({ context }: Pick<Provider, 'context'>, facts: ModelFacts | undefined): number {
  const wanted = context ?? USUAL_CONTEXT
  return facts?.context ? Math.min(wanted, facts.context) : wanted
}

/**
 * LM Studio loads a model when it is first asked, and then with few tokens. One that is not loaded yet is
 * loaded with as many as are wanted, by versions that know how.
 */
export async function loadInLmStudio(
  provider: Provider,
  { id, loaded }: ModelFacts,
  context: number,
): Promise<void> {
  if (provider.program !== 'lm-studio' || loaded !== undefined) return
  await asked(provider, '/api/v1/models/load', { model: id, context_length: context }, LOAD_MS).catch(
    () => {},
  )
}

/** Where the program's own API begins: beside the one that is like OpenAI's. */
export function rootOf({ url }: Pick<Provider, 'url'>): string {
  return url.replace(/\/v1$/, '')
}

async function ofOllama(provider: Provider): Promise<ModelFacts[] | undefined> {
  const answer = tags.safeParse(await asked(provider, '/api/tags'))
  if (!answer.success) return undefined
  return await Promise.all(
    answer.data.models.slice(0, MOST).map(async ({ name }): Promise<ModelFacts> => {
      const { success, data } = modelDetails.safeParse(
        await asked(provider, '/api/show', { model: name }).catch(() => undefined),
      )
      if (!success) return { id: name }
      const [, context] =
        Object.entries(data.model_info ?? {}).find(([key]) => /\.context_length$/.test(key)) ?? []
      return {
        id: name,
        ...(typeof context === 'number' && { context }),
        ...(data.capabilities && {
          tools: data.capabilities.includes('tools'),
          images: data.capabilities.includes('vision'),
        }),
      }
    }),
  )
}

/** By its newer API, from version 0.4 on, else by the older one. */
async function ofLmStudio(provider: Provider): Promise<ModelFacts[] | undefined> {
  const newer = listedNewer.safeParse(await asked(provider, '/api/v1/models'))
  if (newer.success)
    return newer.data.models
      .filter(({ type }) => type !== 'embedding')
      .map(({ key, max_context_length: context, loaded_instances: [loaded], capabilities }) => ({
        id: key,
        context,
        ...(loaded && { loaded: loaded.config?.context_length ?? context }),
        ...(capabilities?.vision !== undefined && { images: capabilities.vision }),
      }))
  const answer = listed.safeParse(await asked(provider, '/api/v0/models'))
  if (!answer.success) return undefined
  return answer.data.data
    .filter(({ type }) => type !== 'embeddings')
    .map(({ id, type, state, max_context_length: context, loaded_context_length: loaded }) => ({
      id,
      context,
      ...(state === 'loaded' && { loaded: loaded ?? context }),
      ...(type && { images: type === 'vlm' }),
    }))
}

/** Nothing where the program has no such address; throws where nobody answers. */
async function asked(
  provider: Pick<Provider, 'url' | 'key'>,
  at: string,
  body?: unknown,
  patienceMs = ASK_MS,
): Promise<unknown> {
  const response = await fetch(`${rootOf(provider)}${at}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(provider.key && { authorization: `Bearer ${provider.key}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  })
  return response.ok ? await response.json().catch(() => undefined) : undefined
}
