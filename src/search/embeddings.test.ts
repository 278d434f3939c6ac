import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddingsConfig } from '../platform/config.ts'
import { embedderOf } from './embeddings.ts'
import { type FakeEndpoint, fakeEndpoint, vectorOf } from './test-kit.ts'

let endpoint: FakeEndpoint
before(async () => {
  endpoint = await fakeEndpoint()
})
after(() => endpoint.close())
beforeEach(() => {
  endpoint.asked.length = 0
  endpoint.trouble.length = 0
  endpoint.longest = Number.POSITIVE_INFINITY
})

for (const format of ['openai', 'ollama'] as const) {
  const config = (more: Partial<EmbeddingsConfig> = {}) => ({
    url: endpoint[format],
    model: 'small',
    ...more,
  })

  test(`${format}: a vector for each text, in their order`, async () => {
    const vectors = await embedderOf(config()).embed(['first text', 'second text'])
    assert.deepEqual(vectors, [vectorOf('first text'), vectorOf('second text')])
    assert.deepEqual(endpoint.asked[0]?.body.input, ['first text', 'second text'])
    assert.equal(endpoint.asked[0]?.body.model, 'small')
    assert.equal(endpoint.asked[0]?.authorization, undefined)
  })

  test(`${format}: the key comes from the environment, and its length is asked for`, async () => {
    const embedder = embedderOf(config({ apiKeyEnv: 'SOME_KEY', dimensions: 32 }), { SOME_KEY: 'k-1' })
    const [vector] = await embedder.embed(['text'])
    assert.equal(vector?.length, 32)
    assert.equal(endpoint.asked[0]?.authorization, 'Bearer k-1')
    assert.equal(endpoint.asked[0]?.body.dimensions, 32)
    assert.equal(embedder.name, 'small (32)')
  })

  test(`${format}: secrets do not leave the machine, long texts only by their beginning`, async () => {
    const secret = `sk-proj-${'Ab1'.repeat(12)}`
    await embedderOf(config()).embed([`my key is ${secret}`, '😀'.repeat(5_000)])
    const [first, second] = endpoint.asked[0]!.body.input
    assert.match(first!, /^my key is \[redacted/)
    assert.ok(second!.length <= 2_000 && second!.isWellFormed())
  })

  test(`${format}: an overloaded endpoint is asked again`, async () => {
    endpoint.trouble.push(429, 503)
    const [vector] = await embedderOf(config()).embed(['text'])
    assert.equal(vector?.length, 64)
    assert.equal(endpoint.asked.length, 3)
  })

  test(`${format}: texts too long for the model are sent shorter, from then on`, async () => {
    endpoint.longest = 600
    const embedder = embedderOf(config())
    await embedder.embed(['word '.repeat(1_000)])
    assert.equal(endpoint.asked.at(-1)?.body.input[0]?.length, 500)
    await embedder.embed(['word '.repeat(1_000)])
    assert.equal(endpoint.asked.length, 4)
  })

  test(`${format}: what the endpoint says is told`, async () => {
    await assert.rejects(embedderOf(config({ model: 'unknown' })).embed(['text']), {
      code: 'EMBEDDINGS_FAILED',
      message: /unknown from http:\/\/127.*404: model "unknown" not found/,
    })
  })
}

test('no answer in time, nobody there, an answer that is none', async () => {
  endpoint.trouble.push('silence')
  const embedder = embedderOf({ url: endpoint.openai, model: 'small' })
  await assert.rejects(embedder.embed(['text'], { timeoutMs: 100, retries: 0 }), /no answer within 0.1 s/)
  endpoint.trouble.push(200)
  await assert.rejects(embedder.embed(['text'], { retries: 0 }), /not one vector for each text/)
  const away = embedderOf({ url: 'http://127.0.0.1:9/v1/embeddings', model: 'small' })
  await assert.rejects(away.embed(['text'], { retries: 0 }), { code: 'EMBEDDINGS_FAILED' })
})

test('an interrupted call ends at once, also while it waits', async () => {
  for (const trouble of ['silence', 503] as const) {
    endpoint.trouble.push(trouble)
    const controller = new AbortController()
    const embedding = embedderOf({ url: endpoint.openai, model: 'small' }).embed(['text'], {
      signal: controller.signal,
    })
    const interrupted = assert.rejects(embedding, { name: 'AbortError' })
    while (endpoint.asked.length === 0) await sleep(5)
    controller.abort()
    await interrupted
    assert.equal(endpoint.asked.length, 1, 'it is not asked again')
    endpoint.asked.length = 0
  }
})

test('a key that is not set is an error before anything is sent', () => {
  assert.throws(() => embedderOf({ url: endpoint.openai, model: 'm', apiKeyEnv: 'NO_SUCH' }, {}), {
    code: 'INVALID_CONFIG',
    message: /\$NO_SUCH, which is not set/,
  })
})
