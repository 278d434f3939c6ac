import { tokenChecker } from '../platform/tokens.ts'
import { type Entry, type Guard, guard, Refusal } from '../server/guard.ts'
import type { SignIn } from './sign-in.ts'

export interface Access {
  /** Who it is, or why they may not come in; `path` is the one that decides who answers: escapes in an address are taken apart for it. */
  letIn(request: Request, address: string, path: string): Entry | Refusal
  /** Whether somebody who was let in still would be: for what goes on for hours. */
  isStillIn(entry: Entry): boolean
  guard: Guard
  /** By which id somebody signs in at the page who shows a token for spaces. */
  guestOf(token: string): string | undefined
}

/** All but the page's own files and the description of the interface, which tell nothing. */
const PRIVATE = /^\/(?:api|v1|mcp)(?:\/|$)/

/** Bearer tokens for programs; for the page its cookie, and with every question its proof. */
export function accessOf(signIn: SignIn, options: { folder: string; local: boolean }): Access {
  const check = tokenChecker(options.folder)
  const known = guard({
    hosts: options.local ? 'loopback' : 'any',
    check,
    owner: (request) => signIn.owner(request),
    guest(request) {
      const id = signIn.guest(request)
      // Whose token was revoked or ran out is signed out with it.
      return id === undefined ? undefined : check.byId(id)
    },
  })
  return {
    guard: known,
    isStillIn: ({ owner, client }) => owner || check.byId(client) !== undefined,
    guestOf(token) {
      const entry = check(token)
      return entry?.spaces ? entry.id : undefined
    },
    letIn(request, address, path) {
      const entry = known.letIn(request, address)
      if (entry instanceof Refusal || (!entry.owner && !entry.isPage)) return entry
      const reason = forged(request)
      if (reason !== undefined) return new Refusal(403, reason)
      if (!PRIVATE.test(path) || signIn.isProven(request)) return entry
      return new Refusal(401, 'The cookie alone is not enough: open the link that recollect serve prints')
    },
  }
}

/**
 * A browser sends the cookie along with whatever page asks, also one that another program serves on
 * another port of this machine. Only our own page may use it.
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
  return isOurs ? undefined : 'An Origin header is needed with the cookie'
}
