import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import type { Machine } from '../platform/machine.ts'
import { pricesOn } from '../recall/prices.ts'
import type { ModelStatus, ProviderStatus } from './agent.ts'
import { ModelLists } from './models.ts'
import { chosenProvider, knownProviders, missingKey, type Provider } from './providers.ts'

/** Who can be asked, and with which models, as things are just now. */
export class ProviderBook {
  readonly #config: AgentConfig
  readonly #env: Machine['env']
  readonly #machine: Machine
  readonly #lists = new ModelLists()
  /** Models that turned out to take no tools. */
  readonly #toolless = new Set<string>()

  constructor(config: AgentConfig, env: Machine['env'], machine: Machine) {
    this.#config = config
    this.#env = env
    this.#machine = machine
  }

  takesTools({ id, tools }: Provider, model: string): boolean {
    return tools && !this.#toolless.has(`${id}/${model}`)
  }

  noteToolless({ id }: Provider, model: string): void {
    this.#toolless.add(`${id}/${model}`)
  }

  /** Where nothing is set up, a program that serves models on this machine will do. */
  async chosen(asked: { provider?: string; model?: string }): Promise<{ provider: Provider; model: string }> {
    const providers = this.#known()
    try {
      const { provider, model } = chosenProvider(providers, asked, this.#config)
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

  async statuses(): Promise<ProviderStatus[]> {
    return await Promise.all(
      this.#known().map(async (provider): Promise<ProviderStatus> => {
        const { id, name, model: defaultModel, url } = provider
        const problem = await this.#problemOf(provider)
        return { id, name, ready: problem === undefined, problem, defaultModel, url }
      }),
    )
  }

  async models(): Promise<ModelStatus[]> {
    const prices = pricesOn(this.#machine)
    const today = new Date().toISOString().slice(0, 10)
    const lists = await Promise.all(
      this.#known().map(async (provider) => {
        if (missingKey(provider)) return []
        const listed = await this.#lists.of(provider).catch(() => [])
        const ids = listed.length > 0 ? listed : provider.model && !provider.assumed ? [provider.model] : []
        return ids.map((id): ModelStatus => {
          const price = prices.of(id, today)
          const tools = this.takesTools(provider, id)
          return {
            id,
            provider: provider.id,
            tools,
            price: price && { input: price.input, output: price.output },
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
        ? `Is it running at ${provider.url}? Else name a model with --model.`
        : 'Name one with --model.',
    )
  }

  async #problemOf(provider: Provider): Promise<string | undefined> {
    if (missingKey(provider)) return `Set ${provider.keyVariables.join(' or ')} in your environment.`
    if (!provider.local) return undefined
    try {
      await this.#lists.of(provider)
      return undefined
    } catch {
      return `It does not answer at ${provider.url}. Start it, or set its address.`
    }
  }

  #known(): Provider[] {
    return knownProviders(this.#config, this.#env)
  }
}
