import type { Scope } from '../platform/scopes.ts'
import type { TokenEntry } from '../platform/tokens.ts'

export interface GuardOptions {
  /** Under which names this machine may be asked; any, where tokens alone decide. */
  hosts: 'loopback' | 'any'
  /** Whose token it is; without a checker nobody is asked for one. */
  check?: (token: string) => TokenEntry | undefined
  /** Whom a request without a token shows to be the owner: by the page's cookie. */
  owner?: (request: Request) => string | undefined
  /** Whom it shows to have signed in with a token of theirs. */
  guest?: (request: Request) => TokenEntry | undefined
}

/** Who was let in. */
export interface Entry {
  client: string
  /** It is the person at the page, not a program with a token. */
  owner: boolean
  /** Of its token; missing where none was asked for. */
  scopes?: readonly Scope[]
  /** It came with the page's cookie, though it is not the owner's. */
  isPage?: true
  /** It may read what came through these spaces, and nothing else. */
  spaces?: readonly string[]
}

/** Why somebody was not, in whichever form the address answers errors. */
export class Refusal {
  readonly status: 401 | 403 | 429
  readonly message: string
  readonly headers: Record<string, string>

  constructor(status: Refusal['status'], message: string, headers: Record<string, string> = {}) {
    this.status = status
    this.message = message
    this.headers = headers
  }
}

/** Per client; an agent calls a few tools in a second. */
const PER_SECOND = 50
const BURST = 300
const FAILURES_PER_SECOND = 0.2
const FAILURES_BURST = 20
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

export interface Guard {
  /** Lets a request in, as whom, or says why not. */
  letIn(request: Request, address: string): Entry | Refusal
  /** Only whether it comes from where requests may come from. */
  wrongPlace(request: Request): Refusal | undefined
  /** Somebody guesses; false once they have done so too often. */
  mayGuess(address: string): boolean
  guessedWrong(address: string): void
}

export function guard(options: GuardOptions): Guard {
  const requests = new Rate(PER_SECOND, BURST)
  const failures = new Rate(FAILURES_PER_SECOND, FAILURES_BURST)
  const wrongPlace = (request: Request) => {
    const reason = wrongHost(request, options.hosts)
    return reason === undefined ? undefined : new Refusal(403, reason)
  }
  const known = (request: Request, address: string): Entry | Refusal => {
    if (!options.check) return { client: address, owner: false }
    const token = /^Bearer\s+([\w~+/.=-]{1,512})$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const owner = token === undefined ? options.owner?.(request) : undefined
    if (owner !== undefined) return { client: owner, owner: true }
    const guest = token === undefined ? options.guest?.(request) : undefined
    if (guest) return { ...entryOf(guest), isPage: true }
    if (failures.isSpent(address)) return new Refusal(429, 'Too many wrong tokens', { 'retry-after': '60' })
    const entry = token === undefined ? undefined : options.check(token)
    if (entry) return entryOf(entry)
    if (token !== undefined) failures.take(address)
    const said = token === undefined ? 'A token is needed' : 'This token is not valid'
    return new Refusal(401, `${said}: recollect token create <name>`, {
      'www-authenticate': `Bearer realm="recollect"${token === undefined ? '' : ', error="invalid_token"'}`,
    })
  }
  return {
    wrongPlace,
    letIn(request, address) {
      const entry = wrongPlace(request) ?? known(request, address)
      if (entry instanceof Refusal || requests.take(entry.client)) return entry
      return new Refusal(429, 'Too many requests', { 'retry-after': '5' })
    },
    mayGuess: (address) => !failures.isSpent(address),
    guessedWrong: (address) => void failures.take(address),
  }
}

function entryOf({ id, scopes, spaces }: TokenEntry): Entry {
  return { client: id, owner: false, ...(spaces ? { scopes: ['read'], spaces } : { scopes }) }
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
