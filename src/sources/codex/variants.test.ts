import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { mutations, randomFrom } from '../mutations.ts'
import { withReader } from '../source.ts'
import {
  anyCuts,
  gather,
  lineEnds,
  lookInto,
  machineAt,
  plainly,
  readGrowing,
  readMachine,
  unitsOf,
} from '../test-kit.ts'
import { codex as described } from './index.ts'

const codex = await withReader(described)

const fixtures = path.join(import.meta.dirname, 'fixtures', 'variants')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-codex-variants-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

const machine = machineAt('/nowhere', { CODEX_HOME: fixtures })
const id = (last: string) => `019a5000-0000-7000-8000-0000000000${last}`
const GONE = '019a4000-0000-7000-8000-00000000dead'
const { chat, messages } = lookInto(readMachine(codex, machine))

/** Who said what, as one reads it. */
const lines = (chatId: string) =>
  messages(chatId).map(({ kind, via, text, toolCalls, toolResults, outcome }) =>
    [
      kind,
      via && `(${via})`,
      text || undefined,
      toolCalls &&
        `[${toolCalls.map(({ server, tool }) => (server ? `${server}/${tool}` : tool)).join(', ')}]`,
      toolResults?.map((result) => result.error ?? result.text).join(),
      outcome,
    ]
      .filter((part) => part)
      .join(' '),
  )

test('a rollout of nothing but events has its calls, its results and what was said', () => {
  assert.deepEqual(lines(id('a1')), [
    'request Ask the tracker',
    'answer [tracker/list_issues, tracker/get_issue]',
    'tool 2 open',
    'tool no such issue',
    'answer Two are open.',
    'answer Nine is not there.',
  ])
  const [, asked, found, , answer] = messages(id('a1'))
  assert.deepEqual(asked?.toolCalls?.[0]?.args, { state: 'open' })
  assert.equal(found?.toolResults?.[0]?.durationMs, 1500)
  assert.equal(answer?.thinking, 'Two of them.')
  assert.equal(answer?.usage?.input, 50)
})

test('calls that a script made stand beside it, those of the model are told once', () => {
  assert.deepEqual(lines(id('a2')), [
    'request Ask it in a script',
    'answer [exec, tracker/list]',
    'tool 3 open',
    'tool 3 open',
    'answer [tracker/get]',
    'tool one',
    'answer Three.',
  ])
})

test('a fork leaves out the turns that its parent has, whatever their ids look like', () => {
  assert.deepEqual(lines(id('b2')), ['request And the words', 'answer Forty.'])
  assert.equal(chat(id('b2')).forkOf, id('b1'))
  const usage = messages(id('b2')).flatMap((message) => message.usage ?? [])
  assert.deepEqual(
    usage.map(({ input, output }) => [input, output]),
    [[10_000, 500]],
  )
  assert.deepEqual(lines(id('b1')), ['request Count the lines', 'answer Ten.'])
})

test('a sub-agent known by its source and parent alone: its orders are no requests, its reports its own', () => {
  assert.equal(chat(id('c1')).subagent, true)
  assert.equal(chat(id('c1')).parentId, id('b1'))
  assert.deepEqual(lines(id('c1')), ['delegated Count the words', 'answer Counting.', 'answer Forty words.'])
})

test('a prompt behind the instructions of the same text is a request', () => {
  assert.deepEqual(lines(id('d1')), ['request Fix the login', 'answer Fixed.'])
})

test('answers to questions and what was typed meanwhile are requests', () => {
  assert.deepEqual(lines(id('e1')), [
    'request Build a shop',
    'answer [request_user_input]',
    'tool {"answers": {"pay": {"answers": ["Card"]}, "cur": {"answers": ["Euro", "user_note: but show dollars too"]}}}',
    'request (answer) Card\nEuro, but show dollars too',
    'answer Building. [shell]',
    'tool ok',
    'request (queued) and a footer',
    'answer Built with a footer.',
    'request Deploy it failed',
    'notice stream disconnected',
  ])
})

test('the status follows the turns', () => {
  const unit = unitsOf(codex, machine).find((each) => each.path.includes(id('e1')))!
  const bytes = fs.readFileSync(unit.path)
  const file = path.join(temp, path.basename(unit.path))
  const seen: (string | undefined)[] = []
  for (const end of lineEnds(bytes)) {
    fs.writeFileSync(file, bytes.subarray(0, end))
    const [found] = gather(codex.read({ ...unit, path: file }, undefined, machine)).chats
    if (found && found.status !== seen.at(-1)) seen.push(found.status)
  }
  assert.deepEqual(seen, ['running', 'waiting', 'running', 'done', 'running', 'failed'])
})

test('what was typed to threads whose rollout is gone is not lost', () => {
  assert.deepEqual(lines(GONE), ['request What was it about?', 'command /model', 'request And then?'])
  assert.deepEqual(chat(GONE), {
    source: 'codex',
    id: GONE,
    createdAt: 1_762_000_000_000,
    updatedAt: 1_762_000_060_000,
    format: 'history',
  })
  assert.equal(messages(id('e1')).filter(({ text }) => text === 'Build a shop').length, 1)
  assert.equal(codex.unit('history.jsonl', { path: '/c' })?.standsIn, true)
})

test('each of them ends the same when it grows, and no damage makes it throw', () => {
  const home = path.join(temp, 'home')
  fs.cpSync(fixtures, home, { recursive: true })
  const random = randomFrom(3)
  for (const unit of unitsOf(codex, machineAt('/nowhere', { CODEX_HOME: home }))) {
    if (unit.growth !== 'append') continue
    const original = fs.readFileSync(unit.path)
    const whole = plainly(gather(codex.read(unit, undefined, machine)))
    const ways = Array.from({ length: 10 }, () => anyCuts(original.length, 4, random))
    for (const cuts of [lineEnds(original), ...lineEnds(original).map((end) => [end]), ...ways])
      assert.deepEqual(plainly(readGrowing(codex, unit, machine, cuts)), whole, `${unit.path} ${cuts}`)
    for (const bytes of mutations(original, 300)) {
      fs.writeFileSync(unit.path, bytes)
      assert.ok(JSON.stringify(gather(codex.read(unit, undefined, machine)).checkpoint).length < 256 * 1024)
    }
    fs.writeFileSync(unit.path, original)
  }
})
