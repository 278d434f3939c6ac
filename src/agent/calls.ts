import type { AgentConfig } from '../platform/config.ts'
import { redact } from '../platform/redact.ts'
import type { AgentEvent } from './agent.ts'
import { approvalFrom, askFor, isAllowed } from './approvals.ts'
import { sessionDecision, verdictOn } from './policy.ts'
import type { NamedTool, Pool } from './pool.ts'
import type { Remembered } from './remembered.ts'
import { decisionsIn, type Round } from './rounds.ts'
import type { Call, EventOf } from './run-event.ts'
import type { RunLog } from './runs.ts'
import { OWN_SERVER } from './server-config.ts'
import type { Signer } from './signature.ts'
import {
  type CallContext,
  capped,
  failure,
  hashOf,
  notKnown,
  type Outcome,
  type Person,
  type Progress,
} from './tool.ts'
import type { ToolCache } from './tool-cache.ts'

/** What is needed to run the calls of one answer. */
export interface Calling {
  pool: Pool
  config: AgentConfig
  remembered: Remembered
  signer: Signer
  cache: ToolCache
  log: RunLog
  tell: (event: AgentEvent) => void
  signal: AbortSignal
  /** Nobody can be asked. */
  unattended: boolean
  /** Whom servers may ask while their tools run. */
  person?: Person
  sample?: CallContext['sample']
}

/** What becomes of a call: it runs, is answered without running, or waits for a person. */
type Fate = { run: NamedTool } | { refused: string } | { ask: NamedTool } | { client: true }

/** Runs all that may run at the same time, and writes down what a person has to allow first. */
export async function runCalls(
  { round, calls }: { round: Round; calls: Call[] },
  calling: Calling,
): Promise<'done' | 'waiting' | 'client'> {
  const fates = calls.map((call) => ({ call, fate: fateOf(call, round, calling) }))
  let waiting = false
  for (const { call, fate } of fates) {
    if (!('ask' in fate)) continue
    waiting = true
    if (!round.approvals.has(call.id)) ask(call, fate.ask, calling)
  }
  await Promise.all(
    fates.map(async ({ call, fate }) => {
      if ('run' in fate || 'refused' in fate) await answer(call, fate, calling)
    }),
  )
  calling.signal.throwIfAborted()
  if (waiting) return 'waiting'
  return fates.some(({ fate }) => 'client' in fate) ? 'client' : 'done'
}

function fateOf(call: Call, round: Round, calling: Calling): Fate {
  if (call.problem) return { refused: call.problem }
  if (call.client) return { client: true }
  const tool = call.server === undefined ? undefined : calling.pool.toolOf(call.server, call.tool)
  if (!tool) return { refused: `Tool '${call.name}' not found` }
  if (round.begun.has(call.id)) return { refused: interrupted(call) }
  const { log, signer, config, remembered } = calling
  const decisions = decisionsIn(log.events)
  const asked = round.approvals.get(call.id)
  const decided = asked && decisions.get(asked.id)
  if (asked && decided) {
    if (hashOf(tool) !== asked.hash)
      return { refused: 'Not executed: the tool has changed since it was asked about.' }
    if (isAllowed(call, asked, decided, log.id, signer)) return { run: tool }
    return { refused: `Not executed: ${decided.reason ?? 'the person did not allow it.'}` }
  }
  if (asked) return { ask: tool }
  switch (verdictOn(tool, config, remembered, sessionDecision(tool, genuine(calling)))) {
    case 'always':
      return { run: tool }
    case 'never':
      return { refused: 'Not executed: this tool is not allowed here.' }
    case 'ask':
      if (!calling.unattended) return { ask: tool }
      return { refused: 'Not executed: it needs the approval of a person, and nobody can be asked here.' }
  }
}

/** It was allowed once: to run it again might do it twice. */
export function interrupted({ name }: Pick<Call, 'name'>): string {
  return `The process that ran ${name} ended meanwhile. ${notKnown(name)}`
}

/** Decisions for the rest of this dialog that a person really made. */
function genuine({
  log,
  signer,
}: Calling): { approval: EventOf<'approval'>; decision: EventOf<'decision'> }[] {
  const decisions = decisionsIn(log.events)
  return log.events.flatMap((approval) => {
    if (approval.type !== 'approval') return []
    const decision = decisions.get(approval.id)
    if (decision?.remember !== 'session') return []
    const call: Call = { ...approval, id: approval.callId, name: approval.tool }
    try {
      isAllowed(call, approval, decision, log.id, signer)
      return [{ approval, decision }]
    } catch {
      return []
    }
  })
}

function ask(call: Call, tool: NamedTool, { log, signer, tell }: Calling): void {
  const number = log.events.filter((event) => event.type === 'approval').length + 1
  const asked = askFor(call, hashOf(tool), log.id, number, signer)
  log.append(asked)
  tell({ type: 'approval', approval: approvalFrom({ ...asked, at: Date.now() }) })
}

async function answer(
  call: Call,
  fate: Extract<Fate, { run: NamedTool } | { refused: string }>,
  calling: Calling,
): Promise<void> {
  const { log, tell, config } = calling
  tell({ type: 'tool-call', id: call.id, tool: call.name, server: call.server ?? '', args: call.args })
  const began = performance.now()
  if ('run' in fate && !fate.run.reads) log.append({ type: 'begun', callId: call.id })
  const { outcome, cached } =
    'run' in fate ? await run(fate.run, call, calling) : { outcome: failure(fate.refused), cached: false }
  const { ok, text, media } = capped(outcome, config.maxResultChars)
  const durationMs = Math.round(performance.now() - began)
  log.append({
    type: 'result',
    callId: call.id,
    server: call.server,
    tool: call.tool,
    ok,
    text,
    durationMs,
    ...(call.server === OWN_SERVER && { own: true }),
    ...(cached && { cached }),
    ...(media && { media }),
  })
  tell({ type: 'tool-result', id: call.id, tool: call.name, success: ok, result: text, durationMs })
}

async function run(
  tool: NamedTool,
  call: Call,
  { cache, log, signal, tell, person, sample }: Calling,
): Promise<{ outcome: Outcome; cached: boolean }> {
  const args = call.args ?? {}
  if (!isRecord(args))
    return { outcome: failure(`The arguments for ${call.name} must be a JSON object.`), cached: false }
  const onProgress = (progress: Progress) =>
    tell({ type: 'progress', id: call.id, tool: call.name, ...progress })
  try {
    return await cache.answer(tool, args, () =>
      tool.call(args, { sessionId: log.id, signal, person, sample, onProgress }),
    )
  } catch (error) {
    const reason = signal.aborted
      ? `It was cancelled.${tool.reads ? '' : ` ${notKnown(call.name)}`}`
      : error instanceof Error
        ? error.message
        : String(error)
    return { outcome: failure(redact(reason)), cached: false }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
