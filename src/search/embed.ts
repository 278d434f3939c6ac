import type { Archive } from '../archive/archive.ts'
import type { Embedder } from './embeddings.ts'

export interface EmbedProgress {
  messages: number
  done: number
}

export interface EmbedResult {
  embedded: number
  /** How many are still without a vector. */
  left: number
  /** Stopped by the signal; what was done is kept. */
  interrupted: boolean
}

/** Texts in one request: enough to keep the endpoint busy, few enough to lose little when it is interrupted. */
const BATCH = 64

/** Gives every message that has none its vector, the newest first. Each batch is kept as soon as it is there. */
export async function embedMessages(
  archive: Archive,
  embedder: Embedder,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: EmbedProgress) => void } = {},
): Promise<EmbedResult> {
  const missing = await archive.withoutVector(embedder.name)
  let done = 0
  for (; done < missing.length; done = Math.min(missing.length, done + BATCH)) {
    onProgress?.({ messages: missing.length, done })
    if (signal?.aborted) break
    const texts = await archive.textsOf(missing.slice(done, done + BATCH))
    if (texts.length === 0) continue
    const vectors = await embedder
      .embed(
        texts.map(({ text }) => text),
        { signal },
      )
      .catch((error: unknown) => {
        if (signal?.aborted) return undefined
        throw error
      })
    if (!vectors) break
    await archive.saveVectors(
      embedder.name,
      texts.map((of, i) => ({ of, vector: vectors[i]! })),
    )
  }
  const left = missing.length - done
  return { embedded: done, left, interrupted: left > 0 }
}
