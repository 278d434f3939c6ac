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
  ['errors in the last 48 hours', '2026-11-13..2026-11-15 in the last 48 hours'],
  ['in den letzten 24 Stunden', '2026-11-14..2026-11-15 in den letzten 24 Stunden'],
  ['за последние 3 часа', '2026-11-14..2026-11-15 за последние 3 часа'],
  ['what failed in the last hour', '2026-11-14..2026-11-15 in the last hour'],
  ['the past 24h', '2026-11-14..2026-11-15 the past 24h'],
  ['最近12小时', '2026-11-14..2026-11-15 最近12小时'],
  ['deploy over the weekend', '2026-11-14..2026-11-15 over the weekend'],
  ['last weekend', '2026-11-07..2026-11-08 last weekend'],
  ['letztes Wochenende', '2026-11-07..2026-11-08 letztes Wochenende'],
  ['на выходных', '2026-11-14..2026-11-15 на выходных'],
  ['上周末', '2026-11-07..2026-11-08 上周末'],
  ['since June redis', '2026-06-01..2026-11-15 since June'],
  ['before July 12 redis', '..2026-07-11 before July 12'],
  ['June', '2026-06-01..2026-06-30 June'],
]
/** From one time to another, since or before one, quarters and halves: by language. */
const SPANS: Record<string, [text: string, from: string, to: string][]> = {
  English: [
    ['what did we decide between March 3 and March 10', '2026-03-03', '2026-03-10'],
    ['between the 3rd and the 10th of March', '2026-03-03', '2026-03-10'],
    ['between Monday and Wednesday', '2026-11-09', '2026-11-11'],
    ['Monday-Wednesday', '2026-11-09', '2026-11-11'],
    ['from 3 to 10 March', '2026-03-03', '2026-03-10'],
    ['3-10 March 2026', '2026-03-03', '2026-03-10'],
    ['1-2 March', '2026-03-01', '2026-03-02'],
    ['March 3-10, 2025', '2025-03-03', '2025-03-10'],
    ['March 3, 2025 to March 10', '2025-03-03', '2025-03-10'],
    ['June-August 2025', '2025-06-01', '2025-08-31'],
    ['from December to February', '2025-12-01', '2026-02-28'],
    ['November 10 to November 20', '2026-11-10', '2026-11-20'],
    ['from last week until yesterday', '2026-11-02', '2026-11-14'],
    ['from Friday to yesterday', '2026-11-13', '2026-11-14'],
    ['between 2024 and 2025', '2024-01-01', '2025-12-31'],
    ['2026-03-03..2026-03-10', '2026-03-03', '2026-03-10'],
    ['2026-03-03 - 2026-03-10', '2026-03-03', '2026-03-10'],
    ['2026-03-10..2026-03-03', '2026-03-03', '2026-03-10'],
    ['from March 10 to March 3', '2026-03-03', '2026-03-10'],
    ['since Monday', '2026-11-09', '2026-11-15'],
    ['since March', '2026-03-01', '2026-11-15'],
    ['since yesterday', '2026-11-14', '2026-11-15'],
    ['since 2025', '2025-01-01', '2026-11-15'],
    ['until Friday', '', '2026-11-13'],
    ['before Friday', '', '2026-11-12'],
    ['after March 5', '2026-03-06', '2026-11-15'],
    ['Q3 2026', '2026-07-01', '2026-09-30'],
    ['2026-Q3', '2026-07-01', '2026-09-30'],
    ['third quarter of 2026', '2026-07-01', '2026-09-30'],
    ['first half of 2026', '2026-01-01', '2026-06-30'],
    ['second half of last year', '2025-07-01', '2025-12-31'],
    ['second half of June', '2026-06-16', '2026-06-30'],
    ['Q1 2026 to Q2 2026', '2026-01-01', '2026-06-30'],
    ['since Q3 2025', '2025-07-01', '2026-11-15'],
    ['last quarter', '2026-07-01', '2026-09-30'],
    ['two quarters ago', '2026-04-01', '2026-06-30'],
  ],
  German: [
    ['zwischen Montag und Mittwoch', '2026-11-09', '2026-11-11'],
    ['vom 3. bis zum 10. März', '2026-03-03', '2026-03-10'],
    ['von März bis Mai 2025', '2025-03-01', '2025-05-31'],
    ['seit Montag', '2026-11-09', '2026-11-15'],
    ['ab dem 5. März', '2026-03-05', '2026-11-15'],
    ['vor Freitag', '', '2026-11-12'],
    ['vor zwei Wochen', '2026-10-26', '2026-11-01'],
    ['was haben wir vor 3 Tagen gebaut?', '2026-11-12', '2026-11-12'],
    ['im dritten Quartal 2026', '2026-07-01', '2026-09-30'],
    ['1. Halbjahr 2025', '2025-01-01', '2025-06-30'],
    ['letztes Quartal', '2026-07-01', '2026-09-30'],
    ['dieses Halbjahr', '2026-07-01', '2026-12-31'],
  ],
  Russian: [
    ['с 3 по 10 марта', '2026-03-03', '2026-03-10'],
    ['с марта по май', '2026-03-01', '2026-05-31'],
    ['между понедельником и средой', '2026-11-09', '2026-11-11'],
    ['с понедельника', '2026-11-09', '2026-11-15'],
    ['с прошлой недели', '2026-11-02', '2026-11-15'],
    ['что делали до среды?', '', '2026-11-10'],
    ['в третьем квартале 2026 года', '2026-07-01', '2026-09-30'],
    ['первая половина прошлого года', '2025-01-01', '2025-06-30'],
    ['прошлый квартал', '2026-07-01', '2026-09-30'],
  ],
  Chinese: [
    ['从3月3日到3月10日', '2026-03-03', '2026-03-10'],
    ['3月3日至10日', '2026-03-03', '2026-03-10'],
    ['3月3日和3月10日之间', '2026-03-03', '2026-03-10'],
    ['周一到周三', '2026-11-09', '2026-11-11'],
    ['上周一到周三', '2026-11-02', '2026-11-04'],
    ['自3月以来', '2026-03-01', '2026-11-15'],
    ['从周一开始', '2026-11-09', '2026-11-15'],
    ['昨天之前', '', '2026-11-13'],
    ['2026年第三季度', '2026-07-01', '2026-09-30'],
    ['今年上半年', '2026-01-01', '2026-06-30'],
    ['上个季度', '2026-07-01', '2026-09-30'],
  ],
  Spanish: [
    ['entre el 3 y el 10 de marzo', '2026-03-03', '2026-03-10'],
    ['desde marzo hasta mayo', '2026-03-01', '2026-05-31'],
    ['después del lunes', '2026-11-10', '2026-11-15'],
    ['antes del 5 de marzo', '', '2026-03-04'],
    ['primer trimestre de 2026', '2026-01-01', '2026-03-31'],
    ['el semestre pasado', '2026-01-01', '2026-06-30'],
  ],
  French: [
    ['du 3 au 10 mars', '2026-03-03', '2026-03-10'],
    ['entre lundi et mercredi', '2026-11-09', '2026-11-11'],
    ['depuis lundi', '2026-11-09', '2026-11-15'],
    ["jusqu'à vendredi", '', '2026-11-13'],
    ['deuxième semestre de 2025', '2025-07-01', '2025-12-31'],
  ],
  Italian: [
    ['dal 3 al 10 marzo', '2026-03-03', '2026-03-10'],
    ['tra lunedì e mercoledì', '2026-11-09', '2026-11-11'],
    ['prima di venerdì', '', '2026-11-12'],
    ['terzo trimestre del 2026', '2026-07-01', '2026-09-30'],
  ],
  Portuguese: [
    ['entre 3 e 10 de março', '2026-03-03', '2026-03-10'],
    ['depois de 5 de março', '2026-03-06', '2026-11-15'],
    ['terceiro trimestre de 2026', '2026-07-01', '2026-09-30'],
  ],
  Japanese: [
    ['3月3日から3月10日まで', '2026-03-03', '2026-03-10'],
    ['昨日から', '2026-11-14', '2026-11-15'],
    ['2026年第3四半期', '2026-07-01', '2026-09-30'],
  ],
  Korean: [
    ['어제부터 오늘까지', '2026-11-14', '2026-11-15'],
    ['지난주까지', '', '2026-11-08'],
  ],
}
for (const [language, spans] of Object.entries(SPANS))
  test(`from one time to another, since or before one, and parts of one: ${language}`, () => {
    const asked = spans.map(([text]) => {
      const { from, to } = timeIn(`${text}`, NOW) ?? {}
      return [text, day(from), day(to)]
    })
    assert.deepEqual(asked, spans)
  })

test('the words of a range are all of its words', () => {
  for (const words of [
    'between March 3 and March 10',
    'vom 3. bis zum 10. März',
    'с понедельника по среду',
    '从3月3日到3月10日',
    '3月3日から3月10日まで',
    'in the first half of last year',
  ])
    assert.equal(timeIn(`${words} cache`, NOW)?.words, words)
})

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
  'difference between A and B',
  'between two threads',
  'between 3 and 10 retries',
  'since the refactor',
  'before the meeting',
  'before 2048 tokens',
  'Q3',
  'rename Q3 in the sheet',
  'first half of the file',
  'section 1-2',
  'steps 1-2 may fail',
  'from 3.9 to 3.10',
  'convert from dec to oct',
  'from march to victory',
  'march and april',
  'lines 2010-2020',
  'port 2024-2025',
  'CVE-2024-2025 fix',
  '2026..2030',
  '10-3 March',
  'migrate from monday to jira',
  'wait until monday.com responds',
  'до среды выполнения',
  'vor allem ab Version 3',
  'two weeks before Friday',
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
