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
export const PRICES_AS_OF = '2026-11-15'

/**
 * List prices of the providers' own APIs, for prompts of ordinary length, without batch, fast or
 * regional variants. What a subscription costs is another matter: these are estimates of what the
 * same tokens would cost. A model about which the sources disagree is not in the list, and its cost
 * is unknown.
 *
 * Sources: platform.claude.com/docs/en/about-claude/pricing, developers.openai.com/api/docs/pricing,
 * ai.google.dev/gemini-api/docs/pricing, and the table of models and prices of docs.github.com/copilot,
 * which repeats the providers' prices.
 */
export const PRICE_LIST: Record<string, Price[]> = {
  ...each(['claude-opus-3', 'claude-3-opus', 'claude-opus-4', 'claude-opus-4-0', 'claude-opus-4-1'], {
    input: 15,
    output: 75,
    cached: 1.5,
    cacheWrite: 18.75,
  }),
  ...each(['claude-opus-4-5', 'claude-opus-4-6', 'claude-opus-4-7', 'claude-opus-4-8', 'claude-opus-5'], {
    input: 5,
    output: 25,
    cached: 0.5,
    cacheWrite: 6.25,
  }),
  ...each(['claude-opus-5-5'], { input: 4, output: 20, cached: 0.2, cacheWrite: 5 }),
  ...each(
    [
      'claude-3-5-sonnet',
      'claude-3-7-sonnet',
      'claude-sonnet-3-7',
      'claude-sonnet-4',
      'claude-sonnet-4-0',
      'claude-sonnet-4-5',
      'claude-sonnet-4-6',
    ],
    { input: 3, output: 15, cached: 0.3, cacheWrite: 3.75 },
  ),
  ...each(['claude-sonnet-5'], { input: 2, output: 10, cached: 0.2, cacheWrite: 2.5 }),
  ...each(['claude-haiku-4-5'], { input: 1, output: 5, cached: 0.1, cacheWrite: 1.25 }),
  ...each(['claude-3-5-haiku', 'claude-haiku-3-5'], { input: 0.8, output: 4, cached: 0.08, cacheWrite: 1 }),
  ...each(['claude-3-haiku', 'claude-haiku-3'], { input: 0.25, output: 1.25, cached: 0.03, cacheWrite: 0.3 }),
  ...each(['claude-fable-5', 'claude-mythos-5'], { input: 10, output: 50, cached: 1, cacheWrite: 12.5 }),
  ...each(['claude-fable-5-1', 'claude-mythos-5-1'], {
    input: 10,
    output: 50,
    cached: 0.25,
    cacheWrite: 12.5,
  }),

  ...each(['gpt-4o'], { input: 2.5, output: 10, cached: 1.25 }),
  ...each(['gpt-4o-mini'], { input: 0.15, output: 0.6, cached: 0.075 }),
  ...each(['gpt-4.1'], { input: 2, output: 8, cached: 0.5 }),
  ...each(['gpt-4.1-mini'], { input: 0.4, output: 1.6, cached: 0.1 }),
  ...each(['gpt-4.1-nano'], { input: 0.1, output: 0.4, cached: 0.025 }),
  ...each(['o1'], { input: 15, output: 60, cached: 7.5 }),
  o3: [
    { input: 10, output: 40, cached: 2.5 },
    { input: 2, output: 8, cached: 0.5, since: '2025-06-10' },
  ],
  ...each(['o3-mini'], { input: 1.1, output: 4.4, cached: 0.55 }),
  ...each(['o4-mini'], { input: 1.1, output: 4.4, cached: 0.275 }),
  ...each(['gpt-5', 'gpt-5-codex', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-codex-max'], {
    input: 1.25,
    output: 10,
    cached: 0.125,
  }),
  ...each(['gpt-5-mini', 'gpt-5.1-codex-mini'], { input: 0.25, output: 2, cached: 0.025 }),
  ...each(['gpt-5-nano'], { input: 0.05, output: 0.4, cached: 0.005 }),
  ...each(['gpt-5.2', 'gpt-5.2-codex', 'gpt-5.3-codex'], { input: 1.75, output: 14, cached: 0.175 }),
  ...each(['gpt-5.4'], { input: 2.5, output: 15, cached: 0.25 }),
  ...each(['gpt-5.4-mini'], { input: 0.75, output: 4.5, cached: 0.075 }),
  ...each(['gpt-5.4-nano'], { input: 0.2, output: 1.25, cached: 0.02 }),
  ...each(['gpt-5.5'], { input: 5, output: 30, cached: 0.5 }),
  ...each(['gpt-5.6-luna'], { input: 0.2, output: 1.2, cached: 0.02, cacheWrite: 0.25 }),
  ...each(['gpt-5.6-terra'], { input: 2, output: 12, cached: 0.2, cacheWrite: 2.5 }),
  ...each(['gpt-5.6-sol'], { input: 5, output: 30, cached: 0.5, cacheWrite: 6.25 }),

  ...each(['gemini-2.5-pro'], { input: 1.25, output: 10, cached: 0.125 }),
  ...each(['gemini-2.5-flash'], { input: 0.3, output: 2.5, cached: 0.03 }),
  ...each(['gemini-2.5-flash-lite'], { input: 0.1, output: 0.4, cached: 0.01 }),
  ...each(['gemini-3-pro', 'gemini-3.1-pro'], { input: 2, output: 12, cached: 0.2 }),
  ...each(['gemini-3.5-flash'], { input: 1.5, output: 9, cached: 0.15 }),
  ...each(['gemini-3.6-flash', 'gemini-3.7-flash'], { input: 0.75, output: 3.75, cached: 0.075 }),

  ...each(['grok-4.5', 'grok-4.6'], { input: 2, output: 6, cached: 0.5 }),
  ...each(['kimi-k2.7-code'], { input: 0.95, output: 4, cached: 0.19 }),
  ...each(['kimi-k3'], { input: 3, output: 15, cached: 0.3 }),
}

function each(models: string[], price: Price): Record<string, Price[]> {
  return Object.fromEntries(models.map((model) => [model, [price]]))
}
