import type { CodeLine, Job } from './highlight-worker.ts'
import { grammarOf } from './languages.ts'

export type { CodeLine }

const MOST_CHARS = 30_000
const KEPT = 500

/** The colours of a piece of code, where they are known already. */
export function highlighted(text: string, language: string): CodeLine[] | undefined {
  return known.get(`${language}\n${text}`)
}

/** Works them out in a thread of its own, so that scrolling never waits for them. */
export async function highlight(text: string, language: string): Promise<CodeLine[] | undefined> {
  const grammar = grammarOf(language)
  if (!grammar || text.length > MOST_CHARS) return undefined
  const lines = await ask({ id: ++last, text, grammar })
  if (!lines) return undefined
  known.set(`${language}\n${text}`, lines)
  const oldest = known.keys().next()
  if (known.size > KEPT && !oldest.done) known.delete(oldest.value)
  return lines
}

const known = new Map<string, CodeLine[]>()
const waiting = new Map<number, (lines: CodeLine[] | undefined) => void>()
let last = 0
let worker: Worker | undefined

function ask(job: Job): Promise<CodeLine[] | undefined> {
  worker ??= started()
  worker.postMessage(job)
  return new Promise((resolve) => waiting.set(job.id, resolve))
}

function started(): Worker {
  const made = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  made.onmessage = ({ data }: MessageEvent<{ id: number; lines?: CodeLine[] }>) => {
    waiting.get(data.id)?.(data.lines)
    waiting.delete(data.id)
  }
  return made
}
