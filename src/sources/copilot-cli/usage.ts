import type { Usage } from '../../model/chat.ts'
import { type Json, number, object } from '../json.ts'
import type { ModelCall } from './state.ts'

/** A call of `session.usage_record`. Its cost is a premium-request multiplier, not money. */
export function modelCall(usage: Json): ModelCall {
  const counts: Usage = {}
  // inputTokens already holds what was read from and written to the cache.
  count(counts, 'input', usage.inputTokens ?? usage.input)
  count(counts, 'output', usage.outputTokens ?? usage.output)
  count(counts, 'cached', usage.cacheReadTokens ?? usage.cachedInput)
  count(counts, 'cacheWrite', usage.cacheWriteTokens)
  count(counts, 'reasoning', usage.reasoningTokens)
  const latencyMs = number(usage.duration)
  return latencyMs === undefined ? { usage: counts } : { usage: counts, latencyMs }
}

/** The call that wrote a summary; it has no record of its own. */
export function compactionUsage(used: unknown): Partial<ModelCall> {
  const tokens = object(used)
  if (!tokens) return {}
  const call = modelCall(tokens)
  return Object.keys(call.usage).length > 0 ? call : {}
}

/** Adds what a message told, to know later what the totals have more. */
export function addTold(
  told: Record<string, Usage>,
  model: string | undefined,
  usage: Usage | undefined,
): void {
  const key = model ?? ''
  if (!usage || (!Object.hasOwn(told, key) && Object.keys(told).length >= MOST_MODELS)) return
  told[key] = combined(told[key], usage, 1)
}

/** Of each model in the totals at a shutdown: what no message and no earlier total told. */
export function untold(
  metrics: unknown,
  told: Record<string, Usage>,
  totals: Record<string, Usage>,
  at = 0,
): { model: string; total: Usage; usage: Usage }[] {
  return Object.entries(object(metrics) ?? {})
    .slice(0, MOST_MODELS)
    .flatMap(([name, value]) => {
      const model = name.slice(0, 200)
      const metric = object(value)
      const used = object(metric?.usage)
      if (!used) return []
      const total = modelCall(used).usage
      const credits = number(metric?.totalNanoAiu)
      if (credits && at >= CREDITS_SINCE) total.cost = credits * DOLLARS_PER_NANO_CREDIT
      const rest = combined(
        combined(total, own(totals, model), -1),
        combined(own(told, model), own(told, ''), 1),
        -1,
      )
      const usage: Usage = Object.fromEntries(Object.entries(rest).filter(([, count]) => count > 0))
      // All output was told: only so what was read has a price.
      if (usage.input !== undefined) usage.output ??= 0
      return [{ model, total, usage }]
    })
}

/** A credit is a cent, since Copilot is paid by use. */
const CREDITS_SINCE = Date.UTC(2026, 5, 1)
const DOLLARS_PER_NANO_CREDIT = 0.01 / 1e9
const MOST_MODELS = 16

function own(usages: Record<string, Usage>, model: string): Usage | undefined {
  return Object.hasOwn(usages, model) ? usages[model] : undefined
}

function combined(a: Usage | undefined, b: Usage | undefined, sign: 1 | -1): Usage {
  const sum: Usage = { ...a }
  for (const [field, value] of Object.entries(b ?? {}) as [keyof Usage, number][])
    sum[field] = Math.max(0, (sum[field] ?? 0) + sign * value)
  return sum
}

function count(counts: Usage, field: keyof Usage, value: unknown): void {
  const tokens = number(value)
  if (tokens !== undefined && tokens >= 0) counts[field] = tokens
}
