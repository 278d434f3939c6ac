import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { machine, recollect, root } from './run-cli.ts'
import { noTerminal, Terminal } from './terminal.ts'

/** A machine with the sample chats, synced. */
const alex = machine()
const folder = path.dirname(alex.home)
const work = path.join(folder, 'work')
const copy = path.join(folder, 'copy')
const skip = noTerminal() ?? false

before(async () => {
  fs.cpSync(path.join(root, 'sample'), alex.home, { recursive: true })
  fs.mkdirSync(work)
  assert.equal((await alex.run(['sync'])).code, 0)
  // While nobody has it open.
  fs.cpSync(alex.archive, copy, { recursive: true })
})
after(alex.remove)

function browse(
  t: TestContext,
  { args = [], env, archive = alex.archive }: { args?: string[]; env?: object; archive?: string } = {},
): Terminal {
  const command = [process.execPath, recollect, 'browse', '--no-sync', ...args]
  const home = { HOME: alex.home, RECOLLECT_HOME: archive, TZ: 'UTC' }
  const terminal = new Terminal(command, { columns: 90, cwd: work, folder, env: { ...home, ...env } })
  t.after(() => terminal.close())
  return terminal
}

/** In the terminal's palette. */
const YELLOW = 3
const CTRL = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96)

test('without a program for it and without the setting, nothing is said to be copied', {
  skip,
}, async (t) => {
  const terminal = browse(t)
  terminal.type('redis is down')
  await terminal.shows(/▌ Token bucket/)
  terminal.type(CTRL('y'))
  await terminal.shows(/The request +What should happen/)
  terminal.type('\r')
  await terminal.shows(/Could not copy: no program for it is here. `"terminal": { "osc52": true/)
  assert.ok(!terminal.written.includes('\u001b]52;'))
})

test('several chats are marked, and merged, exported or forgotten at once', { skip }, async (t) => {
  const terminal = browse(t, { archive: copy })
  terminal.type('deadlock')
  await terminal.shows(/▌ Deadlock/)
  terminal.type(CTRL('t'))
  await terminal.shows(/ ● ?Deadlock[\s\S]*1 marked/)
  terminal.type(CTRL('t'))
  await terminal.shows(/2 marked/)
  terminal.type(CTRL('x'))
  await terminal.shows(/Export 2 chats as Markdown to: chats\.md/)
  terminal.type('\r')
  await terminal.shows(/Exported chats\.md, \d+ kB, to/)
  const written = fs.readFileSync(path.join(work, 'chats.md'), 'utf8')
  assert.match(written, /# Deadlock in the refund worker/)
  assert.match(written, /# Deadlock between checkout/)
  fs.rmSync(path.join(work, 'chats.md'))
  // Nothing is erased without the word.
  terminal.type(CTRL('d'))
  await terminal.shows(/Erase 2 chats for good\? Type yes/)
  terminal.type('no\r')
  await terminal.shows(/Nothing was forgotten/)
  terminal.type(CTRL('d'))
  await terminal.shows(/Erase 2 chats for good\? Type yes/)
  terminal.type('yes\r')
  // One of them had a sub-agent.
  await terminal.shows(/Forgot 3 chats with \d+ messages/)
  await terminal.shows((text) => !/Deadlock (in|between)/.test(text), 'the list without them')
  const { out } = await alex.run(['forget', '--list', '--json'], { env: { RECOLLECT_HOME: copy } })
  assert.equal(JSON.parse(out).forgotten.length, 3)
})

test('marked chats are read merged when the browser is left', { skip }, async (t) => {
  const terminal = browse(t, { args: ['deadlock'], env: { PAGER: 'cat' } })
  await terminal.shows(/▌ Deadlock/)
  terminal.type(CTRL('t') + CTRL('t'))
  await terminal.shows(/2 marked/)
  terminal.type(CTRL('g'))
  assert.equal(await terminal.ended(), 0)
  assert.match(
    terminal.written,
    /Deadlock in the refund worker[\s\S]*Deadlock between checkout|between[\s\S]*refund/,
  )
})

test('a click chooses and opens, the wheel scrolls, and the terminal gets its mouse back', {
  skip,
}, async (t) => {
  const terminal = browse(t, { args: ['deadlock'] })
  await terminal.shows(/▌ Deadlock/)
  await terminal.shows(() => terminal.written.includes('\u001b[?1000h'), 'the mouse asked for')
  const rowOf = (text: string) => terminal.lines().findIndex((line) => line.includes(text)) + 1
  const second = terminal
    .lines()
    .findLast((line) => /^ {2}Deadlock/.test(line))!
    .trim()
    .slice(0, 20)
  terminal.type(`\u001b[<0;8;${rowOf(second)}M\u001b[<0;8;${rowOf(second)}m`)
  await terminal.shows(new RegExp(`▌ ${second}`))
  terminal.type('\u001b[<64;8;4M')
  await terminal.shows((text) => !text.includes(`▌ ${second}`), 'the one above chosen')
  terminal.type('\u001b[<65;8;4M')
  await terminal.shows(new RegExp(`▌ ${second}`))
  terminal.type(`\u001b[<0;8;${rowOf(second)}M`)
  await terminal.shows(/Esc back/)
  const before = terminal.lines()[4]
  terminal.type('\u001b[<65;8;8M')
  await terminal.shows(() => terminal.lines()[4] !== before, 'the chat scrolled')
  terminal.type('q')
  await terminal.shows(/Enter open/)
  terminal.type(CTRL('q'))
  assert.equal(await terminal.ended(), 0)
  assert.ok(terminal.written.includes('\u001b[?1000l'))
})

test('chats are starred and searches saved, as commands and the page see them', { skip }, async (t) => {
  const terminal = browse(t, { args: ['deadlock checkout'] })
  await terminal.shows(/▌ Deadlock between/)
  terminal.type(CTRL('s'))
  await terminal.shows(/▌ ★ Deadlock between[\s\S]*★ Starred “Deadlock between/)
  assert.match((await alex.run(['list', '--starred'])).out, /★ b6fb68b8 +Deadlock between/)
  // Saved with the filter that only shows stars.
  terminal.type(CTRL('f'))
  await terminal.shows(/Starred +all chats/)
  const clickOn = (text: string) => {
    const row = terminal.lines().findIndex((line) => line.includes(text)) + 1
    terminal.type(`\u001b[<0;20;${row}M\u001b[<0;20;${row}m`)
  }
  clickOn('all chats')
  await terminal.shows(/\[★ starred\][\s\S]*1 chat /)
  terminal.type(CTRL('l'))
  await terminal.shows(/Save this search …/)
  clickOn('Save this search')
  await terminal.shows(/Save this search as:/)
  terminal.type('My locks\r')
  await terminal.shows(/Saved as “My locks”/)
  const { searches } = JSON.parse((await alex.run(['searches', '--json'])).out)
  assert.deepEqual(searches[0].input, { intent_query: 'deadlock checkout', starred: true })
  // Out of the words and the filters, and in again by its name.
  terminal.type('\u001b')
  await terminal.shows(/Search your chats/)
  terminal.type('\u001b')
  await terminal.shows((text) => !text.includes('★ starred'), 'no filter')
  terminal.type(CTRL('l'))
  await terminal.shows(/My locks +deadlock checkout/)
  clickOn('My locks')
  await terminal.shows(/❯ deadlock checkout[\s\S]*\[“My locks”\][\s\S]*▌ ★ Deadlock between[\s\S]* 1 chat /)
  terminal.type('\r')
  await terminal.shows(/★ Deadlock between[\s\S]*Esc back/)
  terminal.type('s')
  await terminal.shows(/☆ Took the star off “Deadlock between/)
  assert.equal((await alex.run(['list', '--starred'])).code, 1)
  terminal.type('q')
  await terminal.shows(/Enter open/)
  terminal.type(CTRL('l'))
  await terminal.shows(/Remove a saved search/)
  // A click beside a menu leaves it.
  terminal.type('\u001b[<0;1;1M')
  await terminal.shows((text) => !text.includes('Remove a saved search'), 'no menu')
  terminal.type(CTRL('l'))
  await terminal.shows(/Remove a saved search/)
  clickOn('Remove a saved search')
  await terminal.shows(/Remove which\?/)
  terminal.type('\r')
  await terminal.shows(/Removed the saved search “My locks”/)
  assert.deepEqual(JSON.parse((await alex.run(['searches', '--json'])).out).searches, [])
})

test('in a chat that was found, n goes to the next place of the words', { skip }, async (t) => {
  const terminal = browse(t, { args: ['deadlock checkout'] })
  await terminal.shows(/▌ Deadlock between/)
  terminal.type('\r')
  await terminal.shows(/Esc back/)
  terminal.type('G')
  await terminal.shows(/#9 of 12/)
  const before = terminal.text()
  terminal.type('N')
  await terminal.shows((text) => text !== before && !/Nothing to find/.test(text), 'another place')
})

test('what a regular expression found is marked in the reader', {
  skip,
}, async (t) => {
  const terminal = browse(t, { args: ['/log_lock_\\w+|deadlock_\\w+/'] })
  await terminal.shows(/▌ Deadlock between/)
  terminal.type('\r')
  await terminal.shows(/Esc back/)
  const marked = () => terminal.onGround(YELLOW).filter((each) => each.includes('_'))
  await terminal.shows(() => marked().length > 0, 'a marked match')
  assert.deepEqual([...new Set(marked())].toSorted(), ['deadlock_timeout', 'log_lock_waits'])
})
