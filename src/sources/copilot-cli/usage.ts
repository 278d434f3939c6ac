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

function count(counts: Usage, field: keyof Usage, value: unknown): void {
  const tokens = number(value)
  if (tokens !== undefined && tokens >= 0) counts[field] = tokens
}
