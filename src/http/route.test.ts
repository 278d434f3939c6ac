import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { queryOf } from './route.ts'

const schema = z.object({
  text: z.string().optional(),
  words: z.union([z.string(), z.array(z.string())]).optional(),
  list: z.array(z.string()).optional(),
  numbers: z.array(z.number()).optional(),
  count: z.int().optional(),
  flag: z.boolean().optional(),
  window: z.union([z.enum(['7d', 'all']), z.object({ start: z.string() })]).optional(),
  free: z.unknown().optional().meta({ type: 'integer' }),
})

const CASES: [query: string, meant: unknown][] = [
  ['text=42', { text: '42' }],
  ['text=true', { text: 'true' }],
  ['words=a', { words: 'a' }],
  ['words=a&words=b', { words: ['a', 'b'] }],
  ['list=a', { list: ['a'] }],
  ['list=["a","b"]', { list: ['a', 'b'] }],
  ['numbers=1&numbers=2.5', { numbers: [1, 2.5] }],
  ['count=3', { count: 3 }],
  ['flag=1', { flag: true }],
  ['flag=false', { flag: false }],
  ['window=7d', { window: '7d' }],
  ['window={"start":"2026-05-01"}', { window: { start: '2026-05-01' } }],
  ['free=7', { free: 7 }],
]

for (const [query, meant] of CASES)
  test(`?${query} means ${JSON.stringify(meant)}`, () => {
    assert.deepEqual(schema.parse(queryOf(new URLSearchParams(query), schema)), meant)
  })

test('what cannot be meant is left for the schema to refuse', () => {
  for (const query of [
    'count=many',
    'count=',
    'flag=yes',
    'window=2d',
    'text=a&text=b',
    'count=1&count=2',
    'window={',
  ])
    assert.equal(schema.safeParse(queryOf(new URLSearchParams(query), schema)).success, false, query)
})

test('names that every object has are no arguments', () => {
  const query = queryOf(new URLSearchParams('__proto__=x&constructor=y&toString=z'), schema)
  assert.deepEqual(schema.parse(query), {})
})
