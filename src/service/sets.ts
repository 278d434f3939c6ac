import type { Capability } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'

const SETS = ['recall', 'search', 'context', 'export'] as const

/** The names in `recall,search` or `all`. */
export function setsNamed(given = 'all'): string[] {
  const named = given
    .split(',')
    .map((set) => set.trim())
    .filter(Boolean)
  const unknown = named.filter((set) => set !== 'all' && !SETS.some((known) => known === set))
  if (unknown.length > 0 || named.length === 0) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `There is no set of tools called "${unknown.join(', ')}".`,
      `Valid values: ${SETS.join(', ')}, all.`,
    )
  }
  return named
}

/** The capabilities of these sets, in an order that never changes: clients cache the list. */
export function chosenCapabilities(all: readonly Capability[], sets: string[]): Capability[] {
  return all
    .filter(({ set }) => sets.includes('all') || sets.includes(set))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
