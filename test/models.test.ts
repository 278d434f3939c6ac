import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { localModels } from '../src/agent/local-models.ts'
import type { Provider } from '../src/agent/providers.ts'
import { agentBench } from './agent-kit.ts'
import { type Site, site } from './http-kit.ts'
import { type LocalProgram, startLmStudio, startOllama, startPicky } from './local-programs.ts'
import { sampleMachine, until } from './mcp-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'
import { recollect } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

const KEY = 'sk-ant-zz9-typed2Q7mXw9LtB4vNcE8sY1jHf6Ua'
const NO_KEYCHAIN = { RECOLLECT_KEYCHAIN: 'off' }

describe('recollect models', () => {
  const alex = sampleMachine()
  let picky: LocalProgram
  let ollama: LocalProgram
  let studio: LocalProgram
  let env: Record<string, string>
  before(async () => {
    ;[picky, ollama, studio] = await Promise.all([startPicky(KEY), startOllama(), startLmStudio()])
    env = { ...NO_KEYCHAIN, ANTHROPIC_BASE_URL: picky.url, OLLAMA_HOST: ollama.url }
  })
  after(async () => {
    await Promise.all([picky.close(), ollama.close(), studio.close()])
    alex.remove()
  })
  const run = (args: string[], input = '') => alex.run(['models', ...args], { env, input })

  test('a wrong key is refused and not kept, a right one is kept for its owner alone', async () => {
    const wrong = await run(['set', 'anthropic', '--json'], 'sk-ant-wrong9Q7mXw2LtB4vNcE8\n')
    assert.equal(JSON.parse(wrong.out).error.code, 'WRONG_KEY')
    assert.ok(!wrong.out.includes('wrong9Q7'))
    const file = path.join(alex.archive, 'keys.json')
    assert.equal(fs.existsSync(file), false)
    const right = await run(['set', 'anthropic'], `${KEY}\n`)
    assert.equal(right.code, 0, right.err)
    assert.match(right.out, /Anthropic is set up: it has 2 models\. Its key is in .*keys\.json/)
    assert.ok(!right.out.includes(KEY) && !right.err.includes(KEY))
    if (process.platform !== 'win32') assert.equal(fs.statSync(file).mode & 0o777, 0o600)
    assert.match((await run([])).out, /● anthropic +key from the file · 2 models · claude-sonnet-5 ← answers/)
    assert.match((await run(['test'])).out, /✓ anthropic +2 models/)
    const own = await run(['set', 'mine', '--url', `${picky.url}/v1`, '--model', 'tiny'], KEY)
    assert.match(own.out, /mine is set up: it has 2 models/)
    assert.match(own.out, /recollect models use mine/)
    assert.equal((await run(['forget', 'mine'])).code, 0)
    assert.equal((await run(['forget', 'mine'])).code, 1)
    const at = 'http://someone:Kumquat77xylo@127.0.0.1:9/v1?key=Lm3provKey77zQ'
    const told = [
      await run(['set', 'mine', '--url', at, '--model', 'tiny'], KEY),
      await run(['--json']),
      await run(['test', 'mine']),
    ]
    for (const { out, err } of told) assert.doesNotMatch(out + err, /Kumquat|Lm3prov/)
    assert.match(told[1]!.out, /127\.0\.0\.1:9\/v1\?key=…/)
    assert.equal((await run(['forget', 'mine'])).code, 0)
  })

  test('Ollama and LM Studio are found by themselves, with what their models read', async () => {
    const set = await run(['set', 'lm-studio', '--url', `${studio.url}/v1`, '--json'])
    assert.equal(JSON.parse(set.out).models, 2, set.out)
    const { models, providers } = JSON.parse((await run(['--json'])).out)
    const facts = (id: string) => models.find((each: { id: string }) => each.id === id)
    assert.deepEqual(facts('qwen3:latest'), {
      id: 'qwen3:latest',
      provider: 'ollama',
      tools: true,
      context: 32_768,
      images: true,
    })
    assert.deepEqual([facts('gemma:2b').context, facts('gemma:2b').tools], [8_192, false])
    assert.deepEqual([facts('granite-4').context, facts('llava').context], [32_768, 4_096])
    assert.equal(facts('nomic-embed'), undefined)
    assert.deepEqual(
      providers
        .filter((each: { ready: boolean }) => each.ready)
        .map(({ id, key }: { id: string; key: string }) => `${id}: ${key}`),
      ['lm-studio: none needed', 'anthropic: file', 'ollama: none needed'],
    )
    assert.match((await run(['list', 'ollama'])).out, /gemma:2b +reads 8,192 tokens · no tools/)
  })

  test('use chooses who answers; what is not known is said', async () => {
    assert.match((await run(['use', 'ollama/qwen3'])).out, /From now on qwen3 of ollama answers/)
    const { agent } = JSON.parse(fs.readFileSync(path.join(alex.archive, 'config.json'), 'utf8'))
    assert.deepEqual([agent.provider, agent.model], ['ollama', 'qwen3'])
    for (const [args, code] of [
      [['use', 'nobody'], 'UNKNOWN_PROVIDER'],
      [['set', 'nobody'], 'UNKNOWN_PROVIDER'],
      [['set', 'openai'], 'NO_KEY'],
      [['dance'], 'INVALID_ARGUMENT'],
      [['set', 'ollama', '--context', 'many'], 'INVALID_ARGUMENT'],
    ] as const)
      assert.equal(JSON.parse((await run([...args, '--json'])).out).error.code, code, args.join(' '))
  })

  test('a model that is named with its provider is asked there or nowhere', async () => {
    const asked = await alex.run(['ask', '--model', 'openai/gpt-5', 'hello', '--json'], { env })
    assert.equal(JSON.parse(asked.out).error.code, 'NO_KEY')
    const answered = await alex.run(['ask', '--model', 'ollama/qwen3', 'which bird?'], { env })
    assert.equal(answered.out, 'A kingfisher.\n', answered.err)
    const chats = ollama.asked.filter(({ path: at }) => at === '/api/chat').map(({ body }) => body)
    assert.deepEqual(
      chats.map(({ options }) => (options as { num_ctx: number }).num_ctx),
      [32_768, 32_768],
    )
    const [, second] = chats
    const messages = second!.messages as { role: string; tool_name?: string; tool_calls?: unknown[] }[]
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    )
    assert.deepEqual([messages[2]!.tool_calls?.length, messages[3]!.tool_name], [1, 'search_conversations'])
    await run(['set', 'ollama', '--context', '16384'])
    await alex.run(['ask', '--model', 'ollama/gemma:2b', 'hello'], { env })
    const last = ollama.asked.findLast(({ path: at }) => at === '/api/chat')!.body
    assert.equal((last.options as { num_ctx: number }).num_ctx, 8_192, 'not more than the model can')
  })

  test('a picture goes to a model that takes it, and one that does not refuses it', async () => {
    const picture = path.join(alex.home, 'dot.png')
    fs.writeFileSync(picture, Buffer.from('iVBORw0KGgo=', 'base64'))
    const ask = async (model: string) =>
      await alex.run(['ask', '--model', model, 'which bird?', `@${picture}`, '--json'], { env })
    const refused = JSON.parse((await ask('ollama/gemma:2b')).out).error
    assert.deepEqual(
      [refused.code, refused.message],
      ['UNSUPPORTED_PARAMETER', 'gemma:2b takes no pictures.'],
    )
    assert.equal(JSON.parse((await ask('ollama/qwen3')).out).message, 'A kingfisher.')
    const { body } = ollama.asked.findLast(({ path: at }) => at === '/api/chat')!
    const messages = body.messages as { role: string; images?: string[] }[]
    assert.deepEqual(messages.find(({ role }) => role === 'user')?.images, ['iVBORw0KGgo='])
  })

  test('an older LM Studio is asked as it was then', async () => {
    const older = await startLmStudio('0.3')
    after(() => older.close())
    const found = await localModels({ program: 'lm-studio', url: `${older.url}/v1` } as Provider)
    assert.deepEqual(
      found?.map(({ id, context, loaded, images }) => [id, context, loaded, images]),
      [
        ['granite-4', 131_072, undefined, false],
        ['llava', 32_768, 4_096, true],
      ],
    )
  })

  test('LM Studio loads a model with as much as is wanted', async () => {
    const { out, err } = await alex.run(['ask', '--provider', 'lm-studio', '--model', 'granite-4', 'hello'], {
      env,
    })
    assert.equal(out, 'From LM Studio.\n', err)
    const loads = studio.asked.filter(({ path: at }) => at === '/api/v1/models/load')
    assert.deepEqual(
      loads.map(({ body }) => body),
      [{ model: 'granite-4', context_length: 32_768 }],
    )
  })

  test('a key is typed without being seen', { skip: noTerminal() }, async () => {
    const terminal = new Terminal([process.execPath, recollect, 'models', 'set', 'anthropic'], {
      cwd: alex.home,
      folder: alex.home,
      env: { HOME: alex.home, RECOLLECT_HOME: path.join(alex.home, 'other'), ...env },
    })
    try {
      await terminal.shows(/Key for Anthropic \(not shown\):/)
      terminal.type(`${KEY}x\u007f\r`)
      assert.equal(await terminal.ended(), 0)
      assert.match(terminal.text(), /Anthropic is set up/)
      assert.ok(!terminal.written.includes(KEY.slice(0, 12)))
    } finally {
      terminal.close()
    }
  })

  test('nothing of a key is in any file but the one for keys', async () => {
    const holders: string[] = []
    for (const folder of [alex.archive, alex.home])
      for (const name of fs.readdirSync(folder, { recursive: true }) as string[]) {
        const file = path.join(folder, name)
        if (fs.statSync(file).isFile() && fs.readFileSync(file).includes('typed2Q7mXw9')) holders.push(name)
      }
    assert.deepEqual(holders, ['keys.json', path.join('other', 'keys.json')])
  })
})

