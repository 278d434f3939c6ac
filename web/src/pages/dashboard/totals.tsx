import type { ReactNode } from 'react'
import { useFormat } from '../../lib/format.ts'
import type { MetricsAnswer } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Skeleton } from '../../ui/states.tsx'
import { useMetrics } from './data.ts'
import type { Chosen } from './days.ts'
import { words } from './words.ts'

/** The sums of everything that is chosen. */
export function Totals({ answer, chosen }: { answer: MetricsAnswer | undefined; chosen: Chosen }) {
  const say = useWords(words)
  const { number, compact, percent, dollars, duration } = useFormat()
  const totals = answer?.totals
  const byAgents = useMetrics('subagent', chosen).data?.groups
  const agents = byAgents?.find(({ key }) => key === 'subagent')
  if (!totals || !answer) {
    return (
      <dl className="dashboard-totals" aria-busy="true">
        {[say.messages, say.tokens, say.cost, say.toolCalls, say.subagents, say.latency].map((name) => (
          <Total key={name} name={name} value={<Skeleton width="4rem" />} note={<Skeleton width="7rem" />} />
        ))}
      </dl>
    )
  }
  const { tokens, cost, tools, latencyMs } = totals
  const share = (part: number, whole: number) => percent(whole > 0 ? part / whole : 0)
  return (
    <dl className="dashboard-totals">
      <Total name={say.messages} value={number(totals.messages)} note={say.requestsOf(totals.requests)} />
      <Total
        name={say.tokens}
        value={compact(tokens.input + tokens.output)}
        note={say.tokensOf(compact(tokens.input), compact(tokens.output))}
        more={say.cachedOf(share(tokens.cached, tokens.input))}
      />
      <Total
        name={say.cost}
        value={cost.usd === null ? '–' : dollars(cost.usd)}
        note={say.estimate(answer.prices.asOf)}
        more={cost.unknown > 0 ? say.withoutPrice(cost.unknown) : undefined}
      />
      <Total
        name={say.toolCalls}
        value={number(tools.calls)}
        note={
          tools.failures > 0
            ? say.failedOf(tools.failures, share(tools.failures, tools.calls))
            : say.noFailures
        }
      />
      <Total
        name={say.subagents}
        value={byAgents ? share(agents?.messages ?? 0, totals.messages) : <Skeleton width="4rem" />}
        note={say.ofMessages}
        more={byAgents && say.ofCost(share(agents?.cost?.usd ?? 0, cost.usd ?? 0))}
      />
      <Total
        name={say.latency}
        value={latencyMs ? duration(latencyMs.p50) : '–'}
        note={latencyMs ? say.p95Of(duration(latencyMs.p95)) : say.unknown}
        more={latencyMs ? say.measuredAnswers(latencyMs.count) : undefined}
      />
    </dl>
  )
}

interface TotalProps {
  name: string
  value: ReactNode
  note: ReactNode
  more?: ReactNode
}

function Total({ name, value, note, more }: TotalProps) {
  return (
    <div className="dashboard-total">
      <dt>{name}</dt>
      <dd className="dashboard-value">{value}</dd>
      <dd className="dashboard-note">{note}</dd>
      <dd className="dashboard-note">{more}</dd>
    </div>
  )
}
