import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorOf, fit, type Place, placeOf } from './fit.ts'

function pages(value: unknown, most: number): unknown[] {
  const all: unknown[] = []
  let from: Place = []
  for (;;) {
    const page = fit(value, most, from)
    all.push(page.value)
    assert.ok(all.length < 5_000, 'it goes on forever')
    if (!page.next) return all
    assert.notDeepEqual(page.next, from, 'it does not move on')
    from = placeOf(cursorOf(page.next))!.place
  }
}

test('what fits is given as it is', () => {
  const value = { results: [1, 2, 3], text: 'short' }
  assert.deepEqual(fit(value, 1_000), { value })
})

test('a long list is told in pages, and small facts stand on each', () => {
  const value = {
    status: 'ok',
    results: Array.from({ length: 50 }, (_, i) => ({ id: i, text: 'x'.repeat(90) })),
  }
  const all = pages(value, 1_000) as (typeof value)[]
  assert.ok(all.length > 3)
  for (const page of all) {
    assert.equal(page.status, 'ok')
    assert.ok(JSON.stringify(page).length <= 1_000)
  }
  assert.deepEqual(
    all.flatMap((page) => page.results),
    value.results,
  )
})

test('a long text is told in pieces that never halve a character', () => {
  const text = 'line "one"\n😀 '.repeat(800)
  const all = pages({ success: true, request: text }, 700) as { request: string }[]
  assert.equal(all.map((page) => page.request).join(''), text)
  for (const { request } of all) assert.ok(request.isWellFormed())
})

test('any value comes back whole from its pages, within the budget', () => {
  let seed = 7
  const random = (n: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % n
  }
  const make = (depth: number): unknown => {
    const kind = random(depth > 4 ? 2 : 4)
    if (kind === 0) return random(1_000)
    if (kind === 1) return 'añ😀\n'.repeat(random(200))
    if (kind === 2) return Array.from({ length: random(5) }, () => make(depth + 1))
    return Object.fromEntries(Array.from({ length: random(5) }, (_, i) => [`k${i}`, make(depth + 1)]))
  }
  for (let round = 0; round < 300; round++) {
    const value = { first: make(0), second: make(0), third: make(1) }
    const most = 600 + random(3_000)
    let [whole, from]: [unknown, Place] = [undefined, []]
    for (let page = fit(value, most); ; page = fit(value, most, from)) {
      const size = JSON.stringify(page.value).length
      assert.ok(size <= most, `${size} > ${most}`)
      whole = joined(whole, page.value, from)
      if (!page.next) break
      assert.notDeepEqual(page.next, from, 'it does not move on')
      from = page.next
    }
    assert.deepEqual(whole, value)
  }
})

/** What was told before a place, with the page that begins there. */
function joined(told: unknown, page: unknown, [step, ...within]: Place): unknown {
  if (step === undefined || told === undefined) return page
  if (typeof told === 'string') return told.slice(0, Number(step)) + String(page)
  if (Array.isArray(told)) {
    const [first, ...rest] = page as unknown[]
    const resumed = within.length > 0 ? joined(told[Number(step)], first, within) : first
    return [...told.slice(0, Number(step)), resumed, ...rest]
  }
  const [before, now] = [told as Record<string, unknown>, page as Record<string, unknown>]
  const all = { ...before }
  let isNew = false
  for (const [key, value] of Object.entries(now)) {
    isNew ||= key === step
    if (key === step) all[key] = joined(before[key], value, within)
    else if (isNew) all[key] = value
  }
  return all
}

test('a cursor that was not ours is no place', () => {
  for (const cursor of [
    undefined,
    7,
    '',
    'abc',
    'page.',
    'page.%%%',
    `page.${'A'.repeat(30_000)}`,
    'page.e30',
  ]) {
    assert.equal(placeOf(cursor), undefined)
  }
  assert.deepEqual(placeOf(cursorOf(['results', 3], 'theirs')), { place: ['results', 3], own: 'theirs' })
})
