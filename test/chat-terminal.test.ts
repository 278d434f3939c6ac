import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { everything, variable } from './agent-kit.ts'
import { until } from './mcp-kit.ts'
import { type ScriptedModel, startScriptedModel } from './real/scripted-model.ts'
import { machine, recollect } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

const alex = machine()
const folder = path.dirname(alex.home)
const work = path.join(folder, 'work')
const skip = noTerminal() ?? false
const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`
const [UP, ESC, CTRL_C, CTRL_D] = ['\u001b[A', '\u001b', '\u0003', '\u0004']
let model: ScriptedModel

before(async () => {
  fs.mkdirSync(work)
  model = await startScriptedModel([
    { when: 'never end', turns: [{ text: 'This goes on and on and on and never ends', fault: 'hang' }] },
    {
      when: 'begin a file',
      turns: [{ calls: [{ tool: 'init_context', args: { workspace: work } }] }, { text: 'It is begun.' }],
    },
    { when: 'hello', turns: [{ text: 'Hello to you.' }] },
    { when: 'second', turns: [{ text: 'The second answer.' }] },
    { when: 'look at', turns: [{ text: 'I see it.' }] },
    {
      when: 'want to know',
      turns: [{ calls: [{ tool: 'trigger-elicitation-request', args: {} }] }, { text: 'Now I know.' }],
    },
  ])
})
after(async () => {
  await model.close()
  alex.remove()
})

function chat(t: TestContext, args: string[] = []): Terminal {
  const terminal = new Terminal([process.execPath, recollect, 'chat', ...args], {
    cwd: work,
    folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: alex.home,
      RECOLLECT_HOME: alex.archive,
      RECOLLECT_KEYCHAIN: 'off',
      WORKSPACE: work,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: model.url,
      OPENAI_API_KEY: 'other-key',
      OPENAI_BASE_URL: `${model.url}/v1`,
    },
  })
  t.after(() => terminal.close())
  return terminal
}

/** What the person asked last, as the model was told it. */
function lastAsked(): string {
  return model.requests.at(-1)!.said.findLast(({ by }) => by === 'user')!.text
}

test('what is pasted comes as one message, however many lines; others are made by Alt-Enter', {
  skip,
}, async (t) => {
  const terminal = chat(t)
  await terminal.shows(/\/help lists the commands/)
  assert.match(terminal.written, /\u001b\[\?2004h/, 'the terminal marks what is pasted')
  terminal.type(PASTE('hello\r\n  two\rthree'))
  await terminal.shows(/› hello\n {4}two\n {2}three/)
  terminal.type('\u001b\rfour\\\rfive\r')
  await terminal.shows(/Hello to you\.[\s\S]*--session/)
  assert.equal(lastAsked(), 'hello\n  two\nthree\nfour\nfive')
  terminal.type(CTRL_D)
  assert.equal(await terminal.ended(), 0)
  assert.match(terminal.written, /\u001b\[\?2004l/)
  assert.match(terminal.modesAfter(), / icanon .* echo /s)
})

test('what is typed while it answers is kept; Esc stops the answer, and what was said stays', {
  skip,
}, async (t) => {
  const terminal = chat(t)
  await terminal.shows(/\/help/)
  terminal.type('never end\r')
  await terminal.shows(/This goes on and[\s\S]*answering · \d+ s · Esc stops/)
  terminal.type('sec')
  await terminal.shows(/› sec$/m)
  terminal.type(ESC)
  await terminal.shows(/stopped/)
  terminal.type('ond\r')
  await terminal.shows(/› second\nThe second answer\.[\s\S]*--session/)
  assert.equal(lastAsked(), 'second')
  assert.ok(
    model.requests.at(-1)!.said.some(({ by, text }) => by === 'model' && text.includes('This goes on')),
  )
  terminal.type('never end\r')
  await terminal.shows(
    (text) => text.split('Esc stops').length > 1 && /never end[\s\S]*This goes on/.test(text),
  )
  terminal.type('hello you\r')
  await terminal.shows(/queued: hello you/)
  terminal.type(CTRL_C)
  await terminal.shows(/stopped[\s\S]*› hello you$/m, 'what waited is in the field again')
  terminal.type('\r')
  await terminal.shows(/Hello to you\./)
  assert.equal(lastAsked(), 'hello you')
})

test('an approval is answered apart: it is not in the history, and a message is not taken for it', {
  skip,
}, async (t) => {
  const terminal = chat(t)
  await terminal.shows(/\/help/)
  terminal.type('begin a file\r')
  await terminal.shows(/Run recollect\/init_context\?[\s\S]*\[n\]o ›/)
  terminal.type('yes please, and then hello\r')
  terminal.type(PASTE('y\r'))
  await terminal.shows(/\[n\]o › *$/m)
  assert.equal(fs.existsSync(path.join(work, 'context.md')), false)
  terminal.type('y\r')
  await terminal.shows(/It is begun\.[\s\S]*› yes please, and then helloy/)
  assert.equal(fs.existsSync(path.join(work, 'context.md')), true)
  terminal.type(`${CTRL_C}${UP}${UP}`)
  await terminal.shows(/› begin a file *$/m, 'above the message that was put aside, there is what was asked')
})

test('the history goes over sessions, and what is forgotten is not in it', { skip }, async (t) => {
  const { out } = await alex.run(['ask', '--json', 'hello from a secret place'], {
    env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url },
  })
  const first = chat(t)
  await first.shows(/\/help/)
  first.type(UP)
  await first.shows(/› hello from a secret place *$/m)
  first.type(`${CTRL_C}${CTRL_C}`)
  await first.shows(/Ctrl-C again quits/)
  first.type(CTRL_C)
  assert.equal(await first.ended(), 0)
  await alex.run(['forget', JSON.parse(out).sessionId, '--yes'])
  const second = chat(t)
  await second.shows(/\/help/)
  second.type(UP)
  await second.shows((text) => /› (?!hello from)\w/.test(text), 'something else')
})

test('slash commands complete, and /model switches the provider in the middle of a chat', {
  skip,
}, async (t) => {
  const terminal = chat(t, ['--provider', 'anthropic'])
  await terminal.shows(/\/help/)
  terminal.type('hello\r')
  await terminal.shows(/Hello to you\.[\s\S]*claude-sonnet-5/)
  terminal.type('/mo\t')
  await terminal.shows(/› \/model *$/m)
  terminal.type('openai/gpt-4o\r')
  await terminal.shows(/From now on openai\/gpt-4o answers/)
  terminal.type('second\r')
  await terminal.shows(/The second answer\.[\s\S]*gpt-4o ·/)
  const { wire, headers, said } = model.requests.at(-1)!
  assert.deepEqual([wire, headers.authorization], ['openai-chat', 'Bearer other-key'])
  assert.deepEqual(
    said.filter(({ by }) => by !== 'system').map(({ text }) => text),
    ['hello', 'Hello to you.', 'second'],
  )
  terminal.type('/dance\r')
  await terminal.shows(/There is no \/dance\.[\s\S]*\/tools/)
  terminal.type('/exit\r')
  assert.equal(await terminal.ended(), 0)
})

test('files and images are attached by @, and completed', { skip }, async (t) => {
  fs.writeFileSync(path.join(work, 'notes.txt'), 'The heron is grey. API_KEY=hunter2xyzzy99\n')
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  fs.writeFileSync(path.join(work, 'bird.png'), Buffer.from(pixel, 'base64'))
  const terminal = chat(t)
  await terminal.shows(/\/help/)
  terminal.type('look at @no\t')
  await terminal.shows(/› look at @notes\.txt *$/m)
  terminal.type('and @bird.png, alex@example.com\r')
  await terminal.shows(/attached: notes\.txt, \d+ bytes\nattached: bird\.png, 70 bytes[\s\S]*I see it\./)
  const sent = JSON.stringify(model.requests.at(-1)!.body)
  assert.ok(sent.includes('The heron is grey') && !sent.includes('hunter2xyzzy99'))
  assert.ok(sent.includes(pixel) && sent.includes('image/png'))
})

test('what a server wants is asked for before it starts, and its form is filled in field by field', {
  skip,
}, async (t) => {
  fs.mkdirSync(alex.archive, { recursive: true })
  const server = { ...everything(), env: { TOKEN: variable('input:its-token') } }
  fs.writeFileSync(path.join(alex.archive, 'mcp-servers.json'), JSON.stringify({ servers: [server] }))
  fs.writeFileSync(
    path.join(alex.archive, 'config.json'),
    JSON.stringify({ agent: { approvals: { everything: 'always' } } }),
  )
  const terminal = chat(t)
  await terminal.shows(/its-token \(not shown/)
  terminal.type('zq-entered-token\r')
  await terminal.shows(/\/help/)
  terminal.type('want to know\r')
  await terminal.shows(/everything asks:[\s\S]*\[c\]ancel ›/)
  terminal.type('y\r')
  const fill = async (question: RegExp, said: string) => {
    await terminal.shows(question)
    terminal.type(`${said}\r`)
  }
  await fill(/full, legal name\nString › $/m, '')
  await fill(/It is needed\.\nString › $/m, 'Ada')
  await fill(/y or n.*\nBoolean › $/m, 'perhaps')
  await fill(/It has to be yes or no\.\nBoolean › $/m, 'y')
  await fill(/stormy night\.\nString with default › $/m, '')
  await fill(/String with email format › $/m, 'ada@example.com')
  await fill(/String with uri format › $/m, '')
  await fill(/String with date format › $/m, '')
  await fill(/Integer › $/m, '500')
  await fill(/It has to be 1 to 100\.\nInteger › $/m, '7')
  await fill(/Number in range 1-1000 › $/m, '')
  await fill(/Monica, Rachel[\s\S]*Untitled Single Select Enum › $/m, 'joey')
  await fill(/Guitar, Piano[\s\S]*Untitled Multiple Select Enum › $/m, 'piano, Drums')
  await fill(/^Titled Single Select Enum › $/m, 'Wonder Woman')
  await fill(/^Titled Multiple Select Enum › $/m, '')
  await fill(/^Legacy.* › $/m, '')
  await terminal.shows(/Now I know\.[\s\S]*--session/)
  const told = JSON.stringify(model.requests.at(-1)!.body)
  for (const each of ['Ada', 'Joey', 'Piano', 'Drums', 'hero-3', 'fish-1'])
    assert.ok(told.includes(each), each)
  assert.ok(!terminal.written.includes('zq-entered-token'))
  terminal.type(UP)
  await terminal.shows(/› want to know *$/m, 'what was filled in is not in the history')
  fs.rmSync(path.join(alex.archive, 'mcp-servers.json'))
})

test('ask takes words together with what is piped in', async () => {
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: model.url }
  const { out, err } = await alex.run(['ask', 'look', 'at', 'this'], {
    env,
    input: 'a log that was piped in\n',
  })
  assert.equal(out, 'I see it.\n', err)
  const { said } = model.requests.at(-1)!
  const words = said.filter(({ by }) => by === 'user').map(({ text }) => text)
  assert.ok(
    words.some((text) => text.includes('a log that was piped in')) &&
      words.some((text) => text === 'look at this'),
    words.join('|'),
  )
  await until('archived', async () => (await alex.run(['search', 'piped', '--json'])).code === 0)
})
