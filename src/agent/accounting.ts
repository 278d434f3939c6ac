import type { Usage } from '../model/chat.ts'
import { costOf, type Prices } from '../recall/prices.ts'

/** What a step cost, where the model's price and its tokens are known. */
export function priced(usage: Usage, model: string, prices: Prices): Usage {
  const price = prices.of(model, new Date().toISOString().slice(0, 10))
  const { input, output, cached = 0, cacheWrite = 0 } = usage
  if (!price || input === undefined || output === undefined) return usage
  return { ...usage, cost: costOf(price, { input, output, cached, cacheWrite }) }
}
