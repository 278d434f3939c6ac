import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type PriceList, priceList, updatedPrices } from '../scripts/prices.ts'
import { root } from './run-cli.ts'

const file = path.join(root, 'src', 'recall', 'price-list.json')

test('the list of prices has a date and the shape that is read', () => {
  const list = priceList.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  assert.ok(Object.keys(list.models).length > 50)
  assert.ok(list.asOf >= '2026-11-15')
  for (const [model, prices] of Object.entries(list.models))
    for (const { input, output, cached = 0 } of prices)
      assert.ok(output >= input && cached < input, `${model}: a cache is cheaper than input, output is not`)
})

const OURS: PriceList = {
  asOf: '2026-01-01',
  models: {
    'claude-opus-5': [{ input: 5, output: 25, cached: 0.5, cacheWrite: 6.25 }],
    'gpt-5': [{ input: 1.25, output: 10, cached: 0.125 }],
    'gpt-4o': [{ input: 2.5, output: 10 }],
    o3: [
      { input: 10, output: 40, cached: 2.5 },
      { input: 2, output: 8, cached: 0.5, since: '2025-06-10' },
    ],
  },
}

const entry = (provider: string, input: number, output: number, cached?: number, cacheWrite?: number) => ({
  litellm_provider: provider,
  mode: 'chat',
  max_tokens: 8192,
  input_cost_per_token: input / 1e6,
  output_cost_per_token: output / 1e6,
  ...(cached && { cache_read_input_token_cost: cached / 1e6 }),
  ...(cacheWrite && { cache_creation_input_token_cost: cacheWrite / 1e6 }),
})

test('a price that changed counts from the day of the comparison, and what was before it stays', () => {
  const { list, changes } = updatedPrices(
    OURS,
    {
      sample_spec: { litellm_provider: 'one of …', input_cost_per_token: 0, output_cost_per_token: 0 },
      'claude-opus-5-20260101': entry('anthropic', 5, 25, 0.5, 6.25),
      'gpt-5': entry('openai', 1, 8, 0.1),
      'azure/gpt-5': entry('azure', 99, 99),
      o3: entry('openai', 1, 4, 0.25),
      'some-new-model': entry('openai', 1, 4),
      broken: { litellm_provider: 'openai', input_cost_per_token: 'free' },
    },
    '2026-11-20',
  )
  assert.deepEqual(
    changes.map(({ model }) => model),
    ['gpt-5', 'o3'],
  )
  assert.deepEqual(list, {
    asOf: '2026-11-20',
    models: {
      ...OURS.models,
      'gpt-5': [...OURS.models['gpt-5']!, { input: 1, output: 8, cached: 0.1, since: '2026-11-20' }],
      o3: [...OURS.models.o3!, { input: 1, output: 4, cached: 0.25, since: '2026-11-20' }],
    },
  })
  assert.deepEqual(priceList.parse(list), list)
})

test('compared again on the same day, the last comparison counts', () => {
  const first = updatedPrices(OURS, { 'gpt-5': entry('openai', 1, 8, 0.1) }, '2026-11-20').list
  const { list } = updatedPrices(first, { 'gpt-5': entry('openai', 2, 8, 0.1) }, '2026-11-20')
  assert.deepEqual(list.models['gpt-5']?.slice(1), [
    { input: 2, output: 8, cached: 0.1, since: '2026-11-20' },
  ])
})

test('where the public list disagrees with itself, or is another one, nothing changes', () => {
  const two = { 'gpt-5': entry('openai', 1, 8), 'openai/gpt-5': entry('openai', 3, 8) }
  assert.deepEqual(updatedPrices(OURS, two, '2026-11-20').changes, [])
  for (const wrong of [{}, [], 'text', { a: 1 }, null])
    assert.throws(() => updatedPrices(OURS, wrong, '2026-11-20'))
})
