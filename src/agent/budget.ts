import type { Usage } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import { askFor, isAllowed } from './approvals.ts'
import { currentTurn, decisionsIn } from './rounds.ts'
import { BUDGET_CALL, type Call, type RunEvent } from './run-event.ts'
import type { Signer } from './signature.ts'
import { type Spending, tokensOf } from './spending.ts'

type Limit = { tokens?: number; cost?: number }

/** What was spent against what may be. */
interface Overspent {
  of: 'run' | 'day' | 'provider'
  provider: string
  unit: 'tokens' | 'dollars'
  spent: number
  limit: number
}

const TOOL = 'spend_more'
const SERVER = 'recollect'

/** What stands in the way of another call of the model. Each time the person allowed more, a run may spend as much again. */
export function overspent(
  budget: NonNullable<AgentConfig['budget']>,
  { provider, run, spending, allowed }: { provider: string; run: Usage; spending: Spending; allowed: number },
): Overspent | undefined {
  const sides: [Overspent['of'], Limit | undefined, { tokens: number; cost: number }, times: number][] = [
    ['run', budget.run, { tokens: tokensOf(run), cost: run.cost ?? 0 }, allowed + 1],
  ]
  // A day that was allowed to go on goes on for this run.
  if (allowed === 0 && (budget.day || budget.providers?.[provider])) {
    const today = spending.on()
    const own = today.find((each) => each.provider === provider) ?? { tokens: 0, cost: 0 }
    const sum = (field: 'tokens' | 'cost') => today.reduce((total, each) => total + each[field], 0)
    sides.push(['provider', budget.providers?.[provider], own, 1])
    sides.push(['day', budget.day, { tokens: sum('tokens'), cost: sum('cost') }, 1])
  }
  for (const [of, limit, spent, times] of sides) {
    if (limit?.tokens !== undefined && spent.tokens >= limit.tokens * times)
      return { of, provider, unit: 'tokens', spent: spent.tokens, limit: limit.tokens * times }
    if (limit?.cost !== undefined && spent.cost >= limit.cost * times)
      return { of, provider, unit: 'dollars', spent: spent.cost, limit: limit.cost * times }
  }
  return undefined
}

/** The question, as it is written down: signed and answered as the one about a tool. */
export function budgetQuestion(over: Overspent, sessionId: string, number: number, signer: Signer) {
  const call = callOf({ why: sentenceOf(over), ...over })
  return askFor(call, BUDGET_CALL, sessionId, number, signer)
}

/** How often in this turn the person let it go on, and whether they said no. */
export function budgetDecisions(
  events: RunEvent[],
  sessionId: string,
  signer: Signer,
): { allowed: number; denied: boolean } {
  const request = currentTurn(events)?.request
  const since = request ? events.slice(events.lastIndexOf(request)) : []
  const decisions = decisionsIn(events)
  let allowed = 0
  let denied = false
  for (const event of since) {
    if (event.type !== 'approval' || event.callId !== BUDGET_CALL) continue
    const decided = decisions.get(event.id)
    if (!decided) continue
    if (isAllowed(callOf(event.args), event, decided, sessionId, signer)) allowed++
    else denied = true
  }
  return { allowed, denied }
}

function sentenceOf({ of, provider, unit, spent, limit }: Overspent): string {
  const amount = (n: number) => (unit === 'dollars' ? `$${n.toFixed(2)}` : `${n.toLocaleString('en')} tokens`)
  const whose = { run: 'this answer', day: 'today', provider: `${provider} today` }[of]
  return `The budget for ${whose} is ${amount(limit)}, and ${amount(spent)} are spent.`
}

export function overBudget(over: Overspent): RecollectError {
  return new RecollectError(
    'BUDGET_EXCEEDED',
    sentenceOf(over),
    'Raise "budget" in config.json, or ask again tomorrow. What was done is kept.',
  )
}

function callOf(args: unknown): Call {
  return { id: BUDGET_CALL, name: TOOL, server: SERVER, tool: TOOL, args }
}
