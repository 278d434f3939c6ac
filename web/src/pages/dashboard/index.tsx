import { useMemo } from 'react'
import { dayOf } from '../../../../src/model/day.ts'
import { useFormat } from '../../lib/format.ts'
import { folderName, useOverview, usePlaces } from '../../lib/overview.ts'
import { useUrlState } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { ORIGINS, OriginChoice } from '../../ui/origin.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorBox } from '../../ui/states.tsx'
import { Breakdown } from './breakdown.tsx'
import { Calendar } from './calendar.tsx'
import { TopChats } from './chats.tsx'
import { useMetrics } from './data.ts'
import { type Chosen, everyDay, RANGES, wholeYear } from './days.ts'
import { Hours } from './hours.tsx'
import { Latencies, Tools } from './rankings.tsx'
import { Series } from './series.tsx'
import { States } from './states.tsx'
import { Totals } from './totals.tsx'
import { Trend } from './trend.tsx'
import { words } from './words.ts'
import './dashboard.css'

export default function Dashboard() {
  const say = useWords(words)
  const chosen = useChosen()
  const byDay = useMetrics('day', chosen)
  const days = useMemo(
    () => (byDay.data ? everyDay(byDay.data.groups ?? [], chosen) : []),
    [byDay.data, chosen],
  )
  const isEmpty = byDay.data?.totals.messages === 0
  const tool = useUrlState().params.get('tool') ?? undefined
  const hasChats = useOverview()?.archive.chats !== 0
  return (
    <Page title={say.title} lead={say.lead} wide>
      <Filters chosen={chosen} />
      {byDay.error && <ErrorBox error={byDay.error} retry={() => void byDay.refetch()} />}
      {isEmpty ? (
        <Empty icon="dashboard" title={hasChats ? say.none : say.noChats}>
          {hasChats ? say.noneText : say.noChatsText}
        </Empty>
      ) : (
        <div className="dashboard" aria-busy={byDay.isPlaceholderData || byDay.isPending}>
          {tool && <TopChats chosen={chosen} tool={tool} />}
          <Totals answer={byDay.data} chosen={chosen} />
          <Calendar days={chosen.range === 'all' ? wholeYear(days) : days} chosen={chosen} />
          <Series days={days} chosen={chosen} />
          <States />
          <Breakdown chosen={chosen} />
          {!tool && <TopChats chosen={chosen} />}
          <Hours chosen={chosen} />
          <Trend chosen={chosen} />
          <div className="dashboard-pair">
            <Tools chosen={chosen} />
            <Latencies chosen={chosen} />
          </div>
        </div>
      )}
    </Page>
  )
}

/** What the address says is to be counted. */
function useChosen(): Chosen {
  const { params } = useUrlState()
  const [range, from, to, source, workspace, repository, author, machine] = NAMES.map(
    (name) => params.get(name) ?? undefined,
  )
  return useMemo(
    () => ({
      range: from || to ? { from, to } : (RANGES.find((each) => each === range) ?? 'all'),
      source,
      workspace,
      repository,
      author,
      machine,
    }),
    [range, from, to, source, workspace, repository, author, machine],
  )
}

const NAMES = ['range', 'from', 'to', 'source', 'workspace', ...ORIGINS]

function Filters({ chosen }: { chosen: Chosen }) {
  const { range, source = '', workspace = '' } = chosen
  const say = useWords(words)
  const { date } = useFormat()
  const overview = useOverview()
  const { workspaces } = usePlaces()
  const { change } = useUrlState()
  const custom = typeof range === 'object'
  const monthAgo = () => {
    const day = new Date()
    day.setMonth(day.getMonth() - 1)
    return dayOf(day)
  }
  return (
    <div className="dashboard-filters">
      <Choice
        label={say.range}
        value={custom ? 'custom' : range}
        options={[
          ...(['all', '90d', '30d', '7d'] as const).map((value) => ({ value, label: say[value] })),
          { value: 'custom', label: say.custom },
        ]}
        onChange={(next) =>
          next === 'custom'
            ? change({ range: undefined, from: monthAgo(), to: dayOf(new Date()) }, { push: true })
            : change(
                { range: next === 'all' ? undefined : next, from: undefined, to: undefined },
                { push: true },
              )
        }
      />
      {custom &&
        (['from', 'to'] as const).map((end) => (
          <Field
            key={end}
            className="dashboard-date"
            type="date"
            label={say[end]}
            hideLabel
            title={say[end]}
            value={range[end] ?? ''}
            max={dayOf(new Date())}
            onChange={(event) => change({ [end]: event.target.value })}
          />
        ))}
      <Choice
        label={say.assistant}
        value={source}
        options={[
          { value: '', label: say.everyAssistant },
          ...(overview?.sources ?? []).map((each) => ({ value: each.source, label: each.name })),
        ]}
        onChange={(next) => change({ source: next }, { push: true })}
      />
      <Choice
        label={say.workspace}
        value={workspace}
        options={[
          { value: '', label: say.everyWorkspace },
          ...workspaces.map(({ path, newestAt }) => ({
            value: path,
            label: newestAt ? `${folderName(path)} · ${date(newestAt)}` : folderName(path),
          })),
        ]}
        onChange={(next) => change({ workspace: next }, { push: true })}
      />
      {ORIGINS.map((name) => (
        <OriginChoice
          key={name}
          name={name}
          value={chosen[name] ?? ''}
          onChange={(next) => change({ [name]: next }, { push: true })}
        />
      ))}
    </div>
  )
}
