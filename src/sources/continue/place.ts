import { fileURLToPath } from 'node:url'

/** The path of a place: the editors write URIs, the CLI paths. Nothing where it is not on this machine. */
export function pathOf(place: string | undefined): string | undefined {
  if (!place) return undefined
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return place
  try {
    return place.startsWith('file://')
      ? fileURLToPath(place, { windows: /^file:\/\/\/[a-z](?::|%3a)/i.test(place) })
      : undefined
  } catch {
    return undefined
  }
}
