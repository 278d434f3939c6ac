import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { BREAK_KEY, machine, recollect, root } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

/** A machine with the sample chats, synced. */
const alex = machine()
const folder = path.dirname(alex.home)
const work = path.join(folder, 'work')
const programs = path.join(folder, 'bin')
const skip = noTerminal() ?? false

before(async () => {
  fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
  fs.mkdirSync(work)
  fs.mkdirSync(programs)
  assert.equal((await alex.run(['sync'])).code, 0)
})
after(alex.remove)

interface Setting {
  columns?: number
  rows?: number
  env?: Record<string, string>
  args?: string[]
  on?: { home: string; archive: string }
}

function browse(t: TestContext, { columns, rows, env, args = [], on = alex }: Setting = {}): Terminal {
  const terminal = new Terminal([process.execPath, recollect, ...args], {
    columns,
    rows,
    cwd: work,
    folder,
    env: {
      PATH: `${programs}${path.delimiter}${process.env.PATH}`,
      HOME: on.home,
      RECOLLECT_HOME: on.archive,
      TZ: 'UTC',
      ...env,
    },
  })
  t.after(() => terminal.close())
  return terminal
}

/** A machine of one test's own, with nothing on it. */
function visitor(t: TestContext) {
  const on = machine()
  t.after(on.remove)
  return on
}

const UP = '\u001b[A'
const DOWN = '\u001b[B'
const RIGHT = '\u001b[C'
const ESC = '\u001b'
const CTRL = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96)

test('without a terminal there is help, and `browse` says what to use instead', async () => {
  const bare = await alex.run([])
  assert.match(bare.out, /^Usage: recollect/)
  const asked = await alex.run(['browse'])
  assert.match(asked.err, /needs a terminal.*\n.*recollect search/)
  assert.equal(asked.code, 3)
})

test('typing searches, arrows choose, and the preview follows', { skip }, async (t) => {
  const terminal = browse(t)
  await terminal.shows(/12 chats, newest first/)
  await terminal.shows(/地图首页的前端性能优化/)
  terminal.type('deadlock refund')
  await terminal.shows(/❯ deadlock refund/)
  const first = await terminal.shows(/▌ Deadlock in the refund worker/)
  assert.match(first, /copilot-cli · shop {3}you: …the deadlock between/)
  await terminal.shows(/Today the refund worker reports/)
  terminal.type(DOWN)
  await terminal.shows(/▌ Deadlock between checkout/)
  // The preview opens at the message that has the words.
  await terminal.shows(/Done: `reserve` takes its row locks/)
  terminal.type(UP)
  await terminal.shows(/Today the refund worker reports/)
  // The cursor stands behind what was typed.
  assert.deepEqual(terminal.cursor, { x: 18, y: 0 })
  terminal.type(CTRL('w') + CTRL('w'))
  await terminal.shows(/12 chats, newest first/)
  terminal.type(CTRL('q'))
  assert.equal(await terminal.ended(), 0)
})

test('the words of the command line are searched for at once', { skip }, async (t) => {
  const terminal = browse(t, { args: ['browse', 'rate', 'limiter'] })
  await terminal.shows(/❯ rate limiter/)
  await terminal.shows(/▌ Token bucket rate limiter on Redis/)
})

test('a misspelt word is corrected and said; what finds nothing says so, and what to try', {
  skip,
}, async (t) => {
  const terminal = browse(t)
  await terminal.shows(/newest first/)
  terminal.type('deadlok')
  await terminal.shows(/▌ Deadlock/)
  await terminal.shows(/No results for "deadlok"; searched for deadloc/)
  terminal.type(`${CTRL('u')}qxzvwkjq`)
  await terminal.shows(/Nothing found for “qxzvwkjq”/)
  terminal.type(CTRL('f'))
  await terminal.shows(/Fuzzy spelling +off/)
  terminal.type('fuz\r')
  await terminal.shows(/\[fuzzy\]/)
  terminal.type(`${CTRL('u')}!!!`)
  await terminal.shows(/There is nothing to search for/)
})

