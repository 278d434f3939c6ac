import { Link, useLocation } from 'wouter'
import { useFormat } from '../../lib/format.ts'
import { chatPath, pathWith, useUrlState } from '../../lib/route.ts'
import type { MetricsAnswer } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Fold } from '../../ui/fold.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Bars } from './bars.tsx'
import { useMetrics } from './data.ts'
import type { Chosen, Group } from './days.ts'
import { words } from './words.ts'

/** Which tools were called, and how often they failed. */
export function Tools({ chosen }: { chosen: Chosen }) {
  const say = useWords(words)
  const { number, percent } = useFormat()
  const { data, error, refetch } = useMetrics('tool', chosen)
  const { params } = useUrlState()
  const [path] = useLocation()
  const groups = (data?.groups ?? []).sort((a, b) => (b.tools?.calls ?? 0) - (a.tools?.calls ?? 0))
  return (
    <section className="dashboard-part" aria-labelledby="tools">
      <div className="dashboard-part-head">
        <h2 id="tools">{say.tools}</h2>
        <p className="dashboard-readout">{say.toolCalls}</p>
      </div>
      {error && <ErrorBox error={error} retry={() => void refetch()} />}
      <Bars
        label={say.tools}
        rows={groups.map(({ key, tools = { calls: 0, failures: 0 } }) => ({
          key,
          name: key || say.unknown,
          value: tools.calls,
          bad: tools.failures,
          to: key ? pathWith(path, { ...Object.fromEntries(params), tool: key }) : undefined,
          written:
            tools.failures > 0 ? (
              <>
                {number(tools.calls)}{' '}
                <span className="dashboard-failed">
                  {say.failureRate} {percent(tools.failures / tools.calls)}
                </span>
              </>
            ) : (
              number(tools.calls)
            ),
        }))}
      />
      {groups.length > 0 && (
        <Fold summary={say.asTable}>
          {() => (
            <Table
              caption={`${say.tools}. ${say.asTable}`}
              file="tools"
              columns={[
                { name: say.tool, wide: true, cell: ({ key }: Group) => key },
                { name: say.toolCalls, number: true, cell: ({ tools }: Group) => tools?.calls ?? 0 },
                { name: say.failures, number: true, cell: ({ tools }: Group) => tools?.failures ?? 0 },
              ]}
              rows={groups}
              keyOf={({ key }) => key}
            />
          )}
        </Fold>
      )}
      {data?.failed && <Failed failed={data.failed} />}
    </section>
  )
}

/** The newest calls that failed, and what was answered. */
function Failed({ failed }: { failed: NonNullable<MetricsAnswer['failed']> }) {
  const say = useWords(words)
  return (
    <Fold summary={say.failedLately}>
      {() => (
        <Table
          caption={say.failedLately}
          file="failures"
          columns={[
            { name: say.tool, cell: ({ tool }: FailedCall) => tool },
            {
              name: say.error,
              wide: true,
              cell: ({ source, chatId, index, title, error }: FailedCall) => (
                <Link href={chatPath(source, chatId, index)} title={title}>
                  {error || say.unknown}
                </Link>
              ),
              raw: ({ error }: FailedCall) => error,
            },
            {
              name: say.chat,
              cell: ({ title }: FailedCall) => <span title={title}>{title}</span>,
              raw: ({ source, chatId, index }: FailedCall) => `${source}:${chatId}#${index}`,
            },
          ]}
          rows={failed}
          keyOf={({ chatId, index, tool }) => `${chatId} ${index} ${tool}`}
        />
      )}
    </Fold>
  )
}

type FailedCall = NonNullable<MetricsAnswer['failed']>[number]

/** How long models take to answer, the slowest first. */
export function Latencies({ chosen }: { chosen: Chosen }) {
  const say = useWords(words)
  const { duration } = useFormat()
  const { data, error, refetch } = useMetrics('model', chosen)
  const rows = (data?.groups ?? []).flatMap(({ key, latencyMs }) => (latencyMs ? { key, ...latencyMs } : []))
  rows.sort((a, b) => b.p50 - a.p50)
  return (
    <section className="dashboard-part" aria-labelledby="latencies">
      <div className="dashboard-part-head">
        <h2 id="latencies">{say.latencies}</h2>
        <p className="dashboard-readout">{say.p50}</p>
      </div>
      {error && <ErrorBox error={error} retry={() => void refetch()} />}
      {data && rows.length === 0 && <p className="faint">{say.unknown}</p>}
      <Bars
        label={say.latencies}
        rows={rows.map(({ key, p50, p95 }) => ({
          key,
          name: key || say.unknown,
          value: p50,
          written: <span title={say.p95Of(duration(p95))}>{duration(p50)}</span>,
        }))}
      />
      {rows.length > 0 && (
        <Fold summary={say.asTable}>
          {() => (
            <Table
              caption={`${say.latencies}. ${say.asTable}`}
              file="latencies"
              columns={[
                { name: say.model, wide: true, cell: ({ key }) => key || say.unknown },
                { name: say.p50, number: true, cell: ({ p50 }) => duration(p50), raw: ({ p50 }) => p50 },
                { name: say.p95, number: true, cell: ({ p95 }) => duration(p95), raw: ({ p95 }) => p95 },
                { name: say.answers, number: true, cell: ({ count }) => count },
              ]}
              rows={rows}
              keyOf={({ key }) => key}
            />
          )}
        </Fold>
      )}
    </section>
  )
}
