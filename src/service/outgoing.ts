import type { Clean } from '../capabilities/capability.ts'
import { redactJson } from '../platform/redact.ts'
import type { Caller } from './caller.ts'
import { demand } from './rights.ts'

/** Unredacted text goes to the owner only, by an explicit act. */
export function cleanerFor(caller: Caller, asked = caller.reveal === true): Clean {
  if (!asked) return redactJson
  demand(caller, ['reveal'])
  return (value) => value
}
