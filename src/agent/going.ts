import { RecollectError } from '../model/errors.ts'
import type { AgentEvent, RunResult } from './agent.ts'

export type Work = (tell: (event: AgentEvent) => void, signal: AbortSignal) => Promise<RunResult>

/** The runs of this process that are under way, by their dialog: whoever asked may leave, and anybody may stop them. */
export class Going {
  readonly #runs = new Map<string, { control: AbortController; ended: Promise<unknown> }>()

  readonly #hearing = new Map<string, Set<(event: AgentEvent) => void>>()

  /** Tells how far tools of a dialog are, as long as it is wanted. */
  hear(id: string, tell: (event: AgentEvent) => void): () => void {
    const all = this.#hearing.get(id) ?? new Set()
    this.#hearing.set(id, all.add(tell))
    return () => {
      all.delete(tell)
      if (all.size === 0) this.#hearing.delete(id)
    }
  }

  async run(work: Work, tell: (event: AgentEvent) => void, signal?: AbortSignal): Promise<RunResult> {
    const control = new AbortController()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const run = { control, ended }
    let id: string | undefined
    try {
      return await work(
        (event) => {
          if (event.type === 'start') {
            id = event.sessionId
            this.#runs.set(id, run)
          }
          // It is in no file: who follows the dialog would not know.
          if (event.type === 'progress') for (const hear of this.#hearing.get(id ?? '') ?? []) hear(event)
          tell(event)
        },
        signal ? AbortSignal.any([signal, control.signal]) : control.signal,
      )
    } catch (error) {
      if (!control.signal.aborted || signal?.aborted) throw error
      throw new RecollectError(
        'CANCELLED',
        'The answer was stopped.',
        'What was said is kept. Ask again in the same chat.',
        { sessionId: id },
      )
    } finally {
      if (id !== undefined && this.#runs.get(id) === run) this.#runs.delete(id)
      end()
    }
  }

  /** Resolves once it is written down; what fails before that is thrown, what fails later is told to who follows. */
  async start(work: Work): Promise<{ sessionId: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.run(work, (event) => event.type === 'start' && resolve(event.sessionId)).catch(reject)
    return { sessionId: await promise }
  }

  /** Whether there was one to stop. */
  async stop(id: string): Promise<boolean> {
    const run = this.#runs.get(id)
    run?.control.abort()
    await run?.ended
    return run !== undefined
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#runs.keys()].map((id) => this.stop(id)))
  }
}
