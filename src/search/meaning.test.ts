import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { embedMessages } from './embed.ts'
import { embedderOf } from './embeddings.ts'
import { type SearchInput, searchConversations } from './search.ts'
import { type FakeEndpoint, fakeEndpoint, type MadeChat, tell } from './test-kit.ts'

const root = path.join(import.meta.dirname, '..', '..')
const folders: string[] = []
let endpoint: FakeEndpoint

const CHATS: MadeChat[] = [
  {
    id: 'shop',
    workspace: '/home/me/shop',
    daysAgo: 3,
    title: 'First',
    messages: [
      { text: 'The purchase service stalls: Postgres reports a deadlock' },
      { text: 'Sort rows before updating.', role: 'assistant', kind: 'answer' },
    ],
  },
  {
    id: 'worker',
    source: 'codex',
    workspace: '/home/me/worker',
    daysAgo: 40,
    title: 'Second',
    messages: [{ text: 'The checkout worker hangs, the database is fine' }],
  },
  {
    id: 'money',
    daysAgo: 10,
    title: 'Third',
    messages: [{ text: 'Print the invoices as PDF' }, { text: 'Done.', role: 'assistant', kind: 'answer' }],
  },
  ...Array.from({ length: 30 }, (_, i) => ({
    id: `other-${i}`,
    title: 'Other',
    daysAgo: 5 + i,
    messages: [{ text: `Unrelated matter number${'abcdefghijklmnopqrstuvwxyzäöüß'[i]}${'x'.repeat(i + 1)}` }],
  })),
]
/** No word of it stands in the chats. */
const PARAPHRASE = 'orders stuck freeze persistence'

before(async () => {
  endpoint = await fakeEndpoint()
})
after(async () => {
  await endpoint.close()
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  endpoint.asked.length = 0
  endpoint.trouble.length = 0
})

async function filled(format: 'openai' | 'ollama' | 'off' = 'openai') {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-meaning-'))
  folders.push(folder)
  const archive = openSqliteArchive(folder)
  await tell(archive, CHATS)
  const config = { url: format === 'off' ? endpoint.openai : endpoint[format], model: 'small' }
  const configure = (embeddings: unknown) =>
    fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ embeddings }))
  if (format !== 'off') {
    configure(config)
    await embedMessages(archive, embedderOf(config))
  }
  return { archive, folder, configure, config }
}

const ids = async (archive: Archive, query: string, more: Partial<SearchInput> = {}) =>
  (await searchConversations(archive, { query, ...more })).results.map(({ chatId }) => chatId)

/** Without vectors to compare with, only words of a like meaning are left to try, and the answer says so. */
async function isByWordsAlone(archive: Archive): Promise<void> {
  const { notes, confidence } = await searchConversations(archive, { query: PARAPHRASE })
  assert.match(notes?.[0] ?? '', /^None of these words was found/)
  assert.ok(confidence <= 0.1)
}

for (const format of ['openai', 'ollama'] as const) {
  test(`${format}: what is said in other words is found by its meaning, and only by that`, async () => {
    const { archive, configure } = await filled(format)
    const answer = await searchConversations(archive, { query: PARAPHRASE })
    assert.deepEqual(answer.results.map(({ chatId }) => chatId).sort(), ['shop', 'worker'])
    assert.equal(answer.totalFound, 2)
    assert.ok(answer.confidence <= 0.3)
    assert.match(answer.results[0]!.snippets[0]!.text, /service|worker/)
    assert.equal(answer.notes, undefined)
    configure(undefined)
    await isByWordsAlone(archive)
    await archive.close()
  })
}

test('words come before meaning, and meaning adds to them', async () => {
  const { archive } = await filled()
  assert.equal((await ids(archive, 'print invoices for the purchase db'))[0], 'money')
  assert.deepEqual((await ids(archive, 'rows stuck persistence freeze')).slice(0, 2), ['shop', 'worker'])
  await archive.close()
})

const NARROWED: [what: string, more: Partial<SearchInput>, found: string[]][] = [
  ['source', { source: 'codex' }, ['worker']],
  ['workspace', { workspace: '/home/me/shop' }, ['shop']],
  ['role', { role_filter: ['assistant'] }, []],
  ['time', { time_window: '7d' }, ['shop']],
  ['excluded words', { exclude_terms: ['postgres'] }, ['worker']],
  ['titles only', { scope: 'title' }, []],
  ['all words', { match: 'all' }, []],
]
test('filters hold for what is found by meaning', async () => {
  const { archive } = await filled()
  for (const [what, more, found] of NARROWED) {
    const others = (await ids(archive, PARAPHRASE, more)).filter((id) => !id.startsWith('other'))
    assert.deepEqual(others, found, what)
  }
  await archive.close()
})

