import { useMemo } from 'react'
import { useLanguage, useWords } from '../../lib/words.ts'
import { Fold } from '../../ui/fold.tsx'
import { Table } from '../../ui/table.tsx'
import { useMetrics } from './data.ts'
import { type Chosen, type Group, levelsOf } from './days.ts'
import { words } from './words.ts'

const CELL = 22
const LEFT = 34
const TOP = 16
const WEEK = [1, 2, 3, 4, 5, 6, 7]
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** When it is said: a row for each day of the week, a column for each hour of it. */
export function Hours({ chosen }: { chosen: Chosen }) {
  const say = useWords(words)
  const language = useLanguage()
  const { data } = useMetrics('hour', chosen)
  const groups = (data?.groups ?? []).filter(({ key }) => /^\d-\d\d$/.test(key))
  const said = useMemo(() => new Map(groups.map(({ key, messages = 0 }) => [key, messages])), [groups])
  const levels = useMemo(() => levelsOf([...said.values()]), [said])
  // 1 January 2024 was a Monday.
  const dayName = (day: number, weekday: 'short' | 'long' = 'short') =>
    new Intl.DateTimeFormat(language, { weekday }).format(new Date(2024, 0, day, 12))
  const nameOf = (key: string) => `${dayName(Number(key[0]), 'long')}, ${key.slice(2)}:00`
  const [most] = groups.toSorted((a, b) => (b.messages ?? 0) - (a.messages ?? 0))
  if (groups.length === 0) return undefined
  return (
    <section className="dashboard-part" aria-labelledby="hours">
      <div className="dashboard-part-head">
        <h2 id="hours">{say.hours}</h2>
        {most && <p className="dashboard-readout">{say.busiest(nameOf(most.key), most.messages ?? 0)}</p>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="dashboard-hours" tabIndex={0} aria-label={say.hoursShown}>
        <svg width={LEFT + 24 * CELL} height={TOP + 7 * CELL} aria-hidden="true">
          {HOURS.filter((hour) => hour % 3 === 0).map((hour) => (
            <text key={hour} x={LEFT + hour * CELL} y={10} className="dashboard-axis">
              {hour}
            </text>
          ))}
          {WEEK.map((day) => (
            <text key={day} x={0} y={TOP + (day - 1) * CELL + 14} className="dashboard-axis">
              {dayName(day)}
            </text>
          ))}
          {WEEK.flatMap((day) =>
            HOURS.map((hour) => {
              const key = `${day}-${String(hour).padStart(2, '0')}`
              const messages = said.get(key) ?? 0
              return (
                <rect
                  key={key}
                  x={LEFT + hour * CELL}
                  y={TOP + (day - 1) * CELL}
                  width={CELL - 3}
                  height={CELL - 3}
                  rx={3}
                  className={`dashboard-day dashboard-day-${levels(messages)}`}
                >
                  <title>{say.activityOf(nameOf(key), messages)}</title>
                </rect>
              )
            }),
          )}
        </svg>
      </section>
      <Fold summary={say.asTable}>
        {() => (
          <Table
            caption={`${say.hours}. ${say.asTable}`}
            file="hours"
            columns={[
              { name: say.hour, cell: ({ key }: Group) => nameOf(key) },
              { name: say.messages, number: true, cell: ({ messages = 0 }: Group) => messages },
            ]}
            rows={groups}
            keyOf={({ key }) => key}
          />
        )}
      </Fold>
    </section>
  )
}
