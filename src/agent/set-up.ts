import { RecollectError } from '../model/errors.ts'
import { type AgentConfig, agentConfig, changeConfig, readConfig } from '../platform/config.ts'
import type { KeptKeys } from '../platform/keys/kept-keys.ts'
import type { Machine } from '../platform/machine.ts'
import { redact } from '../platform/redact.ts'
import { ModelLists } from './models.ts'
import { knownProviders, type Provider, shownAddress } from './providers.ts'

type ProviderConfig = AgentConfig['providers'][string]

/** What a person says of a provider that is to be used. */
export interface SetUp {
  key?: string
  /** Keep the key in a file, even where there is a keychain. */
  inFile?: boolean
  url?: string
  kind?: ProviderConfig['kind']
  /** `null`: as it is by default. */
  model?: string | null
  context?: number | null
  /** Whether it answers from now on where nobody else is named; by default where nobody is set yet. */
  default?: boolean
}

export interface SetUpOutcome {
  id: string
  name: string
  key: 'keychain' | 'file' | 'environment' | 'none'
  /** It answers where nobody else is named. */
  default: boolean
  model?: string
  /** How many models it told of; nothing where it could not be reached to ask. */
  models?: number
  /** What to know: it was not reached, or a variable counts before the key. */
  notes: string[]
}

interface Place {
  folder: string
  env: Machine['env']
  keys: KeptKeys
}

/** Asks the provider with what is given; where it refuses, nothing is kept. */
export async function setUpProvider(
  id: string,
  given: SetUp,
  { folder, env, keys }: Place,
): Promise<SetUpOutcome> {
  const { key, inFile, default: asDefault, ...told } = given
  const before = agentConfig(readConfig(folder))
  const changed = Object.values(told).some((value) => value !== undefined)
  const providers = changed
    ? { ...before.providers, [id]: withChange(before.providers[id], told) }
    : before.providers
  const provider = providerIn({ providers }, id, env)
  const used = { ...provider, key: key?.trim() || provider.key || (await keys.key(id)) }
  const { models, note } = await asked(used, 'Nothing was kept. ')
  if (key !== undefined) await keys.keep(id, key, { inFile })
  const isDefault = asDefault ?? (before.provider === undefined || before.provider === id)
  changeConfig(folder, (config) => ({
    ...config,
    agent: {
      ...config.agent,
      ...(isDefault && {
        provider: id,
        ...(told.model === undefined && before.provider !== id && { model: undefined }),
      }),
      ...(changed && { providers: { ...config.agent?.providers, [id]: providers[id] ?? {} } }),
    },
  }))
  const isShadowed = key !== undefined && provider.key !== undefined && provider.key !== key.trim()
  return {
    id,
    name: provider.name,
    key: provider.key ? 'environment' : (keys.kept().get(id) ?? 'none'),
    default: isDefault,
    model: provider.model,
    models,
    notes: [
      ...(note ? [note] : []),
      ...(isShadowed
        ? [
            `${setVariable(provider, env)} is set in your environment, and counts before the key that was kept.`,
          ]
        : []),
    ],
  }
}

/** `anthropic`, or `ollama/qwen3`: who answers from now on. */
export function answerFromNowOn(
  reference: string,
  { folder, env }: Omit<Place, 'keys'>,
): { provider: string; model?: string } {
  const cut = reference.indexOf('/')
  const [id, model] = cut < 0 ? [reference] : [reference.slice(0, cut), reference.slice(cut + 1)]
  providerIn(agentConfig(readConfig(folder)), id, env)
  changeConfig(folder, (config) => ({
    ...config,
    agent: { ...config.agent, provider: id, model: model || undefined },
  }))
  return { provider: id, ...(model && { model }) }
}

/** Asks a provider with what is set now: how many models it told of, or why it could not be asked. Throws where it refuses. */
export async function testProvider(
  id: string,
  { folder, env, keys }: Place,
): Promise<{ models?: number; note?: string }> {
  const provider = providerIn(agentConfig(readConfig(folder)), id, env)
  return await asked({ ...provider, key: provider.key ?? (await keys.key(id)) })
}

/** Takes back what was set for a provider, its key too: one that everybody has is as by default, another one is gone. */
export async function forgetProvider(id: string, { folder, env, keys }: Place): Promise<boolean> {
  const { providers, provider } = agentConfig(readConfig(folder))
  providerIn({ providers }, id, env)
  const hadKey = await keys.remove(id)
  if (providers[id] === undefined && provider !== id) return hadKey
  changeConfig(folder, (config) => {
    const { [id]: _, ...others } = config.agent?.providers ?? {}
    const chosen = provider === id ? { provider: undefined, model: undefined } : {}
    return { ...config, agent: { ...config.agent, ...chosen, providers: others } }
  })
  return true
}

/** What may be spent before the person is asked; nothing: as much as it takes. */
export function setBudget(budget: AgentConfig['budget'], folder: string): void {
  changeConfig(folder, (config) => ({ ...config, agent: { ...config.agent, budget } }))
}

/** Throws where nobody of that name is known and nothing says where they would be. */
export function providerIn(
  config: Pick<AgentConfig, 'providers'>,
  id: string,
  env: Machine['env'],
): Provider {
  if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(id)) throw unknown(id, config, env)
  const found = knownProviders(config, env).find((each) => each.id === id)
  if (found) return found
  throw unknown(id, config, env)
}

function unknown(id: string, config: Pick<AgentConfig, 'providers'>, env: Machine['env']): RecollectError {
  const ids = knownProviders(config, env).map((each) => each.id)
  return new RecollectError(
    'UNKNOWN_PROVIDER',
    `There is no provider "${id}".`,
    `Valid values: ${ids.join(', ')}. For another one say where it is: \`recollect models set NAME --url https://…/v1\`.`,
  )
}

async function asked(provider: Provider, kept = ''): Promise<{ models?: number; note?: string }> {
  if (provider.keyVariables.length > 0 && !provider.key) {
    throw new RecollectError(
      'NO_KEY',
      `${provider.name} wants a key, and none was given.`,
      'Type or paste it, or pass it on standard input.',
    )
  }
  try {
    return { models: (await new ModelLists().facts(provider)).length }
  } catch (error) {
    const { status, message } = error as Error & { status?: number }
    if (status === 401 || status === 403 || (status === 400 && provider.kind === 'gemini')) {
      throw new RecollectError(
        'WRONG_KEY',
        `${provider.name} refuses the key.`,
        `${kept}Copy it again from the website of the provider.`,
      )
    }
    // Many that are like OpenAI have no list of models.
    if (status === 404) return {}
    return {
      note: redact(`${provider.name} could not be asked at ${shownAddress(provider.url)}: ${message}`),
    }
  }
}

function setVariable({ keyVariables }: Provider, env: Machine['env']): string {
  return keyVariables.find((name) => env[name]?.trim()) ?? keyVariables.join(' or ')
}

/** What is not named stays; `null` takes back what was set. */
function withChange(before: ProviderConfig = {}, told: Partial<Record<keyof ProviderConfig, unknown>>) {
  const named = Object.entries(told).filter(([, value]) => value !== undefined)
  const all = Object.entries({ ...before, ...Object.fromEntries(named) })
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as ProviderConfig
}
