import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Site, site } from './http-kit.ts'
import { sampleMachine, until } from './mcp-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'

/** Each wire format with a key of its own, of a shape that no rule of redaction knows. */
const PROVIDERS = {
  anthropic: { key: 'zq7anthropicMiddle4Ua9', body: {} },
  openai: { key: 'zq7responsesMiddle4Ua9', body: {} },
  older: { key: 'zq7chatMiddle4Ua9xWq', body: { kind: 'openai', model: 'gpt-4.1' } },
  gemini: { key: 'zq7geminiMiddle4Ua9', body: {} },
  local: { key: 'zq7localMiddle4Ua9xW', body: { model: 'tiny' } },
} as const
const SIGN = /zq7\w*Middle/

const alex = sampleMachine()
const answers: string[] = []
let model: ScriptedModel
let served: Site
before(async () => {
  const says = Object.entries(PROVIDERS).map(([id, { key }]) => ({
    when: `refuse ${id}`,
    turns: [{ fault: { status: 400, message: `the key ${key} may not do that` } }],
  }))
  model = await startScriptedModel([
    ...says,
    { when: 'look', turns: [{ calls: [{ tool: 'list_chats', args: { limit: 1 } }] }, { text: 'Looked.' }] },
  ])
  served = await site(alex, {
    env: {
      RECOLLECT_KEYCHAIN: 'off',
      LOG_LEVEL: 'debug',
      ANTHROPIC_BASE_URL: model.url,
      OPENAI_BASE_URL: `${model.url}/v1`,
      GEMINI_BASE_URL: model.url,
      OLLAMA_HOST: '127.0.0.1:9',
    },
  })
})
after(async () => {
  await served?.close()
  await model?.close()
  alex.remove()
})

const ask: Site['ask'] = async (at, asked) => {
  const answer = await served.ask(at, asked)
  answers.push(JSON.stringify(answer.headers), answer.text)
  return answer
}

for (const [id, { key, body }] of Object.entries(PROVIDERS))
  test(`${id}: its key reaches the provider in a header, and nobody else`, async () => {
    const own = 'model' in body ? { ...body, url: `${model.url}/v1` } : body
    const set = await ask(`/api/v2/providers/${id}`, { method: 'PUT', body: { key, ...own } })
    assert.equal(set.json.key, 'file', set.text)
    for (const at of ['/api/v1/chat', '/v1/chat/completions', '/v1/responses']) {
      const named =
        { anthropic: 'claude-sonnet-5', gemini: 'gemini-3.7-flash', local: 'tiny' }[id] ?? 'gpt-4.1'
      const question = (text: string) =>
        at === '/api/v1/chat'
          ? { message: text, provider: id, model: named }
          : at === '/v1/responses'
            ? { model: `${id}/${named}`, input: text }
            : { model: `${id}/${named}`, messages: [{ role: 'user', content: text }] }
      assert.equal((await ask(at, { body: question('look'), as: 'program' })).status, 200)
      const refused = await ask(at, { body: question(`refuse ${id}`), as: 'program' })
      assert.ok(refused.status >= 400 && /may not do that/.test(refused.text), refused.text)
    }
    const { headers, path: asked } = model.requests.at(-1)!
    assert.ok(Object.values(headers).some((value) => String(value).includes(key)))
    assert.ok(!asked.includes(key))
  })

test('nothing of a key is in any file, answer or log', async () => {
  for (const at of [
    '/api/v2/providers',
    '/api/v2/models',
    '/api/v2/model-settings',
    '/api/v1/settings',
    '/openapi.json',
  ])
    assert.equal((await ask(at)).status, 200, at)
  const { sessions } = (await ask('/api/v1/sessions?limit=200')).json
  for (const { id } of sessions) await ask(`/api/v1/sessions/${id}`)
  const events = await served.events(`/api/v1/sessions/${sessions[0].id}/events`)
  await until('all is told', events.ended)
  answers.push(JSON.stringify(events.all))
  await until('all is archived', async () => {
    const { json } = await ask(`/api/v1/chats/recollect-agent:${sessions[0].id}`)
    return json.chat !== undefined
  })
  assert.deepEqual(
    answers.filter((text) => SIGN.test(text)),
    [],
  )
  assert.ok(!SIGN.test(served.err()))
  const holders = [alex.home, alex.archive].flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => SIGN.test(fs.readFileSync(file, 'latin1'))),
  )
  assert.deepEqual(holders, [path.join(alex.archive, 'keys.json')])
})
