import { z } from 'zod'
import { type Capability, writes } from '../capabilities/capability.ts'
import { refusalCode } from '../recall/refusal-code.ts'
import { orThrow } from '../service/failure.ts'
import { call } from '../service/service.ts'
import { callerOf } from './caller.ts'
import { type Call, type Route, route } from './route.ts'
import { statusOf } from './statuses.ts'

/** Every capability under its own name: the same input and the same answer as for an agent. */
export function capabilityRoutes(capabilities: Capability[]): Route[] {
  return capabilities.flatMap((capability) => {
    const { name, title, input, output } = capability
    const known = { path: `/api/v1/${name}`, summary: title, tag: 'capabilities', answer: output }
    const answer = async (
      { backend, entry, request }: Pick<Call, 'backend' | 'entry' | 'request'>,
      given: unknown,
    ) =>
      withStatus(orThrow(await call(backend.shared, name, given, callerOf(entry, backend, request.signal))))
    const post = route({
      ...known,
      method: 'post',
      raw: true,
      body: input,
      handle: (call) => answer(call, call.body),
    })
    if (writes(capability) || !(input instanceof z.ZodObject)) return [post]
    const get = route({
      ...known,
      method: 'get',
      raw: true,
      query: input,
      handle: (call) => answer(call, call.query),
    })
    return [post, get]
  })
}

/** The secretary's refusals are answers in the contract; here they have a status as well. */
function withStatus(answer: object): unknown {
  const code = refusalCode(answer)
  return code === undefined ? answer : Response.json(answer, { status: statusOf(code) })
}
