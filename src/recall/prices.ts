import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { type Machine, recollectHome } from '../platform/machine.ts'
import { PRICE_LIST, type Price } from './price-list.ts'

const price = z.object({
  input: z.number().min(0),
  output: z.number().min(0),
  cached: z.number().min(0).optional(),
  cacheWrite: z.number().min(0).optional(),
  since: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
})
const file = z.record(z.string(), z.union([price, z.array(price).min(1)]))

/** What models cost: our list, and over it the user's own in `prices.json` of Recollect's folder. */
export interface Prices {
  /** The price of a model on a day; nothing where it is not known. */
  of(model: string, day: string): Price | undefined
  /** The days on which one of them changed, in order. */
  changes: string[]
}

export function pricesOn(machine: Machine): Prices {
  const list = new Map(Object.entries(PRICE_LIST))
  for (const [model, prices] of Object.entries(ownPrices(machine))) list.set(plainModel(model), prices)
  // By each spelling: thousands of rows tell of a few models.
  const spelt = new Map<string, Price[]>()
  const changes = new Set([...list.values()].flatMap((prices) => prices.flatMap(({ since }) => since ?? [])))
  return {
    changes: [...changes].sort(),
    of(model, day) {
      let prices = spelt.get(model)
      if (!prices) {
        prices = list.get(plainModel(model)) ?? []
        spelt.set(model, prices)
      }
      return prices.findLast(({ since }) => !since || since <= day)
    },
  }
}

function ownPrices(machine: Machine): Record<string, Price[]> {
  const place = path.join(recollectHome(machine), 'prices.json')
  if (!fs.existsSync(place)) return {}
  try {
    const own = file.parse(JSON.parse(fs.readFileSync(place, 'utf8').replace(/^\ufeff/, '')))
    const byDay = (a: Price, b: Price) => ((a.since ?? '') < (b.since ?? '') ? -1 : 1)
    return Object.fromEntries(
      Object.entries(own).map(([model, prices]) => [model, [prices].flat().sort(byDay)]),
    )
  } catch (error) {
    throw new RecollectError(
      'INVALID_PRICES',
      `${place} cannot be read: ${error instanceof z.ZodError ? z.prettifyError(error) : error}`,
      'It must look like { "my-model": { "input": 1, "output": 5, "cached": 0.1 } }, in dollars per million tokens.',
    )
  }
}

const PROVIDER =
  /^(?:anthropic|azure|bedrock|copilot|deepseek|github|google|groq|lmstudio|ollama|openai|openrouter|vertex|xai):/

/** One name for the many spellings of a model: without its provider, its date and its variant of context. */
export function plainModel(model: string): string {
  const name = model
    .toLowerCase()
    .trim()
    .replace(/^.*\/(?=[a-z])/, '')
    .replace(PROVIDER, '')
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google)\./, '')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/(?:-v\d+)?:\d+$/, '')
    .replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
    .replace(/[-:](?:latest|preview)$/, '')
  return name.startsWith('claude') ? name.replaceAll('.', '-') : name
}

/** In US dollars. */
export function costOf(
  price: Price,
  used: { input: number; output: number; cached: number; cacheWrite: number },
): number {
  const plain = Math.max(0, used.input - used.cached - used.cacheWrite)
  return (
    (plain * price.input +
      used.cached * (price.cached ?? price.input) +
      used.cacheWrite * (price.cacheWrite ?? price.input) +
      used.output * price.output) /
    1_000_000
  )
}
