import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useFormat } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/words.ts'
import { chatsPath } from './data.ts'
import { type Chosen, type Day, levelsOf } from './days.ts'
import { words } from './words.ts'

const CELL = 13
const LEFT = 30
const TOP = 18
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }

/** A square for each day, a column for each week; the more was said, the stronger its colour. */
export function Calendar({ days, chosen }: { days: Day[]; chosen: Chosen }) {
  const say = useWords(words)
  const language = useLanguage()
  const { moment, number } = useFormat()
  const [at, setAt] = useState<number>()
  const box = useRef<HTMLDivElement>(null)
  const cells = useMemo(() => placed(days), [days])
  const levels = useMemo(() => levelsOf(days.map(({ messages = 0 }) => messages)), [days])
  const weeks = (cells.at(-1)?.week ?? 0) + 1
  // Today is at the right end: that is where one looks first.
  useEffect(() => {
    if (box.current && days.length > 0) box.current.scrollLeft = box.current.scrollWidth
  }, [days])
  const [, navigate] = useLocation()
  const open = ({ key }: Day) => navigate(chatsPath(chosen, { from: key, to: key }))
  const onKeyDown = (event: KeyboardEvent) => {
    const day = at === undefined ? undefined : days[at]
    if (event.key === 'Enter' && day) open(day)
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(days.length - 1, (at ?? days.length - 1 - step) + step)))
  }
  const dayName = new Intl.DateTimeFormat(language, { weekday: 'short' })
  const pointed = at === undefined ? undefined : days[at]
  return (
    <section className="dashboard-part" aria-labelledby="activity">
      <div className="dashboard-part-head">
        <h2 id="activity">{say.activity}</h2>
        <p className="dashboard-readout" aria-live="polite">
          {pointed
            ? say.activityOf(dateOf(language, pointed.at), pointed.messages ?? 0)
            : days.length > 0 &&
              say.busyDays(number(days.filter(({ messages }) => messages).length), number(days.length))}
        </p>
      </div>
      <section
        className="dashboard-calendar"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read out one day after the other
        tabIndex={0}
        aria-label={`${say.activity}. ${say.keysHint}`}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(undefined)}
      >
        <svg
          width={LEFT + weeks * CELL}
          height={TOP + 7 * CELL}
          aria-hidden="true"
          onPointerLeave={() => setAt(undefined)}
        >
          {[1, 3, 5].map((row) => (
            <text key={row} x={0} y={TOP + row * CELL + 9} className="dashboard-axis">
              {/* 1 January 2024 was a Monday. */}
              {dayName.format(new Date(2024, 0, 1 + row, 12))}
            </text>
          ))}
          {monthsOf(cells, language).map(({ name, week }) => (
            <text key={`${name}${week}`} x={LEFT + week * CELL} y={10} className="dashboard-axis">
              {name}
            </text>
          ))}
          {cells.map(({ day, week, row }, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard opens a day from the calendar itself
            <rect
              key={day.key}
              x={LEFT + week * CELL}
              y={TOP + row * CELL}
              width={CELL - 3}
              height={CELL - 3}
              rx={2.5}
              className={`dashboard-day dashboard-day-${levels(day.messages ?? 0)}${index === at ? ' dashboard-day-now' : ''}`}
              onPointerEnter={() => setAt(index)}
              onClick={() => open(day)}
            >
              <title>{say.activityOf(moment(day.at).replace(/,[^,]*$/, ''), day.messages ?? 0)}</title>
            </rect>
          ))}
        </svg>
      </section>
      <p className="dashboard-legend" aria-hidden="true">
        {say.less}
        {[0, 1, 2, 3, 4].map((level) => (
          <i key={level} className={`dashboard-sign dashboard-sign-${level}`} />
        ))}
        {say.more}
      </p>
    </section>
  )
}

interface Cell {
  day: Day
  week: number
  /** From Monday. */
  row: number
}

function placed(days: Day[]): Cell[] {
  const offset = rowOf(days[0]?.at ?? 0)
  return days.map((day, index) => ({
    day,
    week: Math.floor((index + offset) / 7),
    row: (index + offset) % 7,
  }))
}

function rowOf(at: number): number {
  return (new Date(at).getDay() + 6) % 7
}

/** Where a month's first whole week begins; the names need room. */
function monthsOf(cells: Cell[], language: string): { name: string; week: number }[] {
  const month = new Intl.DateTimeFormat(language, { month: 'short' })
  const months: { name: string; week: number }[] = []
  let last = -1
  for (const { day, week, row } of cells) {
    const date = new Date(day.at)
    if (row !== 0 || date.getMonth() === last) continue
    last = date.getMonth()
    if (week - (months.at(-1)?.week ?? -9) >= 3) months.push({ name: month.format(date), week })
  }
  return months
}

function dateOf(language: string, at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(at)
}
