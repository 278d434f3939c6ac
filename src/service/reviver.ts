import type { Deps } from '../capabilities/capability.ts'
import type { Revival } from '../recall/revive.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { passing } from './passing.ts'

/** Writing chats back into their assistants, which only the owner may: what is written is what was said, secrets included. */
export type Reviver = ReturnType<typeof reviverFor>

export function reviverFor(service: Service, caller: Caller) {
  const does = <T>(work: (deps: Deps) => Promise<T>) => passing(service, caller, ['read', 'reveal'], work)
  return {
    /** What would be written. */
    plan: (reference: string): Promise<Revival> =>
      does(async (deps) => {
        const { planRevival } = await import('../recall/revive.ts')
        const { chat, contents, ...told } = await planRevival(deps, reference)
        return told
      }),
    revive: (reference: string): Promise<Revival> =>
      does(async (deps) => {
        const { planRevival, revive } = await import('../recall/revive.ts')
        const { chat, contents, ...told } = await planRevival(deps, reference)
        await revive(deps.archive, { chat, contents })
        return told
      }),
  }
}
