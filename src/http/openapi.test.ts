import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capabilities } from '../capabilities/index.ts'
import { object, objects } from '../sources/json.ts'
import type { Backends } from './backend.ts'
import { allRoutes } from './routes.ts'

test('every event of every stream has a type', async () => {
  const routes = allRoutes(capabilities, '/nowhere')
  const own = routes.find(({ path }) => path === '/openapi.json')
  const paths = object(
    object(
      await own?.run({
        request: new Request('http://127.0.0.1/openapi.json'),
        params: {},
        isStillIn: () => true,
        entry: { owner: true, client: 'test' },
        backends: { current() {} } as unknown as Backends,
      }),
    )?.paths,
  )
  const streams = routes.filter(({ type, events }) => type === 'text/event-stream' || events)
  assert.ok(streams.length >= 8, `${streams.length}`)
  for (const { method, path, events } of streams) {
    const answers = object(object(object(object(paths)?.[path])?.[method])?.responses)
    const content = object(object(object(answers?.['200'])?.content)?.['text/event-stream'])
    const told = objects(object(content?.schema)?.oneOf)
    assert.deepEqual(
      told.map(({ title }) => title),
      Object.keys(events ?? {}),
      path,
    )
    for (const { title, properties } of told) {
      const data = object(object(properties)?.data)
      assert.ok(data?.properties || data?.anyOf || data?.oneOf, `${path}: ${title}`)
    }
  }
})
