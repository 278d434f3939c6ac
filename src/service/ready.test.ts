import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { capabilities } from '../capabilities/index.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import { makeReady } from './ready.ts'
import type { Service } from './service.ts'

/** The archive, and how often it was searched. */
function counted({ archive, machine, sources }: Bench, instead: Partial<Archive> = {}) {
  let searches = 0
  const service: Service = {
    archive: {
      ...archive,
      searching: (work) => {
        searches++
        return archive.searching(work)
      },
      ...instead,
    },
    env: {},
    readable: async () => ({ machine, sources }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
  }
  return { service, searches: () => searches }
}

test('what a search needs is made ready where nobody asks, and nothing is waited for or sent', async () => {
  const at = bench()
  try {
    const empty = counted(at)
    await makeReady(empty.service, () => false)
    assert.equal(empty.searches(), 0)
    await at.write({ id: 'chat-one' }, [say(0, 'an error in the test of the pool'), say(1, 'fixed')])
    const ready = counted(at)
    await makeReady(ready.service, () => false)
    assert.equal(ready.searches(), 2)
    const asked = counted(at)
    await makeReady(asked.service, () => true)
    assert.equal(asked.searches(), 0)
    // Another server is not asked what our query means.
    const elsewhere = counted(at, {
      embeddings: async () => ({ url: 'http://127.0.0.1:1', model: 'any' }) as never,
    })
    await makeReady(elsewhere.service, () => false)
    assert.equal(elsewhere.searches(), 1)
    const damaged = counted(at, {
      searching: async () => {
        throw new Error('damaged')
      },
    })
    await makeReady(damaged.service, () => false)
  } finally {
    await at.close()
  }
})
