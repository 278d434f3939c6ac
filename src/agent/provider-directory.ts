import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import type { KeptKeys } from '../platform/keys/kept-keys.ts'
import type { Machine } from '../platform/machine.ts'
import { pricesOn } from '../recall/prices.ts'
import type { ModelStatus, ProviderStatus } from './agent.ts'
import { contextFor, loadInLmStudio, type ModelFacts, rootOf } from './local-models.ts'
import { ModelLists } from './models.ts'
import {
  chosenProvider,
  type KeptKey,
  keyHint,
  knownProviders,
  missingKey,
  type Provider,
  shownAddress,
} from './providers.ts'

/** Who can be asked, and with which models, as things are just now: settings and keys are looked up each time. */
export class ProviderDirectory {
  readonly #config: () => AgentConfig
  readonly #env: Machine['env']
  readonly #machine: Machine
  readonly #keys: KeptKeys
  readonly #lists = new ModelLists()
  /** Models that turned out to take no tools. */
  readonly #toolless = new Set<string>()

  constructor(config: () => AgentConfig, env: Machine['env'], machine: Machine, keys: KeptKeys) {
    this.#config = config
    this.#env = env
    this.#machine = machine
    this.#keys = keys
  }

  takesTools({ id, tools }: Provider, model: string): boolean {
    return tools && !this.#toolless.has(`${id}/${model}`)
  }

  noteToolless({ id }: Provider, model: string): void {
    this.#toolless.add(`${id}/${model}`)
  }

  /** Where nothing is set up, a program that serves models on this machine will do. */
  async chosen(asked: { provider?: string; model?: string }): Promise<{ provider: Provider; model: string }> {
    const providers = await this.#known()
    try {
      const { provider, model } = chosenProvider(providers, asked, this.#config())
      return { provider, model: model ?? (await this.#anyModel(provider)) }
    } catch (error) {
      if (!(error instanceof RecollectError && error.code === 'NO_PROVIDER')) throw error
      for (const provider of providers.filter((each) => each.assumed)) {
        const [first] = await this.#lists.of(provider).catch(() => [])
        if (first) return { provider, model: asked.model ?? first }
      }
      throw error
    }
  }

  /** A model of this machine as it will be loaded: how much it reads, and how Ollama is told so. */
  async loading(
    provider: Provider,
    model: string,
  ): Promise<{ context?: number; images?: boolean; ollama?: { root: string; context: number } }> {
    const { images } = provider
    if (!provider.program) return { context: provider.context, images }
    const facts = await this.#factsOf(provider, model)
    const context = contextFor(provider, facts)
    // One that is not listed may be another program at the same port.
    if (provider.program === 'ollama' && !facts) return { context: provider.context, images }
    const known = { images: images ?? facts?.images }
    if (provider.program === 'ollama')
      return { ...known, context, ollama: { root: rootOf(provider), context } }
    if (facts) await loadInLmStudio(provider, facts, context)
    return { ...known, context: facts?.loaded ?? context }
  }

  /** Whether a model takes pictures, as far as its program says or the person set. */
  async takesImages(provider: Provider, model: string): Promise<boolean | undefined> {
    return provider.images ?? (provider.program && (await this.#factsOf(provider, model))?.images)
  }

  async statuses(): Promise<ProviderStatus[]> {
    return await Promise.all(
      (await this.#known()).map(async (provider): Promise<ProviderStatus> => {
        const { id, name, model: defaultModel, url, keyFrom, keyVariables, local, own, context } = provider
        const problem = await this.#problemOf(provider)
        return {
          id,
          name,
          ready: problem === undefined,
          problem,
          defaultModel,
          url: url && shownAddress(url),
          key: keyVariables.length === 0 && !keyFrom ? 'none needed' : (keyFrom ?? 'missing'),
          local,
          own,
          ...(context && { context }),
        }
      }),
    )
  }

  async models(): Promise<ModelStatus[]> {
    const prices = pricesOn(this.#machine)
    const today = new Date().toISOString().slice(0, 10)
    const lists = await Promise.all(
      (await this.#known()).map(async (provider) => {
        if (missingKey(provider)) return []
        const listed = await this.#lists.facts(provider).catch(() => [])
        const usual: ModelFacts[] = provider.model && !provider.assumed ? [{ id: provider.model }] : []
        return (listed.length > 0 ? listed : usual).map((facts): ModelStatus => {
          const { id, images } = facts
          const price = provider.local ? undefined : prices.of(id, today)
          const context = provider.program ? (facts.loaded ?? contextFor(provider, facts)) : provider.context
          return {
            id,
            provider: provider.id,
            tools: this.takesTools(provider, id) && facts.tools !== false,
            price: price && { input: price.input, output: price.output },
            ...(context && { context }),
            ...(images !== undefined && { images }),
          }
        })
      }),
    )
    return lists.flat()
  }

  /** Of a model that is not known: which ones are. */
  async withModels(error: unknown, provider: Provider): Promise<unknown> {
    if (!(error instanceof RecollectError && error.code === 'UNKNOWN_MODEL')) return error
    const models = await this.#lists.of(provider).catch(() => [])
    if (models.length === 0) return error
    const some = models.slice(0, 12).join(', ')
    const hint = `${error.hint} It has: ${some}${models.length > 12 ? ` and ${models.length - 12} more` : ''}.`
    return new RecollectError(error.code, error.message, hint, error.details)
  }

  async #anyModel(provider: Provider): Promise<string> {
    const [first] = await this.#lists.of(provider).catch(() => [])
    if (first) return first
    throw new RecollectError(
      'NO_MODEL',
      `${provider.name} does not say which models it has.`,
      provider.local
        ? `Is it running at ${shownAddress(provider.url)}? Else name a model with --model.`
        : 'Name one with --model.',
    )
  }

  async #problemOf(provider: Provider): Promise<string | undefined> {
    if (missingKey(provider)) return keyHint(provider)
    if (!provider.local) return undefined
    try {
      await this.#lists.of(provider)
      return undefined
    } catch {
      return `It does not answer at ${shownAddress(provider.url)}. Start it, or set its address.`
    }
  }

  async #factsOf(provider: Provider, model: string): Promise<ModelFacts | undefined> {
    return (await this.#lists.facts(provider).catch(() => [])).find(({ id }) => isNamed(id, model))
  }

  async #known(): Promise<Provider[]> {
    const kept = await Promise.all(
      [...this.#keys.kept()].map(
        async ([id, where]): Promise<[string, KeptKey]> => [id, { where, key: await this.#keys.key(id) }],
      ),
    )
    return knownProviders(this.#config(), this.#env, new Map(kept))
  }
}

/** Ollama takes a name without a tag for the latest. */
function isNamed(id: string, model: string): boolean {
  return id === model || id === `${model}:latest`
}
