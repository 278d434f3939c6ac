import { type Json, object } from '../json.ts'
import { readJson } from '../lines.ts'

/** What stands beside a session; it may not be there yet. */
export function documentIn(file: string): Json | undefined {
  try {
    return object(readJson(file))
  } catch {
    return undefined
  }
}
