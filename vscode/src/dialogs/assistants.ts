import { imports } from '../../../src/sources/imports/index.ts'
import { sources } from '../../../src/sources/index.ts'

/** As people call it. */
export function assistantName(id: string): string {
  return [...sources, ...imports].find((source) => source.id === id)?.name ?? id
}
