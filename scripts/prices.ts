/**
 * Compares src/recall/price-list.json with the public list of prices that LiteLLM keeps, and says what differs. With
 * `--write` the new prices count from today: what was said before keeps the price that it had. `--from <file>` reads a
 * list that was fetched before. Nothing else ever fetches prices.
 */
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { dayOf } from '../src/model/day.ts'
import type { Price } from '../src/recall/price-list.ts'
import { plainModel } from '../src/recall/prices.ts'

const PUBLIC_LIST =
  'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json'
/** Whose own prices count; others resell. */
const PROVIDERS = new Set(['anthropic', 'openai', 'gemini', 'xai', 'moonshot'])

/** In dollars for one token. */
const publicEntry = z.looseObject({
  litellm_provider: z.string(),
  mode: z.string().optional(),
  input_cost_per_token: z.number().nonnegative(),
  output_cost_per_token: z.number().nonnegative(),
  cache_read_input_token_cost: z.number().nonnegative().optional(),
  cache_creation_input_token_cost: z.number().nonnegative().optional(),
})

const price = z.strictObject({
  input: z.number().positive(),
  output: z.number().positive(),
  cached: z.number().positive().optional(),
  cacheWrite: z.number().positive().optional(),
  since: z.iso.date().optional(),
})

/** What src/recall/price-list.json has to look like: of each model at least one price, in the order of their days. */
export const priceList = z.strictObject({
  asOf: z.iso.date(),
  models: z.record(
    z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
    z
      .array(price)
      .min(1)
      .refine(
        (all) =>
          all.every(({ since }, at) => (at === 0 ? !since : (since ?? '') > (all[at - 1]!.since ?? ''))),
        {
          message: 'one price counts from the beginning, each other from a later day than the one before it',
        },
      ),
  ),
})

export type PriceList = z.output<typeof priceList>

export interface PriceChange {
  model: string
  before: Price
  now: Price
}

/** The list with what the public one says of the models in it. Models that it does not know, or where it disagrees with itself, stay. */
export function updatedPrices(
  list: PriceList,
  published: unknown,
  today: string,
): { list: PriceList; changes: PriceChange[] } {
  const known = publicPrices(published)
  const changes: PriceChange[] = []
  const models = Object.entries(list.models).map(([model, prices]) => {
    const [before, now] = [prices.at(-1)!, known.get(model)]
    if (!now || isSame(before, now)) return [model, prices]
    changes.push({ model, before, now })
    const kept = before.since === today ? prices.slice(0, -1) : prices
    return [model, [...kept, { ...now, ...(kept.length > 0 && { since: today }) }]]
  })
  return { list: { asOf: today, models: Object.fromEntries(models) }, changes }
}

/** By the names under which we know models; not those that have several prices. */
function publicPrices(published: unknown): Map<string, Price> {
  const entries = Object.entries(z.record(z.string(), z.unknown()).parse(published))
  const found = new Map<string, Price | undefined>()
  for (const [name, given] of entries) {
    const { success, data } = publicEntry.safeParse(given)
    if (!success || !PROVIDERS.has(data.litellm_provider) || data.input_cost_per_token === 0) continue
    const cached = data.cache_read_input_token_cost
    const cacheWrite = data.cache_creation_input_token_cost
    const now: Price = {
      input: perMillion(data.input_cost_per_token),
      output: perMillion(data.output_cost_per_token),
      ...(cached && { cached: perMillion(cached) }),
      ...(cacheWrite && { cacheWrite: perMillion(cacheWrite) }),
    }
    const model = plainModel(name)
    const other = found.get(model)
    found.set(model, !found.has(model) || (other && isSame(other, now)) ? now : undefined)
  }
  if (found.size === 0)
    throw new Error('This is not the list of prices that was expected: it names no model.')
  return new Map([...found].flatMap(([model, now]) => (now ? [[model, now] as const] : [])))
}

function perMillion(dollars: number): number {
  return Number((dollars * 1_000_000).toPrecision(6))
}

function isSame(a: Price, b: Price): boolean {
  const parts = ['input', 'output', 'cached', 'cacheWrite'] as const
  return parts.every((part) => (a[part] ?? 0) === (b[part] ?? 0))
}

async function fetched(): Promise<string> {
  try {
    return await (await fetch(PUBLIC_LIST)).text()
  } catch (error) {
    console.error(
      `${PUBLIC_LIST} could not be fetched (${(error as Error).message}): give a copy of it by --from <file>.`,
    )
    process.exit(1)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { write: { type: 'boolean' }, from: { type: 'string' } } })
  const file = path.join(import.meta.dirname, '..', 'src', 'recall', 'price-list.json')
  const text = values.from ? fs.readFileSync(values.from, 'utf8') : await fetched()
  const before = priceList.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  const { list, changes } = updatedPrices(before, JSON.parse(text), dayOf(new Date()))
  for (const { model, before: was, now } of changes)
    console.log(`${model}: ${JSON.stringify(was)} → ${JSON.stringify(now)}`)
  console.log(`${changes.length} of ${Object.keys(list.models).length} models differ`)
  if (values.write) {
    fs.writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`)
    console.log('Written: run `npm run format`.')
  }
}
