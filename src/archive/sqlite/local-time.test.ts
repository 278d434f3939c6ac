import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOT_MS } from './kept-usage.ts'
import { localDays, localHours } from './local-time.ts'

const DAY_MS = 86_400_000
const ZONES = [
  undefined,
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Los_Angeles',
]

test('the day and the hour of every slot are those of the clock there, also where it is put forward or back', () => {
  for (const timeZone of ZONES) {
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone })
    const hour = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      hourCycle: 'h23',
    })
    const dayOf = localDays(timeZone)
    const hourOf = localHours(timeZone)
    // A week around each of: a change in spring, in autumn, in the south, and the day that Samoa left out.
    for (const around of [
      '2026-03-29',
      '2026-10-25',
      '2026-04-05',
      '2011-12-30',
      '2026-11-01',
      '2026-03-08',
    ]) {
      const from = Math.floor(Date.parse(around) / SLOT_MS) - 3 * 96
      for (let slot = from; slot < from + 6 * 96; slot++) {
        const at = slot * SLOT_MS
        const about = `${timeZone} ${new Date(at).toISOString()}`
        assert.equal(dayOf(slot), day.format(at), about)
        const [weekday, hours] = hour.format(at).split(/,? /)
        const number = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday!) + 1
        assert.equal(hourOf(slot), `${number}-${hours}`, about)
      }
    }
  }
  assert.equal(localDays()(null), 'undated')
  assert.equal(localHours('Asia/Kathmandu')(null), '')
  // What no file should tell.
  for (const timeZone of [undefined, 'Asia/Kathmandu'])
    assert.equal(localDays(timeZone)((1e15 / DAY_MS) * 1e12), 'NaN-NaN-NaN')
})
