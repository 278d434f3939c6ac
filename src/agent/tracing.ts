import type { Machine } from '../platform/machine.ts'
import type { Work } from './going.ts'
import type { Telemetry } from './telemetry.ts'
import { telemetryTarget } from './telemetry-target.ts'

/** Runs seen from outside, where the environment names an endpoint for traces; else nothing is loaded and nothing done. */
export function tracing(env: Machine['env']): { traced(work: Work): Work; flush(): Promise<void> } {
  const target = telemetryTarget(env)
  if (!target) return { traced: (work) => work, flush: async () => {} }
  let loading: Promise<Telemetry> | undefined
  const telemetry = () => {
    loading ??= import('./telemetry.ts').then((code) => new code.Telemetry(target))
    return loading
  }
  return {
    traced: (work) => async (tell, signal) => {
      const trace = (await telemetry()).begin()
      try {
        const result = await work((event) => {
          trace.take(event)
          tell(event)
        }, signal)
        trace.end(result)
        return result
      } catch (error) {
        trace.fail(error)
        throw error
      }
    },
    flush: async () => await (await loading)?.close(),
  }
}
