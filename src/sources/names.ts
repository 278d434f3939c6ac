import { nearestOf } from '../model/nearest.ts'
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

/** What to do about ids that no assistant has. */
export function sourceHint(...given: string[]): string {
  const near = new Set(given.flatMap(sourcesLike))
  const meant = near.size > 0 ? `Did you mean ${[...near].join(' or ')}? ` : ''
  return `${meant}\`recollect sources\` lists them all.`
}

/** The ids of assistants that a mistyped id or name may be. */
export function sourcesLike(given: string): string[] {
  const idOf = new Map(
    sources.flatMap(({ id, name }) => [
      [id, id],
      [name, id],
    ]),
  )
  return [...new Set(nearestOf(given, [...idOf.keys()]).map((name) => idOf.get(name)!))]
}
