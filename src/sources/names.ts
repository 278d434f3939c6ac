import { imports } from './imports/kinds.ts'
import { sources } from './index.ts'

/** What people call an assistant, or the kind of an import. */
export function sourceName(id: string): string {
  return [...sources, ...imports].find((source) => source.id === id)?.name ?? id
}
