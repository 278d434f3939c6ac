import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { browserKit, CTRL, DOWN, ESC, RIGHT, UP, visitor } from './browse-kit.ts'
import { noTerminal, type Terminal } from './terminal.ts'

const skip = noTerminal() ?? false
const { alex, browse, programs, work, copy } = browserKit()

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
  await terminal.shows(/Exported limiter\.md, \d+ kB, to/)
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
  fs.cpSync(copy, on.archive, { recursive: true })
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
