import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Look, rowsOf } from './message.ts'
import { matchFrom, pageOf, requestFrom, scrolled, settled, shownAt } from './reading.ts'
import { textOf } from './spans.ts'
import { messageOf, readingOf } from './test-kit.ts'

const look: Look = { columns: 40, tools: false }
const shown = (reading: Parameters<typeof pageOf>[0], height = 6) =>
  pageOf(reading, look, height).rows.map(({ line }) => textOf(line))

const long = readingOf(Array.from({ length: 20 }, (_, i) => `text ${i}`))

test('a page shows as many rows as fit, from where the reader is', () => {
  assert.deepEqual(shown(long), ['You  #0', 'text 0', '', 'Assistant  #1', 'text 1', ''])
  assert.equal(shown(scrolled(long, 1, look, 6))[0], 'text 0')
  assert.equal(shown(scrolled(long, 3, look, 6))[0], 'Assistant  #1')
})

test('scrolling there and back ends where it began, and stops at either end', () => {
  const there = scrolled(long, 17, look, 6)
  assert.deepEqual(scrolled(there, -17, look, 6).top, { index: 0, row: 0 })
  assert.deepEqual(scrolled(long, -5, look, 6).top, { index: 0, row: 0 })
  const end = shown(scrolled(long, 10_000, look, 6))
  assert.equal(end.length, 6, 'the last page is full')
  assert.equal(end.at(-1), 'text 19')
})

test('a chat that fits is not scrolled', () => {
  const short = readingOf(['one', 'two'])
  assert.deepEqual(scrolled(short, 3, look, 30).top, { index: 0, row: 0 })
})

test('more is wanted near the end of what is here, and only there', () => {
  const part = { ...long, chat: { ...long.chat, messageCount: 100 } }
  assert.equal(pageOf(part, look, 6).wants, undefined)
  assert.equal(pageOf(scrolled(part, 45, look, 6), look, 6).wants, 'after')
  const later = { ...long, messages: long.messages.slice(10), top: { index: 12, row: 0 } }
  assert.equal(pageOf(later, look, 6).wants, 'before')
})

test('requests follow one another in both directions', () => {
  assert.deepEqual(requestFrom(long, 1), { index: 2, row: 1 })
  const at = settled({ ...long, top: { index: 4, row: 1 } }, look, 6)
  assert.deepEqual(requestFrom(at, -1), { index: 2, row: 1 })
  assert.deepEqual(requestFrom({ ...at, top: { index: 5, row: 0 } }, -1), { index: 4, row: 1 })
  assert.equal(requestFrom(long, -1), undefined)
})

test('find goes through all matches, whatever their case, also across a wrapped line', () => {
  const reading = readingOf(['no', `a **Needle** ${'word '.repeat(9)}split needle`, 'no', 'NEEDLE'])
  const finding = { ...look, find: 'needle' }
  const places: unknown[] = []
  for (let at = { index: 0, row: -1 }; ; ) {
    const next = matchFrom(reading, at, 1, finding)
    if (!next) break
    places.push(next)
    at = next
  }
  assert.deepEqual(places, [
    { index: 1, row: 2 },
    { index: 1, row: 3 },
    { index: 3, row: 2 },
  ])
  assert.deepEqual(matchFrom(reading, { index: 3, row: 2 }, -1, finding), { index: 1, row: 3 })
  assert.equal(matchFrom(reading, { index: 3, row: 2 }, 1, finding), undefined)
  assert.equal(matchFrom(reading, { index: 0, row: -1 }, 1, { ...look, find: '(.*' }), undefined)
})

test('what was found is seen with what stands before it', () => {
  const { top } = shownAt(long, { index: 10, row: 2 }, look, 12)
  assert.deepEqual(top, { index: 9, row: 1 })
})

test('tools are one line each, and in full where that is asked for', () => {
  const message = {
    ...messageOf('Look:', 1),
    toolCalls: [{ id: 't', server: 'git', tool: 'log', args: { path: 'src' } }],
    toolResults: [{ callId: 't', text: 'first\nsecond\nthird', exitCode: 2 }],
  }
  const lines = (tools: boolean) => rowsOf(message, { ...look, tools }).map(({ line }) => textOf(line))
  assert.deepEqual(lines(false).slice(3), ['→ git/log { "path": "src" }', '← first … 2 more lines (exit 2)'])
  assert.ok(lines(true).includes('  third'))
})

test('a message of a million characters is cut, and says so', () => {
  const rows = rowsOf(messageOf('word '.repeat(200_000), 0), { ...look, columns: 80 })
  assert.match(textOf(rows.at(-1)!.line), /900,000 more characters/)
})
