import { type Entry, type Guard, guard, Refusal } from '../mcp/guard.ts'
import { tokenChecker } from '../platform/tokens.ts'
import type { SignIn } from './sign-in.ts'

export interface Door {
  /** Who it is, or why they may not come in. */
  letIn(request: Request, address: string): Entry | Refusal
  guard: Guard
}

/** Bearer tokens for programs, the cookie for the page. */
export function door(signIn: SignIn, options: { folder: string; local: boolean }): Door {
  const known = guard({
    hosts: options.local ? 'loopback' : 'any',
    check: tokenChecker(options.folder),
    owner: (request) => signIn.owner(request),
  })
  return {
    guard: known,
    letIn(request, address) {
      const entry = known.letIn(request, address)
      if (entry instanceof Refusal || !entry.owner) return entry
      const reason = forged(request)
      return reason === undefined ? entry : new Refusal(403, reason)
    },
  }
}

/**
 * A browser sends the cookie along with whatever page asks, also one that another program serves on
 * another port of this machine: cookies know no ports. Only our own page may use it.
 */
function forged(request: Request): string | undefined {
  // Somebody followed a link: they see the answer, the page with the link does not.
  if (request.method === 'GET' && request.headers.get('sec-fetch-dest') === 'document') return undefined
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return `Asked by another page (${site})`
  const origin = request.headers.get('origin')
  const isOurs = origin !== null && URL.parse(origin)?.host === request.headers.get('host')
  if (origin !== null && !isOurs) return `Wrong origin: ${origin.slice(0, 100)}`
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  if (!isOurs) return 'An Origin header is needed with the cookie'
  return request.headers.get('x-recollect') === '1'
    ? undefined
    : 'The header x-recollect: 1 is needed with the cookie'
}
