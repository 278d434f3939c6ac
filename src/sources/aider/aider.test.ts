import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations, randomFrom } from '../mutations.ts'
import { type Unit, withReader } from '../source.ts'
import { gather, machineAt, type Reading, readGrowing, readMachine } from '../test-kit.ts'
import { aider as described } from './index.ts'

const aider = await withReader(described)

const FIXTURES = path.join(import.meta.dirname, 'fixtures')
const PUBLIC = path.join(
  import.meta.dirname,
  '../../../../shared/samples/public/aider/.aider.chat.history.md',
)
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'aider-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const machine = machineAt(home)

const project = path.join(home, 'code', 'me', 'proj')
const unit: Unit = { path: path.join(project, '.aider.chat.history.md'), growth: 'append' }
const history = fs.readFileSync(path.join(FIXTURES, 'history.md'))
fs.mkdirSync(project, { recursive: true })
fs.writeFileSync(unit.path, history)

/** As the runs' headers say; never the time of the file. */
const FIRST = new Date(2026, 5, 9, 14, 1).getTime()
const SECOND = new Date(2026, 5, 9, 15, 30).getTime()

test('each run is a chat; headings and quotations in answers are not taken for requests', () => {
  const reading = readMachine(aider, machine)
  assert.deepEqual(
    reading.chats.map(({ createdAt, updatedAt, workspace, resume, format }) => [
      createdAt,
      updatedAt,
      workspace,
      resume,
      format,
    ]),
    [
      [FIRST, FIRST, project, undefined, '0.86.1'],
      [SECOND, SECOND, project, undefined, '0.37.1'],
      [SECOND, SECOND, project, undefined, '0.37.1'],
    ],
  )
  const [first, second, third] = reading.chats.map(({ id }) => reading.messages[id]!)
  assert.deepEqual(
    first!.map(({ kind, text }) => [kind, text.split('\n')[0]]),
    [
      ['command', '/add hook.py'],
      ['notice', 'Added hook.py to the chat'],
      ['request', 'Add a retry:'],
      ['answer', "I'll add a retry to the webhook."],
      ['notice', 'Applied edit to hook.py'],
      ['request', 'why three?'],
      ['answer', 'Because it is enough.'],
    ],
  )
  const [, , request, answer, notice, asked] = first!
  assert.deepEqual([request!.via, asked!.via], [undefined, '/ask'])
  assert.equal(request!.text, 'Add a retry:\n  three times\n\nthen give up')
  for (const part of ['#### Step 1', '> This is a quotation', '> pass\n', '>>>>>>> REPLACE\n```']) {
    assert.ok(answer!.text.includes(part), part)
  }
  assert.equal(answer!.model, 'sonnet-4.6')
  assert.deepEqual(answer!.usage, {
    input: 1200,
    output: 34,
    cached: 5000,
    cacheWrite: undefined,
    cost: 0.01,
  })
  assert.deepEqual(answer!.files, [{ path: 'hook.py', action: 'edit' }])
  assert.equal(notice!.text, 'Applied edit to hook.py\nCommit 1234567 feat: add a retry')

  assert.deepEqual(requestsOf(second!), ['make the timeout configurable'])
  assert.deepEqual(second![1]!.usage, { input: 33773, output: 80, cost: 0.170065 })
  assert.deepEqual(second![1]!.files, [{ path: 'conf.py', action: 'create' }])
  assert.equal(second![1]!.model, 'gpt-4o')
  assert.deepEqual(requestsOf(third!), ['same second'])
})

test('a history whose line ends were trimmed gives the same requests', () => {
  const file = path.join(home, 'trimmed.md')
  fs.copyFileSync(path.join(FIXTURES, 'trimmed.md'), file)
  const reading = gather(aider.read({ path: file, growth: 'append' }, undefined, machine))
  assert.deepEqual(allRequests(reading), [
    'Add a retry:\n  three times\n\nthen give up',
    'why three?',
    'make the timeout configurable',
    'same second',
  ])
})

test('a question that Aider answered itself is no request, one about it is', () => {
  const file = path.join(home, 'asked.md')
  const said = [
    'Add conf.py to the chat? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: all',
    'stop asking "(Y)es/(N)o" for each file',
    "why does it say\nAdd conf.py? (Y)es/(N)o/(D)on't ask again [Yes]: n",
  ]
  const turns = said.map((text) => `\n#### ${text.replaceAll('\n', '  \n#### ')}  \n\nDone.\n`)
  fs.writeFileSync(file, `\n# aider chat started at 2026-06-09 14:01:00\n${turns.join('')}`)
  const reading = gather(aider.read({ path: file, growth: 'append' }, undefined, machine))
  assert.deepEqual(allRequests(reading), said.slice(1))
})

