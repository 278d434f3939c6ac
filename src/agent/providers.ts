import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import type { Machine } from '../platform/machine.ts'
import { guardSecrets, redact } from '../platform/redact.ts'

export type ProviderKind = 'anthropic' | 'openai' | 'gemini' | 'openai-compatible'

/** Somebody who answers with a model, and how to reach them. */
export interface Provider {
  id: string
  name: string
  kind: ProviderKind
  /** Where its API begins, without a slash at the end. */
  url: string
  /** Never written anywhere but where the person keeps it. */
  key?: string
  keyFrom?: 'environment' | 'keychain' | 'file'
  /** The variables that a key is looked for in; none where it needs none. */
  keyVariables: string[]
  model?: string
  /** Whether its models are offered tools. */
  tools: boolean
  api?: 'chat' | 'responses'
  /** It runs on this machine, if at all: whether it does is seen by asking it. */
  local: boolean
  /** Nobody set it up: it is one of the programs that many people have. */
  assumed: boolean
  /** The person set it up: it is none of those that everybody has. */
  own: boolean
  /** The program that answers there, where it can be asked for more than its API has. */
  program?: 'ollama' | 'lm-studio'
  /** How many tokens its models are to read at most, where the person said so. */
  context?: number
  /** Whether its models take pictures, where the person said so. */
  images?: boolean
}

/** A key that was kept for a provider. */
export interface KeptKey {
  key?: string
  where: 'keychain' | 'file'
}

interface Known extends Pick<Provider, 'name' | 'kind' | 'url' | 'keyVariables'> {
  urlVariables?: string[]
  /** What the variable leaves out of the address. */
  path?: string
  model?: string
  tools?: boolean
  local?: boolean
}

const KNOWN: Record<string, Known> = {
  anthropic: {
    name: 'Anthropic',
    kind: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    urlVariables: ['ANTHROPIC_BASE_URL'],
    path: '/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    model: 'claude-sonnet-5',
  },
  openai: {
    name: 'OpenAI',
    kind: 'openai',
    url: 'https://api.openai.com/v1',
    urlVariables: ['OPENAI_BASE_URL'],
    keyVariables: ['OPENAI_API_KEY'],
    model: 'gpt-5.6-terra',
  },
  gemini: {
    name: 'Gemini',
    kind: 'gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    urlVariables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_BASE_URL'],
    path: '/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    model: 'gemini-3.7-flash',
  },
  huggingface: {
    name: 'Hugging Face',
    kind: 'openai-compatible',
    url: 'https://router.huggingface.co/v1',
    keyVariables: ['HF_TOKEN'],
  },
  ollama: {
    name: 'Ollama',
    kind: 'openai-compatible',
    url: 'http://127.0.0.1:11434/v1',
    urlVariables: ['OLLAMA_HOST'],
    path: '/v1',
    keyVariables: [],
    local: true,
  },
  'lm-studio': {
    name: 'LM Studio',
    kind: 'openai-compatible',
    url: 'http://127.0.0.1:1234/v1',
    keyVariables: [],
    local: true,
  },
}

/** Everyone that could be asked: whom the person set up first, then those that many people have. */
export function knownProviders(
  { providers }: Pick<AgentConfig, 'providers'>,
  env: Machine['env'],
  kept: ReadonlyMap<string, KeptKey> = new Map(),
): Provider[] {
  const ids = [...new Set([...Object.keys(providers), ...Object.keys(KNOWN)])]
  return ids.map((id) => {
    const known = KNOWN[id]
    const own = providers[id] ?? {}
    const url = (own.url ?? addressIn(known, env) ?? known?.url)?.replace(/\/+$/, '')
    if (!url) {
      throw new RecollectError(
        'INVALID_CONFIG',
        `The provider "${id}" in config.json has no url.`,
        'Give the address of its API: "url": "http://127.0.0.1:8000/v1".',
      )
    }
    const keyVariables = own.apiKeyEnv ? [own.apiKeyEnv] : (known?.keyVariables ?? [])
    // A provider may say it back in an error.
    guardSecrets(keyVariables.map((name) => env[name]?.trim()))
    return {
      id,
      name: own.name ?? known?.name ?? id,
      kind: own.kind ?? known?.kind ?? 'openai-compatible',
      url,
      ...keyOf(keyVariables.map((name) => env[name]?.trim()).find(Boolean), kept.get(id)),
      keyVariables,
      model: own.model ?? known?.model,
      tools: own.tools ?? known?.tools ?? true,
      api: own.api,
      local: isLocal(url),
      assumed: known?.local === true && providers[id] === undefined,
      own: known === undefined,
      program: programAt(id, url),
      context: own.context,
      images: own.images,
    }
  })
}

