import { createHash } from 'node:crypto'
import { canonical } from './signature.ts'

/** A tool that the model may be offered, wherever it comes from. */
export interface Tool {
  server: string
  /** As its server calls it. */
  tool: string
  description: string
  inputSchema: Record<string, unknown>
  /** Whether it only reads, as far as we know ourselves; of other servers' tools we do not. */
  reads: boolean
  /** Whether it can be called as things are. */
  available: boolean
  call(args: Record<string, unknown>, context: CallContext): Promise<Outcome>
}

export interface CallContext {
  sessionId: string
  signal: AbortSignal
}

/** What a tool gave back, in words for the model. */
export interface Outcome {
  ok: boolean
  text: string
}

export function failure(reason: string): Outcome {
  return { ok: false, text: /^error\b/i.test(reason) ? reason : `Error: ${reason}` }
}

/** Not more than the model should have to read; what is left out is said. */
export function capped({ ok, text }: Outcome, most: number): Outcome {
  if (text.length <= most) return { ok, text }
  const kept = text.slice(0, most).toWellFormed()
  return {
    ok,
    text: `${kept}\n[cut: ${text.length - most} of ${text.length} characters are left out; ask for less at a time]`,
  }
}

/** What a tool says of itself: one that has become another must not inherit what was allowed. */
export function hashOf({ description, inputSchema }: Pick<Tool, 'description' | 'inputSchema'>): string {
  return createHash('sha256').update(canonical({ description, inputSchema })).digest('hex').slice(0, 32)
}
