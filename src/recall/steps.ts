import type { Clean } from '../model/clean.ts'
import type { Asker } from './live.ts'
import { cleanPreview } from './preview.ts'
import { readable } from './reader.ts'

/** What an assistant said on its way, in a line. */
export interface Step {
  index: number
  preview: string
}

const AT_ONCE = 500
const MOST = 300
const PREVIEW = 120

/**
 * A table of contents of a long turn: the answers with words in it, and what summed it up. Of more than 300 every
 * second, third … is told. Cost: reading these messages.
 */
export async function stepsOf(
  asker: Asker,
  reference: string,
  { from, to }: { from: number; to: number },
  clean: Clean,
): Promise<{ steps: Step[]; all: number }> {
  const { header, said, messages } = await readable(asker, reference)
  const last = Math.min(to, header.messageCount - 1)
  const spoken: { index: number; text: string }[] = []
  for (let at = from; at <= last; at += AT_ONCE) {
    for (const { index, kind, text, undone } of await messages(at, Math.min(last, at + AT_ONCE - 1)))
      if (!undone && (kind === 'answer' || kind === 'summary') && text.trim() !== '')
        spoken.push({ index, text })
  }
  const every = Math.ceil(spoken.length / MOST)
  const steps = spoken
    .filter((_, i) => i % every === 0)
    .map(({ index, text }) => ({
      index,
      preview: cleanPreview(text, PREVIEW, (part) => clean(part, said)),
    }))
  return { steps, all: spoken.length }
}