test('quoted words are not sent, what is excluded neither', async () => {
  const { archive } = await filled()
  endpoint.asked.length = 0
  assert.deepEqual(await ids(archive, '"stuck persistence"'), [])
  assert.equal(endpoint.asked.length, 0)
  await ids(archive, 'stuck -secretproject')
  assert.deepEqual(
    endpoint.asked.map(({ body }) => body.input),
    [['stuck']],
  )
  await archive.close()
})

test('an endpoint that is down, slow or refuses leaves the answer of the words, and a note', async () => {
  const { archive, configure, config } = await filled()
  const plain = await filled('off')
  const expected = await searchConversations(plain.archive, { query: 'invoices' })
  const troubles: [() => void, RegExp][] = [
    [() => endpoint.trouble.push(503), /503/],
    [() => endpoint.trouble.push('silence'), /no answer within 1.5 s/],
    [() => configure({ ...config, url: 'http://127.0.0.1:9/v1/embeddings' }), /127\.0\.0\.1:9/],
    [() => configure({ ...config, apiKeyEnv: 'NO_SUCH_KEY' }), /NO_SUCH_KEY/],
    [() => configure({ url: 'nonsense' }), /config\.json/],
  ]
  for (const [begin, told] of troubles) {
    begin()
    const { notes, ...answer } = await searchConversations(archive, { query: 'invoices' })
    assert.match(notes!.join(), told)
    assert.match(notes!.join(), /^Searched by words only\./)
    assert.deepEqual(answer, { ...expected, results: answer.results })
    assert.deepEqual(
      answer.results.map(({ chatId, relevance }) => [chatId, relevance]),
      expected.results.map(({ chatId, relevance }) => [chatId, relevance]),
    )
  }
  const { text } = await searchConversations(archive, { query: 'invoices', response_mode: 'text' })
  assert.match(text!, /Searched by words only/)
  await archive.close()
  await plain.archive.close()
})

test('property: with the leg off, or vectors of another model, every answer is as without it', async () => {
  const plain = await filled('off')
  const off = await filled()
  const other = await filled()
  off.configure(undefined)
  other.configure({ ...other.config, model: 'another' })
  const queries = ['purchase service', 'invoices', 'unrelated matter', 'hangs database', 'nothing here']
  const strip = (value: unknown) => JSON.stringify(value).replace(/"[a-zA-Z]*(At|from|to)":\d+/g, '')
  for (const query of queries)
    for (const more of [{}, { precision_mode: 'fuzzy' }, { expand: 'auto' }, { match: 'all' }] as const) {
      const expected = strip(await searchConversations(plain.archive, { query, ...more }))
      endpoint.asked.length = 0
      assert.equal(strip(await searchConversations(off.archive, { query, ...more })), expected)
      assert.equal(endpoint.asked.length, 0)
      assert.equal(strip(await searchConversations(other.archive, { query, ...more })), expected)
    }
  for (const { archive } of [plain, off, other]) await archive.close()
})

test('without vectors the configuration is not even read', async () => {
  const { archive, folder } = await filled('off')
  fs.writeFileSync(path.join(folder, 'config.json'), 'not JSON')
  assert.equal((await searchConversations(archive, { query: 'invoices' })).notes, undefined)
  await archive.close()
})

test('only what is new or changed is embedded again, the newest first', async () => {
  const { archive, config } = await filled()
  assert.deepEqual(
    endpoint.asked.map(({ body }) => body.input.length),
    [35],
  )
  assert.match(endpoint.asked[0]!.body.input[0]!, /Sort rows/)
  endpoint.asked.length = 0
  assert.equal((await embedMessages(archive, embedderOf(config))).embedded, 0)
  assert.equal(endpoint.asked.length, 0)
  const changed = { ...CHATS[2]!, messages: [{ text: 'The database freezes' }] }
  await tell(archive, [changed], 2)
  assert.ok(!(await ids(archive, 'billing', { source: 'claude-code' })).includes('money'))
  await embedMessages(archive, embedderOf(config))
  assert.deepEqual(
    endpoint.asked.at(-1)?.body.input.filter((text) => text !== 'billing'),
    ['The database freezes'],
  )
  assert.ok((await ids(archive, PARAPHRASE)).includes('money'))
  await archive.close()
})

test('tools, injected text and copies are not embedded', async () => {
  const { archive, config } = await filled()
  endpoint.asked.length = 0
  await tell(archive, [
    {
      id: 'tools',
      messages: [
        { text: 'ls output', role: 'tool', kind: 'tool' },
        { text: 'injected context', kind: 'injected' },
        { text: 'A summary of it', role: 'system', kind: 'summary' },
        { text: '', role: 'assistant', kind: 'answer' },
      ],
    },
  ])
  await embedMessages(archive, embedderOf(config))
  assert.deepEqual(
    endpoint.asked.map(({ body }) => body.input),
    [['A summary of it']],
  )
  await archive.close()
})

