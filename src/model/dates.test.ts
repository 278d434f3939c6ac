import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { readTime, timeIn } from './dates.ts'

/** A Sunday, ten minutes after midnight. */
const NOW = new Date(2026, 10, 15, 0, 10)
const day = (at?: number) => (at === undefined ? '' : new Date(at).toLocaleDateString('sv'))
const named = (text: string, now = NOW) => {
  const found = timeIn(text, now)
  return found && `${day(found.from)}..${day(found.to)} ${found.words}`
}

const TIMES: [text: string, time: string][] = [
  ['deadlock last week', '2026-11-02..2026-11-08 last week'],
  ['yesterday', '2026-11-14..2026-11-14 yesterday'],
  ['what did we do on July 12', '2026-07-12..2026-07-12 on July 12'],
  ['July 12, 2025 release', '2025-07-12..2025-07-12 July 12, 2025'],
  ['Fehler im Juni', '2026-06-01..2026-06-30 im Juni'],
  ['в прошлый вторник кэш', '2026-11-10..2026-11-10 в прошлый вторник'],
  ['за последние две недели', '2026-11-01..2026-11-15 за последние две недели'],
  ['上周 缓存', '2026-11-02..2026-11-08 上周'],
  ['上周二', '2026-11-03..2026-11-03 上周二'],
  ['2026年6月12日', '2026-06-12..2026-06-12 2026年6月12日'],
  ['2026-06', '2026-06-01..2026-06-30 2026-06'],
  ['12.06.2026 bug', '2026-06-12..2026-06-12 12.06.2026'],
  ['release in Septmber 2025', '2025-09-01..2025-09-30 in Septmber 2025'],
  ['Absturz im Jnui', '2026-06-01..2026-06-30 im Jnui'],
  ['on Jluy 12 deadlock', '2026-07-12..2026-07-12 on Jluy 12'],
  ['12 июня миграция', '2026-06-12..2026-06-12 12 июня'],
  ['letzte Woche', '2026-11-02..2026-11-08 letzte Woche'],
  ['in December', '2025-12-01..2025-12-31 in December'],
  ['la semana pasada', '2026-11-02..2026-11-08 la semana pasada'],
  ['il y a 3 jours', '2026-11-12..2026-11-12 il y a 3 jours'],
  ['docker 3 days ago', '2026-11-12..2026-11-12 3 days ago'],
  ['the last 7 days', '2026-11-08..2026-11-15 the last 7 days'],
  ['since June redis', '2026-06-01..2026-11-15 since June'],
  ['before July 12 redis', '..2026-07-11 before July 12'],
  ['June', '2026-06-01..2026-06-30 June'],
]
for (const [text, time] of TIMES) test(`a time: ${text}`, () => assert.equal(named(text), time))

for (const text of [
  'may I fix this',
  'the march of progress',
  'wird das hier richtig gelöscht',
  'version 2026.06.1',
  'two weeks before August 11, 2023',
  'the last thing we did',
  'foo bar 12 files',
  '2026-13',
  'February 31',
  '',
])
  test(`no time: ${text}`, () => assert.equal(timeIn(text, NOW), undefined))

test('only a text that is all time is read as one', () => {
  assert.ok(readTime('last week', NOW))
  assert.equal(readTime('last week redis', NOW), undefined)
})

test('days are those of the time zone, around midnight and where clocks change', () => {
  const code = `import { timeIn } from ${JSON.stringify(import.meta.resolve('./dates.ts'))}
    for (const at of JSON.parse(process.argv[1])) {
      const { from, to } = timeIn('yesterday', new Date(at))
      console.log(new Date(from).toISOString() + ' ' + (to + 1 - from) / 3_600_000)
    }`
  const inZone = (zone: string, ...at: string[]) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', code, JSON.stringify(at)], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
  const around = ['2026-06-10T23:59:59Z', '2026-06-11T00:00:01Z']
  assert.deepEqual(inZone('UTC', ...around), ['2026-06-09T00:00:00.000Z 24', '2026-06-10T00:00:00.000Z 24'])
  assert.deepEqual(inZone('Asia/Kolkata', ...around), Array(2).fill('2026-06-09T18:30:00.000Z 24'))
  assert.deepEqual(inZone('America/Los_Angeles', ...around), Array(2).fill('2026-06-09T07:00:00.000Z 24'))
  assert.deepEqual(inZone('Asia/Tokyo', ...around), Array(2).fill('2026-06-09T15:00:00.000Z 24'))
  assert.deepEqual(inZone('Europe/Berlin', '2026-03-30T10:00:00Z'), ['2026-03-28T23:00:00.000Z 23'])
})

/** Just before and just after midnight of Monday, 15 June 2026, as a clock on the wall shows it in each zone. */
const MIDNIGHT: [zone: string, midnight: string][] = [
  ['UTC', '2026-06-15T00:00:00Z'],
  ['Asia/Kolkata', '2026-06-14T18:30:00Z'],
  ['America/Los_Angeles', '2026-06-15T07:00:00Z'],
  ['Pacific/Auckland', '2026-06-14T12:00:00Z'],
]
const SAID: [text: string, before: string, after: string][] = [
  ['yesterday', '2026-06-13..2026-06-13', '2026-06-14..2026-06-14'],
  ['last week', '2026-06-01..2026-06-07', '2026-06-08..2026-06-14'],
  ['上周', '2026-06-01..2026-06-07', '2026-06-08..2026-06-14'],
  ['в прошлый вторник', '2026-06-09..2026-06-09', '2026-06-09..2026-06-09'],
  ['im Juni', '2026-06-01..2026-06-30', '2026-06-01..2026-06-30'],
  ['on July 12', '2025-07-12..2025-07-12', '2025-07-12..2025-07-12'],
  ['2026-06', '2026-06-01..2026-06-30', '2026-06-01..2026-06-30'],
]
test('each way to say a time is of the wall clock, a second before and after midnight, in four zones', () => {
  const code = `import { timeIn } from ${JSON.stringify(import.meta.resolve('./dates.ts'))}
    const [texts, at] = JSON.parse(process.argv[1])
    const day = (time) => new Date(time).toLocaleDateString('sv')
    const shown = (text, now) => {
      const { from, to } = timeIn(text, new Date(now))
      // The first and the last millisecond of those days.
      if (day(from - 1) === day(from) || day(to + 1) === day(to)) return 'not whole days'
      return day(from) + '..' + day(to)
    }
    console.log(JSON.stringify(texts.map((text) => [text, shown(text, at - 1_000), shown(text, at + 1_000)])))`
  for (const [zone, midnight] of MIDNIGHT) {
    const given = JSON.stringify([SAID.map(([text]) => text), Date.parse(midnight)])
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', code, given], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    })
    assert.deepEqual(JSON.parse(out), SAID, zone)
  }
})
