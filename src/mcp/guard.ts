import type { TokenEntry } from '../platform/tokens.ts'

export interface GuardOptions {
  /** Under which names this machine may be asked; any, where tokens alone decide. */
  hosts: 'loopback' | 'any'
  /** Whose token it is; without a checker nobody is asked for one. */
  check?: (token: string) => TokenEntry | undefined
}

/** Per client; an agent calls a few tools in a second. */
const PER_SECOND = 50
const BURST = 300
const FAILURES_PER_SECOND = 0.2
const FAILURES_BURST = 20
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Lets a request in, as whom, or says why not. */
export function guard(
  options: GuardOptions,
): (request: Request, address: string) => { client: string } | Response {
  const requests = new Rate(PER_SECOND, BURST)
  const failures = new Rate(FAILURES_PER_SECOND, FAILURES_BURST)
  return (request, address) => {
    const refusal = wrongHost(request, options.hosts)
    if (refusal) return refused(403, refusal)
    let client = address
    if (options.check) {
      if (failures.isSpent(address)) return refused(429, 'Too many wrong tokens', { 'retry-after': '60' })
      const token = /^Bearer\s+([\w~+/.=-]{1,512})$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      const entry = token === undefined ? undefined : options.check(token)
      if (!entry) {
        if (token !== undefined) failures.take(address)
        const said = token === undefined ? 'A token is needed' : 'This token is not valid'
        return refused(401, `${said}: recollect token create <name>`, {
          'www-authenticate': `Bearer realm="recollect"${token === undefined ? '' : ', error="invalid_token"'}`,
        })
      }
      client = entry.id
    }
    if (!requests.take(client)) return refused(429, 'Too many requests', { 'retry-after': '5' })
    return { client }
  }
}

/**
 * A web page that the user has open can send requests to this machine, and with a name of its own
 * that leads here (DNS rebinding) also read the answers.
 */
function wrongHost(request: Request, hosts: GuardOptions['hosts']): string | undefined {
  const host = request.headers.get('host') ?? ''
  if (hosts === 'loopback' && !LOOPBACK.test(nameOf(host))) return `Wrong host: ${host.slice(0, 100)}`
  const origin = request.headers.get('origin')
  if (origin === null) return undefined
  const from = URL.canParse(origin) ? new URL(origin) : undefined
  const isSame =
    from !== undefined && (from.host === host || (hosts === 'loopback' && LOOPBACK.test(from.hostname)))
  return isSame ? undefined : `Wrong origin: ${origin.slice(0, 100)}`
}

function nameOf(host: string): string {
  return host.replace(/:\d{1,5}$/, '')
}

/** As the protocol says it, without an id: the request was not looked into. */
export function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status, headers })
}

/** So many at once, and so many per second after that. */
class Rate {
  readonly #perSecond: number
  readonly #burst: number
  readonly #left = new Map<string, { tokens: number; at: number }>()

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
  }

  take(who: string): boolean {
    const bucket = this.#bucket(who)
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }

  isSpent(who: string): boolean {
    return this.#bucket(who).tokens < 1
  }

  #bucket(who: string): { tokens: number } {
    const now = Date.now()
    const known = this.#left.get(who) ?? { tokens: this.#burst, at: now }
    known.tokens = Math.min(this.#burst, known.tokens + ((now - known.at) / 1_000) * this.#perSecond)
    known.at = now
    if (this.#left.size > 10_000) this.#left.clear()
    this.#left.set(who, known)
    return known
  }
}
