import { importLabels } from './imports/labels.ts'
import { sources } from './index.ts'
import type { Badge } from './source.ts'

/** What people call an assistant, or the kind of an import. */
export function sourceName(id: string): string {
  return [...sources, ...importLabels].find((source) => source.id === id)?.name ?? id
}

/** The badges of all assistants and imports, by their id. */
export function badges(): Record<string, Badge> {
  const all = [...importLabels, ...sources].flatMap(({ id, badge }) => (badge ? [[id, badge] as const] : []))
  return Object.fromEntries(all)
}
