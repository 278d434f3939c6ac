import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import type { Machine } from '../platform/machine.ts'
import { guardSecrets } from '../platform/redact.ts'

export type ProviderKind = 'anthropic' | 'openai' | 'gemini' | 'openai-compatible'

/** Somebody who answers with a model, and how to reach them. */
export interface Provider {
  id: string
  name: string
  kind: ProviderKind
  /** Where its API begins, without a slash at the end. */
  url: string
  /** Never written anywhere. */
  key?: string
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
      key: keyVariables.map((name) => env[name]?.trim()).find(Boolean),
      keyVariables,
      model: own.model ?? known?.model,
      tools: own.tools ?? known?.tools ?? true,
      api: own.api,
      local: /^(?:localhost|127\.|\[::1\])/.test(URL.parse(url)?.hostname ?? ''),
      assumed: known?.local === true && providers[id] === undefined,
    }
  })
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
  if (!provider) {
    throw new RecollectError(
      'NO_PROVIDER',
      'There is no model to ask yet.',
      'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama and add --provider ollama. docs/agent.md tells of more.',
    )
  }
  if (missingKey(provider)) {
    throw new RecollectError(
      'NO_KEY',
      `${provider.name} wants a key, and there is none.`,
      `Set ${provider.keyVariables.join(' or ')} in your environment, or choose another provider.`,
    )
  }
  const isMeant = provider.id === set.provider || (set.provider === undefined && !asked.provider)
  return { provider, model: asked.model ?? (isMeant ? set.model : undefined) ?? provider.model }
}

function named(providers: Provider[], id: string): Provider {
  const found = providers.find((each) => each.id === id)
  if (found) return found
  throw new RecollectError(
    'UNKNOWN_PROVIDER',
    `There is no provider "${id}".`,
    `Valid values: ${providers.map((each) => each.id).join(', ')}. More go into config.json: docs/agent.md.`,
  )
}

/** `ollama/qwen3` names both. */
function prefixOf(
  providers: Provider[],
  model: string | undefined,
): { provider: Provider; model: string } | undefined {
  const cut = model?.indexOf('/') ?? -1
  const provider = cut > 0 ? providers.find((each) => each.id === model!.slice(0, cut)) : undefined
  return provider && !missingKey(provider) ? { provider, model: model!.slice(cut + 1) } : undefined
}

function makerOf(model: string | undefined): string | undefined {
  if (!model) return undefined
  if (/^claude-/i.test(model)) return 'anthropic'
  if (/^(?:gpt-|chatgpt-|o\d)/i.test(model)) return 'openai'
  return /^gemini-/i.test(model) ? 'gemini' : undefined
}
