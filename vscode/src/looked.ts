import fs from 'node:fs'
import type { Readable } from '../../src/sync/readable.ts'

/** One place in which an assistant may keep its chats. */
export interface LookedAt {
  source: string
  name: string
  path: string
  isThere: boolean
}

/** Where chats are looked for: what is there first. */
export function lookedAt({ sources, machine, homes }: Readable): LookedAt[] {
  const places = sources.flatMap((source) =>
    [machine, ...homes].flatMap((each) =>
      source.roots(each).map(({ path }) => ({
        source: source.id,
        name: source.name,
        path,
        isThere: fs.existsSync(path),
      })),
    ),
  )
  const once = new Map(places.map((place) => [`${place.source} ${place.path}`, place]))
  return [...once.values()].sort(
    (a, b) => Number(b.isThere) - Number(a.isThere) || a.name.localeCompare(b.name),
  )
}
