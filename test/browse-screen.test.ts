import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { browserKit, CTRL, ESC, visitor, writeChat } from './browse-kit.ts'
import { BREAK_KEY, root } from './run-cli.ts'
import { noTerminal, type Terminal } from './terminal.ts'

const skip = noTerminal() ?? false
const { browse } = browserKit()

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
  writeChat(on.home, 'hostile-chat', [
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
  writeChat(on.home, 'wide-chat', [
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
  writeChat(on.home, 'late-chat', ['Buy marzipan on the way home', 'Done.'])
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
  writeChat(on.home, 'long-chat', texts)
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
