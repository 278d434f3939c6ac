import type { Archive, SearchView } from '../archive/archive.ts'
import type { MessageFilter } from './filter.ts'
import type { Query } from './query.ts'

/** What a query means, in the numbers of a model. */
export interface Meaning {
  model: string
  vector: number[]
}

/** A message that means something like the query: 1 for the one that does most. */
export interface Alike {
  key: number
  share: number
}

const PATIENCE_MS = 1_500
const MOST_ALIKE = 50
/** Something is always the nearest. What counts stands out by so many standard deviations. */
const STANDS_OUT = 2

/**
 * Asks the configured endpoint what the query means. Nothing where none is configured, or no vectors
 * are there to compare with; a note where it does not answer: words find what they find without it.
 */
export async function meaningOf(
  archive: Archive,
  query: Query,
): Promise<{ meaning?: Meaning; note?: string }> {
  // Quoted words are meant as they stand.
  if (query.terms.length === 0) return {}
  try {
    const config = await archive.embeddings()
    if (!config) return {}
    const { embedderOf } = await import('./embeddings.ts')
    const embedder = embedderOf(config)
    const [vector = []] = await embedder.embed([query.text.trim()], { timeoutMs: PATIENCE_MS, retries: 0 })
    return { meaning: { model: embedder.name, vector } }
  } catch (error) {
    return { note: `Searched by words only. ${(error as Error).message}` }
  }
}

export function alike(view: SearchView, { model, vector }: Meaning, filter: MessageFilter): Alike[] {
  const { documents } = view
  const passes = (key: number) =>
    key < documents.end && documents.said[key] !== 0 && (!filter.narrows || filter.passes(key))
  const { messages, average, deviation } = view.nearest(model, vector, passes, MOST_ALIKE)
  const floor = average + STANDS_OUT * deviation
  const most = messages[0]?.likeness ?? 0
  if (most <= floor) return []
  return messages
    .filter(({ likeness }) => likeness > floor)
    .map(({ key, likeness }) => ({ key, share: (likeness - floor) / (most - floor) }))
}