test('filters narrow the list, show as chips, and go with Esc', { skip }, async (t) => {
  const terminal = browse(t)
  await terminal.shows(/12 chats, newest first/)
  terminal.type(CTRL('f'))
  await terminal.shows(/▌ Assistant +any/)
  terminal.type('\r')
  await terminal.shows(/copilot-cli +3 chats/)
  terminal.type('copi\r')
  await terminal.shows(/\[copilot-cli\]/)
  const narrowed = await terminal.shows(/3 chats, newest first/)
  assert.doesNotMatch(narrowed, /claude-code ·/)
  terminal.type(CTRL('f'))
  await terminal.shows(/Assistant +copilot-cli/)
  terminal.type('proj\r')
  await terminal.shows(/any project/)
  terminal.type('shop\r')
  await terminal.shows(/\[copilot-cli\] \[shop\]/)
  await terminal.shows(/▌ Deadlock in the refund worker/)
  terminal.type(ESC)
  await terminal.shows(/12 chats, newest first/)
  terminal.type(ESC)
  assert.equal(await terminal.ended(), 0)
})

test('the reader scrolls, goes from request to request, and finds', { skip }, async (t) => {
  const terminal = browse(t, { rows: 20 })
  terminal.type('checkout stock import')
  await terminal.shows(/▌ Deadlock between checkout/)
  terminal.type('\r')
  await terminal.shows(/Esc back/)
  await terminal.shows(/You {2}#0 /)
  terminal.type(RIGHT)
  const next = await terminal.shows((text) => !text.includes('You  #0 ') && /You {2}#\d/.test(text))
  assert.match(next.split('\n')[3] ?? '', /^ {2}You {2}#[1-9]/)
  terminal.type('g')
  await terminal.shows(/You {2}#0 /)
  terminal.type('/')
  await terminal.shows(/Find in this chat:/)
  terminal.type('9 000 ROW\r')
  await terminal.shows(/9 000 row locks/)
  terminal.type('n')
  await terminal.shows(/No more “9 000 ROW” that way/)
  terminal.type('/zebra\r')
  await terminal.shows(/“zebra” is not in this chat/)
  terminal.type('t')
  await terminal.shows(/Esc back/)
  terminal.type('G')
  await terminal.shows((text) => !text.includes('You  #0 '))
  terminal.type('qq')
  await terminal.shows(/❯ checkout stock import/)
})

test('an export is written where it is said, and never over another file', { skip }, async (t) => {
  const terminal = browse(t)
  terminal.type('token bucket')
  await terminal.shows(/▌ Token bucket rate limiter on Redis/)
  terminal.type(CTRL('x'))
  await terminal.shows(/Export as Markdown to: token-bucket-rate-limiter-on-redis\.md/)
  terminal.type(`${CTRL('u')}limiter.md\r`)
  await terminal.shows(/Exported to .*limiter\.md, \d+ kB/)
  const file = path.join(work, 'limiter.md')
  assert.match(fs.readFileSync(file, 'utf8'), /# Token bucket rate limiter on Redis/)
  assert.equal(fs.statSync(file).mode & 0o777, 0o600)
  terminal.type(CTRL('x'))
  await terminal.shows(/Export as Markdown to: token/)
  terminal.type(`${CTRL('u')}limiter.md\r`)
  await terminal.shows(/limiter\.md is there already/)
  // The name can be mended where it stands.
  await terminal.shows(/Export as Markdown to: limiter\.md/)
  terminal.type(`${ESC}`)
  await terminal.shows(/Enter open/)
})

test('copying asks the terminal where that is set, with what was chosen, and says so', {
  skip,
}, async (t) => {
  const on = await remote(t, { terminal: { osc52: true } })
  const terminal = browse(t, { on })
  terminal.type('redis is down')
  await terminal.shows(/▌ Token bucket/)
  terminal.type(CTRL('y'))
  await terminal.shows(/The request +What should happen when Redis is down/)
  terminal.type('\r')
  await terminal.shows(/Copied the request, 46 characters, by the terminal \(OSC 52\)/)
  assert.equal(copied(terminal), 'What should happen when Redis is down or slow?')
  terminal.type(CTRL('y'))
  await terminal.shows(/▌ The request/)
  terminal.type('comm\r')
  await terminal.shows(/Copied the command/)
  assert.equal(copied(terminal), 'claude --resume 82f4d948-0ecd-43a3-9455-fd0ee32474b5')
})

/** Alex's chats on a machine without a clipboard, and with settings of its own. */
async function remote(t: TestContext, config: object) {
  const on = visitor(t)
  fs.cpSync(alex.archive, on.archive, { recursive: true })
  fs.writeFileSync(path.join(on.archive, 'config.json'), JSON.stringify(config))
  return { ...on, home: alex.home }
}

function copied(terminal: Terminal): string {
  const [, encoded = ''] = [...terminal.written.matchAll(/\u001b\]52;c;([^\u0007]*)\u0007/g)].at(-1) ?? []
  return Buffer.from(encoded, 'base64').toString()
}

test('the file of a chat is named, and its path copied where nothing opens files', { skip }, async (t) => {
  const on = await remote(t, { terminal: { osc52: true } })
  const terminal = browse(t, { on, env: { DISPLAY: '', WAYLAND_DISPLAY: '' } })
  terminal.type('token bucket')
  await terminal.shows(/▌ Token bucket/)
  terminal.type(CTRL('o'))
  await terminal.shows(/The file of the chat +~\/\.claude\/projects/)
  terminal.type('\r')
  await terminal.shows(/Copied the path: ~\/\.claude\/projects/)
  assert.ok(fs.existsSync(copied(terminal)))
})

test('resuming leaves the browser, hands over the keyboard, and passes the exit code on', {
  skip,
}, async (t) => {
  const claude = path.join(programs, 'claude')
  fs.writeFileSync(claude, '#!/bin/sh\necho "resumed with $*"\nread -r line\necho "heard $line"\nexit 7\n')
  fs.chmodSync(claude, 0o755)
  const terminal = browse(t)
  terminal.type('token bucket')
  await terminal.shows(/▌ Token bucket/)
  terminal.type(CTRL('r'))
  const shown = await terminal.shows(/resumed with --resume 82f4d948/)
  assert.equal(terminal.isAlternate, false)
  assert.doesNotMatch(shown, /token bucket/i, 'nothing of the browser is left')
  assert.match(terminal.modes(), / icanon/)
  terminal.type('every key of this\n')
  await terminal.shows(/heard every key of this/)
  assert.equal(await terminal.ended(), 7)
})

test('a chat that cannot be resumed says why, and the browser stays', { skip }, async (t) => {
  fs.rmSync(path.join(programs, 'claude'), { force: true })
  const terminal = browse(t, { env: { PATH: '/usr/bin:/bin' } })
  terminal.type('message queue')
  await terminal.shows(/▌ Choosing a message queue/)
  terminal.type(CTRL('r'))
  await terminal.shows(/vscode has no command to resume a chat/)
  terminal.type(`${CTRL('u')}token bucket`)
  await terminal.shows(/▌ Token bucket/)
  terminal.type(CTRL('r'))
  await terminal.shows(/claude is not installed here/)
})

test('the screen follows the size of the window', { skip }, async (t) => {
  const terminal = browse(t, { columns: 120, rows: 40 })
  terminal.type('deadlock')
  await terminal.shows(/▌ Deadlock between.*│ Deadlock between checkout and the stock import/)
  terminal.resize(80, 24)
  await terminal.shows((text) => /── .*13 messages ─+/.test(text) && !text.includes('│'))
  assert.equal(terminal.lines().length, 24)
  terminal.resize(50, 20)
  await terminal.shows((text) => /^ ❯ deadlock/.test(text) && /\? help *$/.test(text) && !text.includes(' ─'))
  assert.ok(terminal.lines().every((line) => line.length <= 50))
  terminal.resize(100, 30)
  // The screen is written line by line: the last one may come a moment later.
  await terminal.shows(
    (text) => text.includes('│ Deadlock between checkout') && /\? help$/.test(terminal.lines()[29] ?? ''),
  )
})

const leavings: [how: string, leave: (terminal: Terminal) => void, code: number][] = [
  ['Ctrl-C', (terminal) => terminal.type(CTRL('c')), 130],
  ['Ctrl-Q', (terminal) => terminal.type(CTRL('q')), 0],
  ['SIGTERM', (terminal) => terminal.signal('SIGTERM'), 143],
  ['SIGHUP', (terminal) => terminal.signal('SIGHUP'), 129],
  ['Ctrl-Break on Windows', (terminal) => terminal.signal('SIGUSR2'), 130],
]

for (const [how, leave, code] of leavings) {
  test(`${how} leaves the terminal as it was, with exit code ${code}`, { skip }, async (t) => {
    const terminal = browse(t, { env: { NODE_OPTIONS: BREAK_KEY } })
    await terminal.shows(/newest first/)
    assert.ok(terminal.isAlternate)
    assert.match(terminal.modes(), /-icanon/)
    leave(terminal)
    assert.equal(await terminal.ended(), code)
    restored(terminal)
    assert.equal(terminal.text().trim(), '', 'nothing is left on the screen')
  })
}

test('a crash leaves the terminal as it was, and says what happened', { skip }, async (t) => {
  const crash = "process.on('SIGUSR2', () => { throw new Error('the roof fell in') })"
  const terminal = browse(t, {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` },
  })
  await terminal.shows(/newest first/)
  assert.ok(terminal.isAlternate)
  terminal.signal('SIGUSR2')
  await terminal.shows(/the roof fell in/)
  assert.equal(await terminal.ended(), 3)
  restored(terminal)
  assert.equal(terminal.text().trim(), 'error: the roof fell in')
})

function restored(terminal: Terminal): void {
  assert.equal(terminal.isAlternate, false)
  assert.match(terminal.modesAfter(), / icanon/)
  assert.match(terminal.modesAfter(), / echo /)
  assert.ok(
    terminal.written.lastIndexOf('\u001b[?25h') > terminal.written.lastIndexOf('\u001b[?25l'),
    'cursor',
  )
  assert.ok(
    terminal.written.lastIndexOf('\u001b[?2004l') > terminal.written.lastIndexOf('\u001b[?2004h'),
    'pasting',
  )
}

test('a hostile chat can neither move the cursor nor speak to the terminal', { skip }, async (t) => {
  const evil =
    '\u001b]0;owned\u0007\u001b[2J\u001b[1;1H\u001b[?1049l\u001b]52;c;ZXZpbA==\u0007\u009b31m\u0090q\u009c\r\u202Egnp\u0008'
  const on = visitor(t)
  chat(on.home, 'hostile-chat', [
    `Hostile ${evil} marzipan`,
    `before ${evil}after\nmarzipan ${evil}${'x'.repeat(300)}`,
  ])
  await on.run(['sync'])
  const terminal = browse(t, { on, columns: 120, rows: 30 })
  terminal.type('marzipan')
  // Its title is its first line, which a carriage return ends.
  await terminal.shows(/▌ Hostile.*[\s\S]*gnp marzipan/)
  await terminal.shows(/before .*after/)
  const divided = dividers(terminal)
  assert.equal(new Set(divided).size, 1, 'the line between list and preview is straight')
  terminal.type('\r')
  await terminal.shows(/Esc back/)
  await terminal.shows(/before .*after/)
  assert.equal(terminal.title, '')
  assert.ok(terminal.isAlternate)
  assert.doesNotMatch(terminal.written, /owned\u0007|\u001b\[2J|\u001b\]52|\u009b|\u0090|\u202e/)
  terminal.type(CTRL('c'))
  await terminal.ended()
})

test('wide characters and emoji keep everything in its column', { skip }, async (t) => {
  const on = visitor(t)
  chat(on.home, 'wide-chat', [
    '宽字符 👩‍💻 👍🏽 ❤️ 1️⃣ 🇩🇪 한국어 テスト marzipan',
    '表格：宽字符的每一行都要对齐。👨‍👩‍👧‍👦 **加粗** `代码`\n- é̂̃̄̅ Zalgo\n- \u200bnothing\u00ad hidden\u3164',
  ])
  await on.run(['sync'])
  const terminal = browse(t, { on, columns: 110, rows: 24 })
  terminal.type('marzipan')
  await terminal.shows(/▌ 宽字符/)
  await terminal.shows(/表格/)
  assert.equal(new Set(dividers(terminal)).size, 1)
  terminal.type(`${CTRL('u')}宽字符`)
  await terminal.shows(/❯ 宽字符/)
  await terminal.shows((text) => /▌ 宽字符/.test(text) && terminal.cursor.x === 9)
})

/** In which column the list ends, row by row. */
function dividers(terminal: Terminal): number[] {
  return terminal.lines().flatMap((_, row) => terminal.columnsOf('│', row).slice(0, 1))
}

test('NO_COLOR leaves weight and lines, and no colour', { skip }, async (t) => {
  const terminal = browse(t, { env: { NO_COLOR: '1' } })
  terminal.type('deadlock')
  await terminal.shows(/▌ Deadlock/)
  await terminal.shows(/Since Friday/)
  assert.doesNotMatch(terminal.written, /\u001b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)[;m]/)
  assert.match(terminal.written, /\u001b\[1m/)
})

test('a first start reads the chats while it is open, and shows what comes later', { skip }, async (t) => {
  const on = visitor(t)
  fs.cpSync(path.join(root, 'sample'), on.home, { recursive: true })
  const terminal = browse(t, { on })
  await terminal.shows(/12 chats, newest first/)
  await terminal.shows(/up to date/)
  chat(on.home, 'late-chat', ['Buy marzipan on the way home', 'Done.'])
  await terminal.shows(/Buy marzipan on the way home/)
  await terminal.shows(/13 chats, newest first/)
  terminal.type(CTRL('c'))
  await terminal.ended()
})

test('a long chat is read as it is scrolled, to its end', { skip }, async (t) => {
  const on = visitor(t)
  const texts = Array.from({ length: 400 }, (_, i) =>
    i === 333 ? 'the needle is here' : `message number ${i}`,
  )
  chat(on.home, 'long-chat', texts)
  await on.run(['sync'])
  const terminal = browse(t, { on })
  await terminal.shows(/400 messages/)
  terminal.type('\r')
  await terminal.shows(/#0 of 399/)
  for (let seen = 0; seen < 100; ) {
    terminal.type(' ')
    const before = seen
    const shown = () => Number(/#(\d+) of 399/.exec(terminal.text())?.[1] ?? 0)
    await terminal.shows(() => shown() > before, `what is after message ${before}`)
    seen = shown()
  }
  terminal.type('/needle\r')
  await terminal.shows(/the needle is here/)
  terminal.type('G')
  await terminal.shows(/message number 399/)
  terminal.type('g')
  await terminal.shows(/message number 0/)
})

test('`?` shows the keys', { skip }, async (t) => {
  const terminal = browse(t, { rows: 40 })
  await terminal.shows(/newest first/)
  terminal.type('?')
  const help = await terminal.shows(/Searching/)
  assert.match(help, /\^F +filter: assistant, project/)
  terminal.type(ESC)
  await terminal.shows(/Memory leak/)
})

/** A chat as Claude Code writes it: requests and answers in turn. */
function chat(home: string, name: string, texts: string[]): void {
  const sessionId = `${name}-0000-4000-8000-000000000000`
  const lines = texts.map((text, i) => ({
    type: i % 2 === 0 ? 'user' : 'assistant',
    uuid: `${name}-${i}`,
    parentUuid: i === 0 ? null : `${name}-${i - 1}`,
    isSidechain: false,
    sessionId,
    cwd: '/home/alex/sweets',
    version: '2.1.158',
    timestamp: new Date(Date.UTC(2026, 10, 1, 12, 0, i)).toISOString(),
    message:
      i % 2 === 0
        ? { role: 'user', content: text }
        : {
            id: `msg-${i}`,
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [{ type: 'text', text }],
          },
  }))
  const project = path.join(home, '.claude', 'projects', '-home-alex-sweets')
  fs.mkdirSync(project, { recursive: true })
  fs.writeFileSync(
    path.join(project, `${sessionId}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}
