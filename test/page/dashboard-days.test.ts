import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dayOf } from '../../src/model/day.ts'
import { csvOf } from '../../web/src/lib/csv.ts'
import { everyDay, steps, wholeYear, windowOf } from '../../web/src/pages/dashboard/days.ts'
import { labelsOf } from '../../web/src/pages/dashboard/labels.ts'

const zone = process.env.TZ
after(() => {
  process.env.TZ = zone ?? ''
  if (zone === undefined) delete process.env.TZ
})

const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Niue',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Europe/Berlin',
]

test('today is the last day at every hour, in every zone, and no day is there twice', () => {
  for (const TZ of ZONES) {
    process.env.TZ = TZ
    // Clocks are changed on some of these nights.
    for (const [month, date] of [
      [2, 29],
      [9, 25],
      [10, 16],
    ] as const)
      for (let hour = 0; hour < 24; hour++) {
        const now = new Date(2026, month, date, hour, 20)
        const days = everyDay([], { range: '30d' }, now)
        assert.equal(days.length, 30, `${TZ} ${hour}`)
        assert.equal(days.at(-1)!.key, dayOf(now), `${TZ} ${hour}`)
        assert.equal(new Set(days.map(({ key }) => key)).size, 30)
        assert.equal(wholeYear(days).length, 53 * 7)
        // What is counted begins with the first moment of the first day that is shown.
        const { start } = windowOf('30d', now) as { start: number }
        assert.equal(dayOf(new Date(start)), days[0]!.key)
        assert.notEqual(dayOf(new Date(start - 1)), days[0]!.key)
      }
  }
})

test('days from one to another are whole, to the last moment', () => {
  process.env.TZ = 'Europe/Berlin'
  const { start, end } = windowOf({ from: '2026-06-02', to: '2026-06-03' }) as { start: number; end: number }
  assert.equal(new Date(start).toISOString(), '2026-06-01T22:00:00.000Z')
  assert.equal(new Date(end).toISOString(), '2026-06-03T21:59:59.999Z')
  assert.equal(windowOf('all'), 'all')
})

test('weeks begin on Monday, say which days they are', () => {
  process.env.TZ = 'Europe/Berlin'
  const range = { from: '2026-01-01', to: '2026-06-30' }
  const weeks = steps(everyDay([{ key: '2026-06-02', messages: 3 }], { range }), 'messages')
  assert.equal(weeks.length, 27)
  const week = weeks.find(({ messages }) => messages === 3)!
  assert.deepEqual([week.key, week.last], ['2026-06-01', '2026-06-07'])
})

test('a label stands at the place of its bar', () => {
  process.env.TZ = 'Pacific/Niue'
  const days = everyDay([], { range: { from: '2026-06-01', to: '2026-06-05' } })
  assert.deepEqual(labelsOf([-1, 0, 2, 2.5, 4, 5], days, 'en'), ['', 'Jun 1', 'Jun 3', '', 'Jun 5', ''])
  const year = everyDay([], { range: { from: '2025-11-01', to: '2026-06-30' } })
  assert.deepEqual(labelsOf([0, 10, 40, 70, 130], year, 'en'), ['Nov 2025', '', 'Dec', 'Jan 2026', 'Mar'])
})

test('a table as CSV keeps commas, quotes and lines, and no cell is a formula', () => {
  assert.equal(
    csvOf([
      ['name', 'n'],
      ['a, "b"\nc', 1.5],
      ['=HYPERLINK("x")', -2],
    ]),
    'name,n\r\n"a, ""b""\nc",1.5\r\n"\'=HYPERLINK(""x"")",-2\r\n',
  )
})
