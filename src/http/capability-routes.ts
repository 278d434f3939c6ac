import { z } from 'zod'
import type { Capability, Deps } from '../capabilities/capability.ts'
import { workspaceFolder } from '../context/place.ts'
import { depsOf } from '../mcp/shared.ts'
import type { Desk } from './desk.ts'
import { type Route, route } from './route.ts'

/** Nobody cuts an answer here; this keeps one that was not meant to be so large from filling the memory. */
const MOST_CHARS = 4_000_000

/** Every capability under its own name: the same input and the same answer as for an agent. */
export function capabilityRoutes(capabilities: Capability[]): Route[] {
  return capabilities.flatMap((capability) => {
    const { name, title, input, output, writes } = capability
    const known = { path: `/api/v1/${name}`, summary: title, tag: 'capabilities', answer: output }
    const answer = async (desk: Desk, given: unknown) =>
      answered(await capability.handle(await callerAt(desk), given))
    const post = route({
      ...known,
      method: 'post',
      body: input,
      handle: ({ desk, body }) => answer(desk, body),
    })
    if (writes || !(input instanceof z.ZodObject)) return [post]
    const get = route({
      ...known,
      method: 'get',
      query: input,
      handle: ({ desk, query }) => answer(desk, query),
    })
    return [post, get]
  })
}

/** Works in the folder that the server was started in. */
async function callerAt({ shared }: Desk): Promise<Deps> {
  const { env } = shared
  return await depsOf(shared, { workspace: workspaceFolder({ env }), maxChars: MOST_CHARS })
}

/** The secretary's refusals are answers in the contract; here they have a status as well. */
function answered(answer: unknown): unknown {
  const refusal = refused.safeParse(answer).data
  if (!refusal) return answer
  const { error } = refusal
  const status = /^(Session not found|No active dialog|First request not|Chat data not)/.test(error)
    ? 404
    : error === 'Service temporarily unavailable'
      ? 503
      : 400
  return Response.json(answer, { status })
}

const refused = z.object({ success: z.literal(false), error: z.string() })
