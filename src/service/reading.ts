import { z } from 'zod'
import type { Capability } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'
import { MALFORMED } from './failure.ts'

/** What was given, as it was meant. */
export interface Read {
  input: unknown
  /** What was taken for what. */
  notes: string[]
}

/** The input of a capability out of what somebody gave; an error that says what is allowed. */
export function inputOf(capability: Capability, given: Record<string, unknown>): Read {
  // Some models write null for what they leave out.
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const read = capability.input.safeParse(said)
  if (read.success) return { input: read.data, notes: [] }
  const issues = read.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  throw new RecollectError(
    MALFORMED,
    `Invalid arguments for ${capability.name}: ${z.prettifyError(read.error)}`,
    undefined,
    { issues },
  )
}