test('a growing history ends as one whole reading does', () => {
  const whole = withoutTimes(gather(aider.read(unit, undefined, machine)))
  for (let cut = history.indexOf(10); cut >= 0; cut = history.indexOf(10, cut + 1)) {
    assert.deepEqual(withoutTimes(readGrowing(aider, unit, machine, [cut + 1])), whole, `cut at ${cut + 1}`)
  }
  const random = randomFrom(7)
  for (let round = 0; round < 200; round++) {
    const cuts = Array.from({ length: 5 }, () => Math.floor(random() * history.length)).sort((a, b) => a - b)
    assert.deepEqual(withoutTimes(readGrowing(aider, unit, machine, cuts)), whole, `cut at ${cuts}`)
  }
  const everyLine = [...history.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1)
  assert.deepEqual(withoutTimes(readGrowing(aider, unit, machine, everyLine)), whole)
})

test('a file that became shorter is read from the start', () => {
  const { checkpoint } = gather(aider.read(unit, undefined, machine))
  fs.writeFileSync(unit.path, history.subarray(0, 400))
  const found = [...aider.read(unit, checkpoint, machine)]
  assert.deepEqual(found[0], { restart: true })
  fs.writeFileSync(unit.path, history)
})

test('a long history is saved on the way', () => {
  const file = path.join(home, 'long.md')
  const turn = `\n#### again  \n\n${'words and words\n'.repeat(3000)}\n`
  fs.writeFileSync(file, `\n# aider chat started at 2026-06-09 14:01:00\n${turn.repeat(60)}`)
  const found = [...aider.read({ path: file, growth: 'append' }, undefined, machine)]
  assert.ok(found.filter((item) => 'checkpoint' in item).length >= 3)
  assert.equal(allRequests(gather(found)).length, 60)
})

test('the home folder is walked only as deep as projects lie', () => {
  const root = { path: '/home/me' }
  const cases: [string, boolean][] = [
    ['proj', true],
    ['proj/api', true],
    ['proj/api/src', false],
    ['Code/acme/api', true],
    ['code/acme/api/src', false],
    ['.cache', false],
    ['Library', false],
    ['AppData', false],
    ['proj/node_modules', false],
  ]
  for (const [folder, expected] of cases) assert.equal(aider.enters(folder, root), expected, folder)
  const [mac] = aider.roots({ platform: 'darwin', home: '/Users/me', env: {} })
  assert.equal(aider.enters('Documents', root), true)
  assert.equal(aider.enters('Documents', mac!), false)
  assert.equal(aider.enters('code/acme/api', mac!), true)
  assert.equal(aider.unit('proj/.aider.chat.history.md', root)?.path, '/home/me/proj/.aider.chat.history.md')
  assert.equal(aider.unit('proj/.aider.input.history', root), undefined)
})

test('a history named in the environment is a place of its own', () => {
  const roots = aider.roots(machineAt('/home/me', { AIDER_CHAT_HISTORY_FILE: '/data/aider.md' }))
  assert.deepEqual(
    roots.map((root) => root.path),
    ['/home/me', '/data'],
  )
  assert.equal(aider.unit('aider.md', roots[1]!)?.path, '/data/aider.md')
  assert.equal(aider.enters('sub', roots[1]!), false)
  assert.equal(aider.roots(machineAt('/home/me', { AIDER_CHAT_HISTORY_FILE: 'x.md' })).length, 1)
})

test('damaged files are survived', () => {
  const file = path.join(home, 'damaged.md')
  const random = randomFrom(3)
  for (const bytes of mutations(history, 2000)) {
    fs.writeFileSync(file, bytes)
    const damaged: Unit = { path: file, growth: 'append' }
    const { checkpoint } = gather(aider.read(damaged, undefined, machine))
    fs.appendFileSync(file, history.subarray(Math.floor(random() * history.length)))
    gather(aider.read(damaged, checkpoint, machine))
  }
})

test('a history of somebody else', { skip: !fs.existsSync(PUBLIC) }, () => {
  const reading = gather(aider.read({ path: PUBLIC, growth: 'append' }, undefined, machine))
  assert.deepEqual(allRequests(reading), ['add a retry to the webhook', 'make the timeout configurable'])
})

function requestsOf(messages: Reading['messages'][string]): string[] {
  return messages.filter(({ kind }) => kind === 'request').map(({ text }) => text)
}

function allRequests(reading: Reading): string[] {
  return reading.chats.flatMap(({ id }) => requestsOf(reading.messages[id]!))
}

/** Times come from the file itself, which the test writes anew. */
function withoutTimes({ chats, messages, checkpoint, problems }: Reading): Reading {
  return { chats: chats.map(({ updatedAt: _, ...chat }) => chat), messages, checkpoint, problems }
}
