import { AsyncLocalStorage } from 'node:async_hooks'
import type { Patience } from './patience.ts'
import type { CallContext, Person } from './tool.ts'

type Asked = Pick<CallContext, 'person' | 'sample'>

/** A call that is being answered, and how long it may still take. */
interface RunningCall {
  context: Asked
  patience: Patience
}

/**
 * The calls of one server that are being answered: what it asks meanwhile is about one of them. Over Streamable HTTP a
 * question comes with the answer to its own call; elsewhere nothing says which of several it is about, and it is put to
 * all who wait, of whom the first to answer does so for all.
 */
export class RunningCalls {
  readonly #all = new Set<RunningCall>()
  readonly #own = new AsyncLocalStorage<RunningCall>()

  async during<T>(call: RunningCall, work: () => Promise<T>): Promise<T> {
    this.#all.add(call)
    try {
      return await this.#own.run(call, work)
    } finally {
      this.#all.delete(call)
    }
  }

  /** While somebody is asked, the time of the calls that it may be about does not run. */
  async asking<T>(work: (context: Asked) => Promise<T>): Promise<T> {
    const own = this.#own.getStore()
    const calls = own && this.#all.has(own) ? [own] : [...this.#all]
    const context = joined(calls.map((call) => call.context))
    const waiting = calls.reduce(
      (inner, { patience }) =>
        () =>
          patience.whileAsked(inner),
      () => work(context),
    )
    return await waiting()
  }
}

/** Several runs as one: whoever answers first answers for all, with the model of that run. */
function joined(contexts: Asked[]): Asked {
  const reachable = contexts.filter(({ person }) => person)
  if (new Set(reachable.map(({ person }) => person)).size <= 1) return reachable[0] ?? contexts[0] ?? {}
  let answering: Asked | undefined
  const first = async <T>(ask: (person: Person, until: AbortSignal) => Promise<T>, until?: AbortSignal) => {
    const answered = new AbortController()
    const signals = until ? [until, answered.signal] : [answered.signal]
    const asked = reachable.map(async (context) => {
      const answer = await ask(context.person!, AbortSignal.any(signals))
      if (answer === undefined) throw new Error('nobody is there')
      answering ??= context
      return answer
    })
    try {
      return await Promise.any(asked)
    } catch {
      return undefined
    } finally {
      answered.abort()
    }
  }
  return {
    person: {
      fill: (question, until) => first((person, end) => person.fill(question, end), until),
      allowSampling: (request, until) => first((person, end) => person.allowSampling(request, end), until),
    },
    sample: async (request) => {
      const sample = answering?.sample
      if (!sample) throw new Error('There is no model to be used.')
      return await sample(request)
    },
  }
}