test('another model: its vectors replace those of the one before', async () => {
  const { archive, configure, config } = await filled()
  const next = { ...config, model: 'large', dimensions: 32 }
  configure(next)
  await isByWordsAlone(archive)
  const { embedded } = await embedMessages(archive, embedderOf(next))
  assert.equal(embedded, 35)
  assert.equal((await ids(archive, PARAPHRASE)).length, 2)
  assert.equal(await archive.eraseVectors(), 35)
  await isByWordsAlone(archive)
  await archive.close()
})

test('forget leaves no byte of a vector, also of one that was under way', async () => {
  const { archive, folder, config } = await filled('off')
  const wanted: Buffer[] = []
  const embedder = embedderOf(config)
  await embedMessages(archive, embedder)
  const bytes = () => fs.readFileSync(path.join(folder, 'archive.db'))
  const shop = await archive.resolveChat('shop')
  for (const { text } of await archive.messages(shop)) {
    const [vector] = await embedder.embed([text])
    const largest = Math.max(...vector!.map(Math.abs))
    wanted.push(Buffer.from(vector!.map((each) => Math.round((each / largest) * 127))))
  }
  const texts = await archive.textsOf((await archive.messages(shop)).map(({ key }) => key))
  const other = openSqliteArchive(folder)
  await other.forget([])
  assert.ok(wanted.every((vector) => bytes().includes(vector)))
  await other.forget([shop])
  await archive.saveVectors(
    embedder.name,
    texts.map((of) => ({ of, vector: [1, 2, 3] })),
  )
  assert.ok(wanted.every((vector) => !bytes().includes(vector)))
  const [kept] = await embedder.embed(['Print the invoices as PDF'])
  const largest = Math.max(...kept!.map(Math.abs))
  const remaining = Buffer.from(kept!.map((each) => Math.round((each / largest) * 127)))
  assert.ok(bytes().includes(remaining))
  assert.equal(await archive.eraseVectors(), 33)
  assert.ok(!bytes().includes(remaining))
  await other.close()
  await archive.close()
})

test('an interrupted run keeps what it has, and the next goes on', async () => {
  const { archive, config } = await filled('off')
  await tell(
    archive,
    Array.from({ length: 100 }, (_, i) => ({ id: `more-${i}`, messages: [{ text: `more text ${i}` }] })),
  )
  const controller = new AbortController()
  endpoint.asked.length = 0
  const first = await embedMessages(archive, embedderOf(config), {
    signal: controller.signal,
    onProgress: ({ done }) => done >= 64 && controller.abort(),
  })
  assert.deepEqual(first, { embedded: 64, left: 71, interrupted: true })
  const second = await embedMessages(archive, embedderOf(config))
  assert.deepEqual(second, { embedded: 71, left: 0, interrupted: false })
  assert.equal(endpoint.asked.flatMap(({ body }) => body.input).length, 135)
  await archive.close()
})

test('the command: embeds, is up to date, ends on Ctrl-C with what it has, and explains a bad configuration', async () => {
  const { archive, folder, configure, config } = await filled('off')
  await archive.close()
  const run = async (options: object, onStarted?: (kill: () => void) => void) => {
    const script = `import { fail } from './src/cli/errors.ts'; import { embed } from './src/cli/commands/embed.ts'
      await embed(${JSON.stringify(options)}).catch((error) => fail(error))`
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
      {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: folder, RECOLLECT_HOME: folder },
      },
    )
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (out += data))
    onStarted?.(() => child.kill('SIGINT'))
    const code = await new Promise((resolve) => child.on('close', resolve))
    return { code, out }
  }
  const none = await run({})
  assert.equal(none.code, 2)
  assert.match(none.out, /No embeddings endpoint is set in .*config\.json/)
  configure({ url: 'http://127.0.0.1/api/embeddings', model: 'small', key: 'x' })
  const bad = await run({})
  assert.equal(bad.code, 2)
  assert.match(bad.out, /must end in \/api\/embed/)
  assert.match(bad.out, /key/)
  configure(config)
  endpoint.trouble.push('silence')
  const asked = endpoint.asked.length
  const stopped = await run({}, (kill) => {
    const timer = setInterval(() => {
      if (endpoint.asked.length === asked) return
      clearInterval(timer)
      kill()
    }, 20)
  })
  assert.equal(stopped.code, 130)
  assert.match(stopped.out, /Stopped\. 0 messages embedded, 35 to go/)
  assert.deepEqual(JSON.parse((await run({ json: true })).out), {
    model: 'small',
    embedded: 35,
    left: 0,
    interrupted: false,
  })
  assert.match((await run({})).out, /Up to date/)
  assert.match((await run({ erase: true })).out, /Erased the vectors of 35 messages/)
})
