import { folderName, useSourceName } from '../../lib/overview.ts'
import { useUrlState } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { SourceBadge } from '../../ui/badge.tsx'
import { Fold } from '../../ui/fold.tsx'
import { ErrorBox, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Bars } from './bars.tsx'
import { chatsPath, useMetrics } from './data.ts'
import { type Chosen, type Group, MEASURES, measured } from './days.ts'
import { useWritten } from './series.tsx'
import { words } from './words.ts'

const WAYS = ['model', 'source', 'workspace', 'repository'] as const

/** Where it went: by model, assistant or workspace, the most first. */
export function Breakdown({ chosen }: { chosen: Chosen }) {
  const say = useWords(words)
  const { params, change } = useUrlState()
  const by = WAYS.find((each) => each === params.get('by')) ?? 'model'
  const measure = MEASURES.find((each) => each === params.get('measure')) ?? 'messages'
  const { data, error, refetch, isPending } = useMetrics(by, chosen)
  // What has no name cannot be narrowed to.
  const toChats = ({ key, names }: Group) =>
    key === '' || key === 'unknown' ? undefined : chatsPath(chosen, { [by]: names ?? key })
  const written = useWritten()
  const sourceName = useSourceName()
  const nameOf = (key: string) =>
    by === 'source' ? sourceName(key) : key === '' || key === 'unknown' ? say.unknown : key
  const groups = (data?.groups ?? [])
    .filter((group) => measured(group, measure) !== null)
    .sort((a, b) => (measured(b, measure) ?? 0) - (measured(a, measure) ?? 0))
  return (
    <section className="dashboard-part" aria-labelledby="breakdown">
      <div className="dashboard-part-head">
        <h2 id="breakdown">
          {say.by}: {say[by]}
        </h2>
        <p className="dashboard-readout">{say[measure]}</p>
      </div>
      <Tabs
        label={say.by}
        value={by}
        tabs={WAYS.map((value) => ({ value, label: say[value] }))}
        onChange={(next) => change({ by: next === 'model' ? undefined : next })}
      />
      {error && <ErrorBox error={error} retry={() => void refetch()} />}
      {isPending && <Skeleton height="8rem" />}
      {data && groups.length === 0 && <p className="faint">{say.noneHere}</p>}
      <Bars
        label={`${say.by}: ${say[by]}`}
        rows={groups.map((group) => ({
          key: group.key,
          name:
            by === 'source' ? (
              <SourceBadge source={group.key} />
            ) : by === 'workspace' && group.key ? (
              <span title={group.key}>{folderName(group.key)}</span>
            ) : (
              nameOf(group.key)
            ),
          to: toChats(group),
          value: measured(group, measure) ?? 0,
          written: written(measured(group, measure), measure),
        }))}
      />
      <Fold summary={say.asTable}>
        {() => (
          <Table
            caption={`${say.by}: ${say[by]}. ${say.asTable}`}
            file={by}
            columns={[
              { name: say[by], wide: true, cell: (row: Group) => nameOf(row.key) },
              ...MEASURES.map((each) => ({
                name: say[each],
                number: true,
                cell: (row: Group) => written(measured(row, each), each),
                raw: (row: Group) => measured(row, each),
              })),
            ]}
            rows={groups}
            keyOf={({ key }) => key}
          />
        )}
      </Fold>
    </section>
  )
}
