import { useFormat } from '../../lib/format.ts'
import { useWords } from '../../lib/words.ts'
import { ErrorBox } from '../../ui/states.tsx'
import { Bars } from './bars.tsx'
import { type Chosen, useMetrics } from './data.ts'
import { words } from './words.ts'

/** Which tools were called, and how often they failed. */
export function Tools({ chosen }: { chosen: Chosen }) {
  const say = useWords(words)
  const { number, percent } = useFormat()
  const { data, error, refetch } = useMetrics('tool', chosen)
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
    </section>
  )
}

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
    </section>
  )
}
