import list from './price-list.json' with { type: 'json' }

/** US dollars for a million tokens. Where a cache is not named, its tokens cost what input costs. */
export interface Price {
  input: number
  output: number
  /** Read from a cache. */
  cached?: number
  cacheWrite?: number
  /** `YYYY-MM-DD`: from then on. */
  since?: string
}

/** When the list was last compared with its sources. */
export const PRICES_AS_OF = list.asOf

/**
 * List prices of the providers' own APIs, for prompts of ordinary length, without batch, fast or
 * regional variants. What a subscription costs is another matter: these are estimates of what the
 * same tokens would cost. A model about which the sources disagree is not in the list, and its cost
 * is unknown. `node scripts/prices.ts` compares the list with a public one.
 *
 * Sources: platform.claude.com/docs/en/about-claude/pricing, developers.openai.com/api/docs/pricing,
 * ai.google.dev/gemini-api/docs/pricing, and the table of models and prices of docs.github.com/copilot,
 * which repeats the providers' prices.
 */
export const PRICE_LIST: Record<string, Price[]> = list.models
