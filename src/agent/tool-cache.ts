import type { AgentConfig } from '../platform/config.ts'
import { settingFor } from './policy.ts'
import type { NamedTool } from './pool.ts'
import { canonical } from './signature.ts'
import type { Outcome } from './tool.ts'

const MOST = 500

/** Answers of the tools that the configuration names, used again for as long as it says. */
export class ToolCache {
  readonly #seconds: () => AgentConfig['cache']
  readonly #kept = new Map<string, { until: number; outcome: Promise<Outcome> }>()

  constructor(seconds: () => AgentConfig['cache']) {
    this.#seconds = seconds
  }

  /** Two equal calls at the same time are one. What failed is not kept. */
  async answer(
    tool: NamedTool,
    args: unknown,
    call: () => Promise<Outcome>,
  ): Promise<{ outcome: Outcome; cached: boolean }> {
    const seconds = settingFor(tool, this.#seconds())
    if (seconds === undefined) return { outcome: await call(), cached: false }
    const key = `${tool.server}/${tool.tool} ${canonical(args)}`
    const known = this.#kept.get(key)
    if (known && known.until > Date.now()) {
      // Where whoever asked first gave up, it is asked again.
      const outcome = await known.outcome.catch(() => undefined)
      if (outcome) return { outcome, cached: true }
    }
    const entry = { until: Date.now() + seconds * 1000, outcome: call() }
    this.#kept.delete(key)
    this.#kept.set(key, entry)
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value!)
    const drop = () => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key)
    }
    try {
      const outcome = await entry.outcome
      if (!outcome.ok) drop()
      return { outcome, cached: false }
    } catch (error) {
      drop()
      throw error
    }
  }
}
