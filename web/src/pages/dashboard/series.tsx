import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import { useLocation } from 'wouter'
import 'uplot/dist/uPlot.min.css'
import { useFormat } from '../../lib/format.ts'
import { useUrlState } from '../../lib/route.ts'
import { useDark } from '../../lib/theme.ts'
import { useLanguage, useWords } from '../../lib/words.ts'
import { Fold } from '../../ui/fold.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { chatsPath } from './data.ts'
import { type Chosen, type Day, MEASURES, type Measure, measured, noonOf, steps } from './days.ts'
import { labelsOf } from './labels.ts'
import { words } from './words.ts'

const HEIGHT = 220
/** How many bars from one label to the next. */
const STEPS = [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365]

/** One measure, day by day: hover or arrow keys read a day, a table has them all. */
export function Series({ days, chosen }: { days: Day[]; chosen: Chosen }) {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const measure = MEASURES.find((each) => each === params.get('measure')) ?? 'messages'
  const written = useWritten()
  const { date } = useFormat()
  const [, navigate] = useLocation()
  const [at, setAt] = useState<number>()
  const shown = useMemo(() => steps(days, measure), [days, measure])
  const isWeekly = shown.length < days.length
  const day = at === undefined ? undefined : shown[at]
  const nameOf = ({ at, last }: Day) => (last ? say.weekOf(date(at), date(noonOf(last).getTime())) : date(at))
  return (
    <section className="dashboard-part" aria-labelledby="by-day">
      <div className="dashboard-part-head">
        <h2 id="by-day">{isWeekly ? say.byWeek : say.byDay}</h2>
        <p className="dashboard-readout" aria-live="polite">
          {day && `${nameOf(day)}: ${written(measured(day, measure), measure)}`}
        </p>
      </div>
      <Tabs
        label={say.show}
        value={measure}
        tabs={MEASURES.map((value) => ({ value, label: say[value] }))}
        onChange={(next) => change({ measure: next === 'messages' ? undefined : next })}
      />
      <Chart
        days={shown}
        measure={measure}
        at={at}
        onAt={setAt}
        onOpen={({ key, last = key }) => navigate(chatsPath(chosen, { from: key, to: last }))}
      />
      <Fold summary={say.asTable}>
        {() => (
          <Table
            caption={`${say.byDay}: ${say[measure]}. ${say.asTable}`}
            file="days"
            columns={[
              { name: say.day, cell: ({ at }: Day) => date(at), raw: ({ key }: Day) => key },
              ...MEASURES.map((each) => ({
                name: say[each],
                number: true,
                cell: (row: Day) => written(measured(row, each), each),
                raw: (row: Day) => measured(row, each),
              })),
            ]}
            rows={days.filter(({ messages }) => messages).reverse()}
            keyOf={({ key }) => key}
          />
        )}
      </Fold>
    </section>
  )
}

/** A measure as people write it. */
export function useWritten(): (value: number | null, measure: Measure) => string {
  const { number, compact, dollars, duration } = useFormat()
  return (value, measure) => {
    if (value === null) return '–'
    if (measure === 'cost') return dollars(value)
    if (measure === 'latency') return duration(value)
    return measure === 'tokens' ? compact(value) : number(value)
  }
}

interface ChartProps {
  days: Day[]
  measure: Measure
  at: number | undefined
  onAt: (at: number | undefined) => void
  onOpen: (day: Day) => void
}

function Chart({ days, measure, at, onAt, onOpen }: ChartProps) {
  const say = useWords(words)
  const language = useLanguage()
  const written = useWritten()
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const isDark = useDark()
  const draw = useRef({ written, onAt, onOpen })
  draw.current = { written, onAt, onOpen }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the language change how it is drawn
  useEffect(() => {
    const place = box.current
    if (!place || days.length === 0) return
    const colour = (name: string) => getComputedStyle(place).getPropertyValue(name).trim()
    const probe = (name: string) => resolved(place, `var(${name})`)
    const text = probe('--text-faint')
    const axis = {
      stroke: text,
      grid: { stroke: probe('--line'), width: 1 },
      ticks: { show: false },
      font: `11px ${colour('--sans')}`,
    }
    const bars = uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.15 })
    const plot = new uPlot(
      {
        width: place.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        scales: {
          // By their places, not by time: a label is below its bar, whatever the clocks do.
          x: { time: false, range: () => [-0.5, days.length - 0.5] },
          y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            incrs: STEPS,
            space: 76,
            values: (_, ticks) => labelsOf(ticks, days, language),
          },
          {
            ...axis,
            size: 64,
            values: (_, ticks) => ticks.map((tick) => draw.current.written(tick, measure)),
          },
        ],
        series: [
          {},
          {
            label: say[measure],
            stroke: probe('--accent-fill'),
            ...(measure === 'latency'
              ? { width: 2, spanGaps: true, points: { show: true, size: 5, fill: probe('--accent-fill') } }
              : { fill: probe('--accent-fill'), width: 0, paths: bars, points: { show: false } }),
          },
        ],
        hooks: { setCursor: [({ cursor }) => draw.current.onAt(cursor.idx ?? undefined)] },
      },
      [days.map((_, place) => place), days.map((day) => measured(day, measure))],
      place,
    )
    chart.current = plot
    plot.over.addEventListener('click', () => {
      const day = days[plot.cursor.idx ?? -1]
      if (day) draw.current.onOpen(day)
    })
    const sized = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }))
    sized.observe(place)
    return () => {
      sized.disconnect()
      plot.destroy()
      chart.current = null
    }
  }, [days, measure, isDark, language])

  const move = (step: number) => {
    const next = Math.max(0, Math.min(days.length - 1, (at ?? days.length - 1 - step) + step))
    const plot = chart.current
    if (days[next] && plot) plot.setCursor({ left: plot.valToPos(next, 'x'), top: 0 })
  }
  return (
    <section
      ref={box}
      className="dashboard-chart"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read out one day after the other
      tabIndex={0}
      aria-label={`${say.byDay}: ${say[measure]}. ${say.keysHint}`}
      onKeyDown={(event) => {
        const day = at === undefined ? undefined : days[at]
        if (event.key === 'Enter' && day) onOpen(day)
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
        if (step === 0) return
        event.preventDefault()
        move(step)
      }}
    />
  )
}

/** A colour as the canvas takes it: `light-dark()` is known to styles only. */
function resolved(place: HTMLElement, colour: string): string {
  const before = place.style.color
  place.style.color = colour
  const found = getComputedStyle(place).color
  place.style.color = before
  return found
}