/** What is set in the environment counts before what was kept. */
function keyOf(
  inEnvironment: string | undefined,
  kept: KeptKey | undefined,
): Pick<Provider, 'key' | 'keyFrom'> {
  if (inEnvironment) return { key: inEnvironment, keyFrom: 'environment' }
  return kept ? { key: kept.key, keyFrom: kept.where } : {}
}

function isLocal(url: string): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(URL.parse(url)?.hostname ?? '')
}

/** By its name, or by the port that it has everywhere. */
function programAt(id: string, url: string): Provider['program'] {
  const { port } = URL.parse(url) ?? {}
  if (id === 'ollama' || port === '11434') return 'ollama'
  return id === 'lm-studio' || port === '1234' ? 'lm-studio' : undefined
}

/** Where the person's environment says that a provider is. */
function addressIn(known: Known | undefined, env: Machine['env']): string | undefined {
  const given = known?.urlVariables?.map((name) => env[name]?.trim()).find(Boolean)
  if (!known || !given) return undefined
  // Ollama's variable may name a host alone.
  const url = URL.parse(/^https?:\/\//.test(given) ? given : `http://${given}`)
  if (!url) return undefined
  if (!/:\d/.test(given) && known.local) url.port = '11434'
  // Listening everywhere is no place to go to.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  const written = url.href.replace(/\/+$/, '')
  return known.path && url.pathname === '/' ? written + known.path : written
}

/** The address of one: without a password in it, and without what stands behind names in its query, as a key may. */
export function shownAddress(url: string): string {
  return redact(url.replace(/\?.*$/s, (query) => query.replace(/=[^&#]+/g, '=…')))
}

export function missingKey({ keyVariables, key }: Provider): boolean {
  return keyVariables.length > 0 && !key
}

/** Who answers, and with which model, given what was asked for and what is set. */
export function chosenProvider(
  providers: Provider[],
  asked: { provider?: string; model?: string },
  set: Pick<AgentConfig, 'provider' | 'model'>,
): { provider: Provider; model?: string } {
  const prefixed = asked.provider ? undefined : prefixOf(providers, asked.model)
  if (prefixed) return prefixed
  const id = asked.provider ?? makerOf(asked.model) ?? set.provider
  const provider = id ? named(providers, id) : providers.find((each) => !each.assumed && !missingKey(each))
  if (!provider) throw noProvider()
  demandKey(provider)
  const isMeant = provider.id === set.provider || (set.provider === undefined && !asked.provider)
  return { provider, model: asked.model ?? (isMeant ? set.model : undefined) ?? provider.model }
}

export function noProvider(): RecollectError {
  return new RecollectError(
    'NO_PROVIDER',
    'There is no model to ask yet.',
    'Run `recollect models set anthropic` (or openai, gemini, …) to enter a key, or start Ollama or LM Studio. docs/models.md tells of more.',
  )
}

function demandKey(provider: Provider): void {
  if (!missingKey(provider)) return
  throw new RecollectError('NO_KEY', `${provider.name} wants a key, and there is none.`, keyHint(provider))
}

/** What to do where its key is missing. */
export function keyHint({ id, keyVariables, keyFrom }: Provider): string {
  const set = `run \`recollect models set ${id}\``
  if (keyFrom === 'keychain') return `The keychain did not give it: unlock it, or ${set} again.`
  return `Set ${keyVariables.join(' or ')} in your environment, or ${set}.`
}

function named(providers: Provider[], id: string): Provider {
  const found = providers.find((each) => each.id === id)
  if (found) return found
  throw new RecollectError(
    'UNKNOWN_PROVIDER',
    `There is no provider "${id}".`,
    `Valid values: ${providers.map((each) => each.id).join(', ')}. More go into config.json: docs/models.md.`,
  )
}

/** `ollama/qwen3` names both: whoever is named so is asked, and nobody else where its key is missing. */
function prefixOf(
  providers: Provider[],
  model: string | undefined,
): { provider: Provider; model: string } | undefined {
  const cut = model?.indexOf('/') ?? -1
  const provider = cut > 0 ? providers.find((each) => each.id === model!.slice(0, cut)) : undefined
  if (!provider) return undefined
  demandKey(provider)
  return { provider, model: model!.slice(cut + 1) }
}

function makerOf(model: string | undefined): string | undefined {
  if (!model) return undefined
  if (/^claude-/i.test(model)) return 'anthropic'
  if (/^(?:gpt-|chatgpt-|o\d)/i.test(model)) return 'openai'
  return /^gemini-/i.test(model) ? 'gemini' : undefined
}
