import type { Act, Deps } from '../capabilities/capability.ts'
import type { Service } from './answering.ts'
import type { Caller } from './caller.ts'
import { failureOf, orThrow } from './failure.ts'
import { whenSynced } from './fresh.ts'
import { outgoingFor } from './outgoing.ts'
import { demand } from './rights.ts'
import { depsOf } from './service.ts'

/** What is no capability goes through the same gate: rights, live reading, redaction, one error shape. */
export async function passing<T>(
  service: Service,
  caller: Caller,
  acts: readonly Act[],
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  return await passed(caller, async () => {
    demand(caller, acts)
    const { clean, finish } = outgoingFor(service.archive, caller)
    const deps = await depsOf(service, caller, { clean })
    return finish(await whenSynced(service, () => work(deps)))
  })
}

/** What goes wrong is said to this caller. */
export async function passed<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    return orThrow<T>({ failure: failureOf(error, caller) })
  }
}
