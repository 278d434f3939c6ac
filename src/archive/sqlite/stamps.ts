import type { Connection } from './connection.ts'

/** Grows whenever stamps of units were made void by someone who does not sync. */
export function stampsVoided({ prepare }: Connection): number {
  return Number(prepare(`SELECT value FROM setting WHERE name = 'stampsVoided'`).get()?.value ?? 0)
}
