import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../mutations.ts'
import { lastLeaf, newest, placed, type Twig } from './tree.ts'

test('a parent stands before its children, whatever the tree', () => {
  const random = randomFrom(5)
  const below = (limit: number) => Math.floor(random() * limit)
  for (let round = 0; round < 500; round++) {
    const twigs: Twig[] = Array.from({ length: below(12) }, (_, index) => ({
      id: `t${index}`,
      ...(below(5) > 0 && { parent: `t${below(14)}` }),
      ...(below(3) > 0 && { at: 1_700_000_000_000 + below(6) }),
    }))
    const leaf = below(2) === 0 ? newest(twigs) : lastLeaf(twigs)
    const result = placed(twigs, leaf)
    assert.equal(result.length, twigs.length)
    const places = new Map(result.map(({ twig, order }) => [twig.id, order]))
    const isAbove = (id: string, of: Twig): boolean => {
      const seen = new Set<string>()
      for (
        let at: string | undefined = of.parent;
        at !== undefined && !seen.has(at);
        seen.add(at), at = byId(at)?.parent
      )
        if (at === id) return true
      return false
    }
    const byId = (id: string) => twigs.find((twig) => twig.id === id)
    for (const twig of twigs) {
      const parent = byId(twig.parent ?? '')
      if (parent && !isAbove(twig.id, twig))
        assert.ok(places.get(parent.id)! < places.get(twig.id)! || isAbove(parent.id, parent))
    }
  }
})

test('without times, a branch is told to its end before the next', () => {
  const twigs = [
    { id: 'q' },
    { id: 'a', parent: 'q' },
    { id: 'b', parent: 'q' },
    { id: 'a2', parent: 'a' },
    { id: 'b2', parent: 'b' },
  ]
  const result = placed(twigs, lastLeaf(twigs))
  assert.deepEqual(
    result.map(({ twig, active }) => twig.id + (active ? '' : '~')),
    ['q', 'a~', 'a2~', 'b', 'b2'],
  )
})

test('a very deep tree', () => {
  const twigs = Array.from({ length: 50_000 }, (_, index) => ({
    id: String(index),
    ...(index > 0 && { parent: String(index - 1) }),
  }))
  assert.equal(placed(twigs, newest(twigs)).filter(({ active }) => active).length, 50_000)
})
