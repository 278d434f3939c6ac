import { z } from 'zod'
import { localModels, type ModelFacts } from './local-models.ts'
import type { Provider } from './providers.ts'

const ASK_MS = 4_000
const KEPT_MS = 5 * 60_000
/** What runs on this machine changes as the person pulls and loads models. */
const KEPT_LOCAL_MS = 10_000
const MOST = 500

const answer = z.object({
  /** As Anthropic and OpenAI answer, and all that are like it. */
  data: z.array(z.object({ id: z.string() })).optional(),
  /** As Google answers. */
  models: z
    .array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() }))
    .optional(),
})

/** Lists of an API that hold more than what can be talked to. */
const OTHERWISE =
  /embed|whisper|tts|dall-e|image|moderation|realtime|audio|transcribe|sora|babbage|davinci|veo|imagen|aqa|lyria/i

/** Which models providers have, as they say themselves; asked now and then. */
export class ModelLists {
  readonly #known = new Map<string, { at: number; models: Promise<ModelFacts[]> }>()

  /** Their names. Throws where the provider does not answer. */
  async of(provider: Provider): Promise<string[]> {
    return (await this.facts(provider)).map(({ id }) => id)
  }

  async facts(provider: Provider): Promise<ModelFacts[]> {
    // Another address or key may have other models.
    const about = `${provider.id} ${provider.url} ${provider.key ?? ''}`
    const known = this.#known.get(about)
    if (known && Date.now() - known.at < (provider.local ? KEPT_LOCAL_MS : KEPT_MS)) return await known.models
    const models = factsOf(provider)
    this.#known.set(about, { at: Date.now(), models })
    models.catch(() => this.#known.delete(about))
    return await models
  }
}

async function factsOf(provider: Provider): Promise<ModelFacts[]> {
  const local = provider.program && (await localModels(provider))
  return local ?? (await ask(provider)).map((id) => ({ id }))
}

async function ask({ kind, url, key }: Provider): Promise<string[]> {
  const response = await fetch(`${url}/models${kind === 'gemini' ? '?pageSize=1000' : ''}`, {
    headers: headersFor(kind, key),
    signal: AbortSignal.timeout(ASK_MS),
  })
  if (!response.ok)
    throw Object.assign(new Error(`${url}/models answered ${response.status}`), { status: response.status })
  const { data = [], models = [] } = answer.parse(await response.json())
  const talking = models.filter(
    ({ supportedGenerationMethods: methods }) => !methods || methods.includes('generateContent'),
  )
  const ids = [...data.map(({ id }) => id), ...talking.map(({ name }) => name.replace(/^models\//, ''))]
  return [...new Set(ids)].filter((id) => !OTHERWISE.test(id)).slice(0, MOST)
}

function headersFor(kind: Provider['kind'], key: string | undefined): Record<string, string> {
  if (!key) return {}
  if (kind === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return kind === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}
