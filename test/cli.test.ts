import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { machine, root } from './run-cli.ts'

/** A machine with the sample chats in its home folder. */
const alex = machine()

before(async () => {
  fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(() => {
  alex.remove()
})

async function json(args: string[], on = alex) {
  const { code, out, err } = await on.run([...args, '--json'])
  assert.equal(err, '')
  return { code, value: JSON.parse(out) }
}

test('sync tells what it read, and that nothing is new the second time', async () => {
  const fresh = machine()
  fs.cpSync(path.join(root, 'sample'), fresh.home, { recursive: true })
  const first = await fresh.run(['sync'])
  assert.match(first.out, /^\d+ new messages in 13 chats from \d+ files/)
  assert.equal(first.err, '')
  assert.match((await fresh.run(['sync'])).out, /^Up to date: \d+ files unchanged/)
  const { value } = await json(['sync'], fresh)
  assert.equal(value.added, 0)
  fresh.remove()
})

test('the sample chats are read without a problem', async () => {
  const { value } = await json(['status'])
  const counts = Object.fromEntries(
    value.sources
      .filter((each: { chats: number }) => each.chats > 0)
      .map((each: { source: string; chats: number; requests: number; problems: number }) => [
        each.source,
        [each.chats, each.problems],
      ]),
  )
  assert.deepEqual(counts, { 'claude-code': [6, 0], 'copilot-cli': [3, 0], vscode: [4, 0] })
  assert.equal(
    value.sources.reduce((sum: number, each: { requests: number }) => sum + each.requests, 0),
    38,
  )
})

const searches: [query: string, title: RegExp][] = [
  ['deadlock ShareLock stock', /Deadlock between checkout/],
  ['обрыв websocket', /nginx/],
  ['缓存击穿', /缓存击穿/],
  ['useDeferredValue', /性能/],
  ['proxy_read_timeout', /nginx/],
]
for (const [query, title] of searches) {
  test(`search finds “${query}”`, async () => {
    const { value } = await json(['search', query])
    assert.match(value.results[0].title, title)
    assert.ok(value.results[0].snippets.length > 0)
    const { out, code } = await alex.run(['search', ...query.split(' ')])
    assert.equal(code, 0)
    assert.match(out, title)
    assert.ok(!out.includes('\u001b'), 'no colour where there is no terminal')
  })
}

test('a chat found can be read by the id shown', async () => {
  const { out } = await alex.run(['search', 'ShareLock'])
  const id = /[0-9a-f]{8}\n/.exec(out)![0].trim()
  const shown = await alex.run(['show', id])
  assert.equal(shown.code, 0)
  assert.match(shown.out, /Deadlock between checkout[\s\S]*You #0[\s\S]*Assistant #1/)
  assert.match(shown.out, /resume with: claude --resume/)
  const { value } = await json(['show', id, '--from', '0', '--to', '1'])
  assert.equal(value.messages.length, 2)
  assert.equal(value.messages[0].kind, 'request')
})

test('resume prints the command, and runs it where that is asked for', async () => {
  assert.equal(
    (await alex.run(['resume', 'b6fb68b8'])).out,
    'claude --resume b6fb68b8-36d3-4357-8b35-71944dd9ba8f\n',
  )
  const bin = path.join(alex.home, 'bin')
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\necho "went on: $@"\nexit 3\n', { mode: 0o755 })
  const env = { PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const { out, code } = await alex.run(['resume', 'b6fb68b8', '--run'], { env })
  assert.equal(out, 'went on: --resume b6fb68b8-36d3-4357-8b35-71944dd9ba8f\n')
  assert.equal(code, 3)
  const { value } = await json(['list', '--source', 'vscode'])
  assert.match((await alex.run(['resume', value.chats[0].chatId])).err, /no command to resume/)
})

test('a chat whose file is gone is not offered to be resumed', async () => {
  const fresh = machine()
  fs.cpSync(path.join(root, 'sample'), fresh.home, { recursive: true })
  await fresh.run(['sync'])
  fs.rmSync(path.join(fresh.home, '.claude', 'projects'), { recursive: true })
  const { err, code } = await fresh.run(['resume', 'b6fb68b8'])
  assert.match(err, /its file is gone/)
  assert.notEqual(code, 0)
  const shown = await fresh.run(['show', 'b6fb68b8'])
  assert.equal(shown.code, 0)
  assert.doesNotMatch(shown.out, /go on with/)
  fresh.remove()
})

test('list filters by assistant, project, time and title', async () => {
  const titles = async (...args: string[]) =>
    (await json(['list', ...args])).value.chats.map((chat: { title: string }) => chat.title)
  assert.equal((await titles()).length, 12)
  assert.equal((await titles('--subagents')).length, 13)
  assert.equal((await titles('--source', 'vscode')).length, 4)
  assert.deepEqual(await titles('--title', 'RATE LIMITER'), ['Token bucket rate limiter on Redis'])
  assert.deepEqual(await titles('--since', '2026-10-01'), ['地图首页的前端性能优化'])
  assert.equal((await titles('--limit', '2', '--offset', '11')).length, 1)
  const ofShop = await titles('--workspace', '/home/alex/shop')
  assert.ok(ofShop.length > 1)
  // As a shell names it: from the folder that we are in.
  assert.deepEqual(await titles('--workspace', path.relative('', '/home/alex/shop')), ofShop)
  assert.deepEqual(await titles('--workspace', 'shop/'), ofShop)
  assert.deepEqual(await titles('--workspace', '.'), [])
})

test('secrets are redacted on the way out, unless asked for', async () => {
  const fresh = machine()
  const folder = path.join(fresh.home, '.claude', 'projects', '-p')
  fs.mkdirSync(folder, { recursive: true })
  const key = `sk-ant-${'a1B2c3D4'.repeat(5)}`
  const record = {
    type: 'user',
    uuid: 'u1',
    sessionId: 'c0ffee00-1',
    timestamp: '2026-05-05T10:00:00Z',
    cwd: '/p',
    message: { role: 'user', content: `my key is ${key} zebra` },
  }
  fs.writeFileSync(path.join(folder, 'c0ffee00-1.jsonl'), `${JSON.stringify(record)}\n`)
  await fresh.run(['sync'])
  for (const args of [
    ['search', 'zebra'],
    ['show', 'c0ffee00'],
    ['list'],
    ['search', 'zebra', '--json'],
    ['show', 'c0ffee00', '--json'],
  ]) {
    const { out } = await fresh.run(args)
    assert.ok(!out.includes(key) && out.includes('redacted'), args.join(' '))
  }
  assert.ok((await fresh.run(['show', 'c0ffee00', '--reveal'])).out.includes(key))
  fresh.remove()
})

/** A time without chats. */
const LONG_AGO = ['--since', '2020-01-01', '--until', '2020-01-02']

const mistakes: [args: string[], code: number, said: RegExp][] = [
  [['show', 'nosuchchat'], 1, /Session not found: nosuchchat[\s\S]*recollect list/],
  [['show', 'ab'], 1, /at least 4 characters/],
  [['search', '...'], 2, /nothing to search for/i],
  [['list', '--since', 'someday'], 2, /"someday" is not a date[\s\S]*2026-05-01/],
  [['list', '--since', '2026-02-31'], 2, /not a date/],
  [['list', '--limit', 'many'], 2, /--limit takes a whole number/],
  [['search', 'x', '--role', 'boss'], 2, /Unknown role "boss"[\s\S]*assistant/],
  [['sync', '--source', 'claud-code'], 2, /Unknown assistant "claud-code"\.\nDid you mean claude-code\?/],
  [['sync', '--source', 'nobody'], 2, /Unknown assistant "nobody"\.\n`recollect sources` lists them all/],
  [['forget'], 2, /Specify the chats/],
  [['forget', '--before', '2026-04-01'], 2, /for good[\s\S]*--yes/],
  [['forget', '--workspace', '', '--before', '2027-01-01', '--yes'], 2, /--workspace is empty/],
  [['import', ''], 2, /Which file\?/],
  [['backup', ''], 2, /Which folder\?/],
  [['frobnicate'], 2, /unknown command 'frobnicate'[\s\S]*--help/],
  [['search'], 2, /nothing to search for/i],
  [['search', '-deadlock'], 2, /only excludes[\s\S]*stock -deadlock/],
  [['search', '--', '-deadlock'], 2, /only excludes/],
  [['requests', 'b6fb', '--from', '99'], 2, /--from 99 is past the end: the chat has 3 requests/],
  [['show', 'b6fb', '--from', '999'], 2, /--from 999 is past the end: the chat has 13 messages/],
  [['gather', 'b6fb', '--from', '999'], 2, /--from 999 is past the end: the chat has 13 messages/],
  [['export', ...LONG_AGO], 1, /No chat is like that/],
  [['help', 'frobnicate'], 2, /unknown command 'frobnicate'/],
  [['help', 'serach'], 2, /unknown command 'serach'\nDid you mean search\?/],
  [['list', '--nonsense'], 2, /unknown option '--nonsense'\nSee `recollect list --help`/],
  [['list', '--limt', '3'], 2, /unknown option '--limt'\nDid you mean --limit\? See `recollect list --help`/],
  [['serach', 'x'], 2, /unknown command 'serach'\nDid you mean search\? See `recollect --help`/],
  [['get', 'b6fb'], 2, /unknown command 'get'\nDid you mean show\?/],
  [['gather'], 2, /missing required argument 'chats'\nSee `recollect gather --help`/],
]
for (const [args, code, said] of mistakes) {
  test(`\`${args.join(' ')}\` says what is wrong and what to do`, async () => {
    const outcome = await alex.run(args)
    assert.equal(outcome.code, code)
    assert.match(outcome.err, said)
    assert.ok(!/\n\s+at /.test(outcome.err), 'no stack trace')
  })
}

for (const command of [['list'], ['search', 'deadlock'], ['metrics'], ['evidence']])
  test(`\`${command.join(' ')}\` of a time without chats says so, and ends with 1`, async () => {
    const { code, out } = await alex.run([...command, ...LONG_AGO])
    assert.equal(code, 1)
    assert.match(out, /no chats in that time: the newest is from 2026-\d\d-\d\d\. Give another --since/)
  })

for (const command of [['list'], ['metrics'], ['evidence']])
  test(`\`${command.join(' ')}\` of a project that is not there prints what the answer notes`, async () => {
    const { out, err } = await alex.run([...command, '--workspace', 'nosuchproject'])
    assert.match(out + err, /No chat is about the project "nosuchproject"; there are/)
  })

test('`metrics --query` counts the chats that the search finds', async () => {
  const count = async (...args: string[]) =>
    (await json(['metrics', ...args])).value.totals.messages as number
  const [all, some] = [await count(), await count('--query', 'deadlock')]
  assert.ok(some > 0 && some < all, `${some} of ${all}`)
  assert.equal(await count('--query', 'zyzzyva'), 0)
})

test('errors are JSON too where JSON was asked for', async () => {
  const { code, value } = await json(['show', 'nosuchchat'])
  assert.equal(code, 1)
  assert.equal(value.error.code, 'SESSION_NOT_FOUND')
})

test('forget erases, says so, and the chat stays away', async () => {
  const fresh = machine()
  fs.cpSync(path.join(root, 'sample'), fresh.home, { recursive: true })
  await fresh.run(['sync'])
  const found = async () =>
    (await json(['search', 'ShareLock'], fresh)).value.results.filter(
      (result: { workspace: string }) => result.workspace === '/home/alex/shop',
    ).length
  assert.ok((await found()) >= 2)
  const { value } = await json(['forget', '--workspace', '/home/alex/shop', '--yes'], fresh)
  assert.ok(value.chats > 3)
  await fresh.run(['sync'])
  assert.equal(await found(), 0)
  assert.match((await fresh.run(['status'])).out, /chats forgotten/)
  assert.match((await fresh.run(['doctor'])).out, /sound and private/)
  fresh.remove()
})

test('on Windows, where nothing looks at the rights of files, doctor does not call the archive private', async () => {
  const windows = `data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`
  const env = { NODE_OPTIONS: `--import "${windows}"`, TEMP: os.tmpdir() }
  const { out } = await alex.run(['doctor'], { env })
  assert.match(out, /The archive is sound\.$/m)
})

test('doctor names the file and the place of a bad record', async () => {
  const fresh = machine()
  const folder = path.join(fresh.home, '.claude', 'projects', '-p')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'bad.jsonl'), '{"type":"user"}\n{oops\n')
  await fresh.run(['sync'])
  const { out, code } = await fresh.run(['doctor'])
  assert.equal(code, 0)
  assert.match(out, /bad\.jsonl\n\s+byte 16: not valid JSON/)
  fresh.remove()
})

test('config.json switches assistants off and adds home folders; a mistake in it is named', async () => {
  const fresh = machine()
  fs.mkdirSync(fresh.archive, { mode: 0o700 })
  const configure = (text: string) => fs.writeFileSync(path.join(fresh.archive, 'config.json'), text)
  configure(JSON.stringify({ sources: { 'claude-code': false }, homes: [path.join(root, 'sample')] }))
  assert.equal((await fresh.run(['sync'])).code, 0)
  const { value } = await json(['status'], fresh)
  const counts = value.sources.map((each: { source: string; chats: number }) => [each.source, each.chats])
  assert.deepEqual(counts, [
    ['copilot-cli', 3],
    ['vscode', 4],
  ])
  const mistakes: [text: string, said: RegExp][] = [
    ['{"sources":{"nobody":false}}', /not known: nobody[\s\S]*recollect sources/],
    ['{"sorces":{}}', /config\.json[\s\S]*sorces/],
    ['{oops', /config\.json is not valid JSON/],
  ]
  for (const [text, said] of mistakes) {
    configure(text)
    const { code, err } = await fresh.run(['sync'])
    assert.equal(code, 2)
    assert.match(err, said)
  }
  fresh.remove()
})

test('before the first sync search says what to do', async () => {
  const fresh = machine()
  const { code, err } = await fresh.run(['search', 'x'])
  assert.equal(code, 1)
  assert.match(err, /Nothing has been synced yet[\s\S]*recollect sync/)
  assert.ok(!fs.existsSync(fresh.archive), 'nothing was created')
  fresh.remove()
})

test('paths shows every place, and which are there', async () => {
  const { out } = await alex.run(['paths'])
  assert.match(out, /Archive\n[\s\S]*found +~[\\/]\.claude[\\/]projects/)
  const { value } = await json(['paths'])
  assert.ok(value.sources.length >= 15)
})

test('an empty $HOME is none: the archive is not made wherever one is', async () => {
  const { out } = await alex.run(['paths', '--json'], { env: { HOME: '', RECOLLECT_HOME: '' } })
  const { archive, sources } = JSON.parse(out)
  assert.ok(path.isAbsolute(archive), archive)
  for (const { roots } of sources) for (const each of roots) assert.ok(path.isAbsolute(each.path), each.path)
})