describe('on the page', () => {
  const alex = sampleMachine()
  let model: ScriptedModel
  let served: Site
  before(async () => {
    model = await startScriptedModel([{ when: 'hello', turns: [{ text: 'Hello from Claude.' }] }])
    served = await site(alex, {
      env: { ...NO_KEYCHAIN, ANTHROPIC_BASE_URL: model.url, OLLAMA_HOST: '127.0.0.1:9' },
    })
  })
  after(async () => {
    await served.close()
    await model.close()
    alex.remove()
  })

  test('citations in any text are looked up', async () => {
    await until(
      'the sample is read',
      async () => (await served.ask('/api/v1/list_chats')).json.chats?.length > 5,
    )
    const [{ chatId }] = (await served.ask('/api/v1/list_chats')).json.chats
    const text = `so it was (context://sessions/${chatId}#m0), context://sessions/nobody-0000#m1`
    const { citations } = (await served.ask('/api/v1/citations', { method: 'POST', body: { text } })).json
    assert.deepEqual(
      citations.map((each: { verified: boolean }) => each.verified),
      [true, false],
    )
  })

  test('a provider is set up, answers without a restart, and is forgotten', async () => {
    const before = await served.ask('/api/v1/chat', { method: 'POST', body: { message: 'hello' } })
    assert.equal(before.json.error.code, 'NO_PROVIDER')
    const at = '/api/v2/providers/anthropic'
    const put = { method: 'PUT', body: { key: KEY, model: 'claude-opus-5' } }
    assert.equal((await served.ask(at, { ...put, as: 'program' })).status, 403)
    const set = await served.ask(at, put)
    assert.equal(set.status, 200, set.text)
    assert.deepEqual([set.json.key, set.json.default, set.json.model], ['file', true, 'claude-opus-5'])
    const answered = await served.ask('/api/v1/chat', { method: 'POST', body: { message: 'hello' } })
    assert.deepEqual([answered.json.message, answered.json.model], ['Hello from Claude.', 'claude-opus-5'])
    assert.equal(model.requests.at(-1)!.headers['x-api-key'], KEY)
    const { providers } = (await served.ask('/api/v2/providers')).json
    assert.equal(providers[0].key, 'file')
    for (const text of [set.text, answered.text, JSON.stringify(providers), served.err()])
      assert.ok(!text.includes(KEY))
    assert.deepEqual((await served.ask(`${at}/test`, { method: 'POST' })).json, { models: 0 })
    assert.deepEqual((await served.ask(`${at}/key`, { method: 'DELETE' })).json, { removed: true })
    assert.equal((await served.ask(`${at}/test`, { method: 'POST' })).json.error.code, 'NO_KEY')
    const after = await served.ask('/api/v1/chat', { method: 'POST', body: { message: 'hello' } })
    assert.equal(after.json.error.code, 'NO_KEY')
  })

  const SETTINGS = '/api/v2/model-settings'
  const put = async (at: string, body: unknown) => await served.ask(at, { method: 'PUT', body })
  const provider = async (id: string) =>
    (await served.ask('/api/v2/providers')).json.providers.find((each: { id: string }) => each.id === id)

  test('who answers and what may be spent is chosen by the owner alone', async () => {
    for (const [at, method] of [
      [SETTINGS, 'GET'],
      [SETTINGS, 'PUT'],
      ['/api/v2/providers/ollama', 'DELETE'],
      ['/api/v2/providers/ollama/test', 'POST'],
    ] as const)
      assert.equal(
        (await served.ask(at, { method, ...(method === 'PUT' && { body: {} }), as: 'program' })).status,
        403,
        at,
      )
    const before = (await served.ask(SETTINGS)).json
    assert.deepEqual(before.keys, { keychain: false, place: path.join(alex.archive, 'keys.json') })
    assert.deepEqual([before.provider, before.budget], ['anthropic', undefined])
    assert.equal(before.spent[0].provider, 'anthropic')
    const budget = { run: { tokens: 100_000 }, day: { cost: 5 }, providers: { openai: { cost: 2 } } }
    assert.deepEqual((await put(SETTINGS, { use: 'ollama/qwen3', budget })).json, {
      ...before,
      provider: 'ollama',
      model: 'qwen3',
      budget,
    })
    assert.deepEqual((await served.ask('/api/v2/spending')).json.budget, budget)
    assert.equal((await put(SETTINGS, { budget: { day: { cost: -1 } } })).status, 400)
    assert.equal((await put(SETTINGS, { use: 'nobody' })).json.error.code, 'UNKNOWN_PROVIDER')
    assert.deepEqual((await put(SETTINGS, { budget: null })).json, {
      ...before,
      provider: 'ollama',
      model: 'qwen3',
    })
  })

  test('how much a model reads is set and taken back, and a provider of one’s own comes and goes', async () => {
    assert.equal((await put('/api/v2/providers/ollama', { context: 16_384 })).status, 200)
    assert.equal((await provider('ollama')).context, 16_384)
    assert.equal((await put('/api/v2/providers/ollama', { context: null })).status, 200)
    assert.equal((await provider('ollama')).context, undefined)
    const own = await put('/api/v2/providers/gpu', { url: `${model.url}/v1`, model: 'tiny', key: KEY })
    assert.deepEqual([own.json.key, own.json.default], ['file', false], own.text)
    assert.equal((await provider('gpu')).own, true)
    const gone = await served.ask('/api/v2/providers/gpu', { method: 'DELETE' })
    assert.deepEqual(gone.json, { removed: true })
    assert.equal(await provider('gpu'), undefined)
    assert.ok(!fs.readFileSync(path.join(alex.archive, 'keys.json'), 'utf8').includes(KEY))
    const chosen = await served.ask('/api/v2/providers/ollama', { method: 'DELETE' })
    assert.deepEqual(chosen.json, { removed: true })
    assert.equal((await served.ask(SETTINGS)).json.provider, undefined)
  })
})

test('settings that change hold for the next run', async () => {
  const bench = await agentBench({ scripts: [{ when: 'hello', turns: [{ text: 'Hi.' }] }] })
  after(() => bench.close())
  assert.equal((await bench.run('hello')).model, 'claude-sonnet-5')
  const file = path.join(bench.folder, 'config.json')
  const config = JSON.parse(fs.readFileSync(file, 'utf8'))
  config.agent.model = 'claude-haiku-5'
  config.agent.instructions = 'Speak like a sailor.'
  fs.writeFileSync(file, JSON.stringify(config))
  assert.equal((await bench.run('hello')).model, 'claude-haiku-5')
  const { said } = bench.model.requests.at(-1)!
  assert.ok(said.some(({ by, text }) => by === 'system' && text.includes('sailor')))
})
