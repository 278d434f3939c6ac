import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { makeOnce } from '../platform/make-once.ts'

const DAYS = 30
const CODE_MS = 10 * 60_000
const MOST_CODES = 20

/** What a browser gets that opened the link. */
export interface Session {
  /** The header that hands out the cookie. */
  cookie: string
  /** What the page keeps in its own storage and shows with every question. */
  proof: string
}

/**
 * How the page knows its owner: a link that only they were shown, good for one use, gives the browser
 * a cookie and the page a proof. Cookies know no ports: whoever serves another page on this host is
 * sent ours. The proof is kept where only pages of this very origin can read it, and the cookie alone
 * is good for nothing but the page's own files. Both are signed for this address, not stored, so they
 * outlive this process. Why so: docs/decisions/0011-page-session.md.
 */
export class SignIn {
  readonly #key: Buffer
  readonly #codes = new Map<string, number>()
  readonly #now: () => number

  constructor(folder: string, now = Date.now) {
    this.#key = keyIn(folder)
    this.#now = now
  }

  /** A new code for a link. */
  code(): string {
    const code = randomBytes(24).toString('base64url')
    const [oldest] = this.#codes.keys()
    if (oldest !== undefined && this.#codes.size >= MOST_CODES) this.#codes.delete(oldest)
    this.#codes.set(code, this.#now() + CODE_MS)
    return code
  }

  /** Whether the code is good; it is not any more afterwards. */
  redeem(code: string): boolean {
    const until = this.#codes.get(code)
    this.#codes.delete(code)
    return until !== undefined && until > this.#now()
  }

  /** For a browser that asked at this address. */
  session(request: Request, { secure, guest }: { secure: boolean; guest?: string }): Session {
    const random = randomBytes(9).toString('base64url')
    const said = `${this.#now() + DAYS * 86_400_000}.${random}${guest === undefined ? '' : `.${guest}`}`
    const flags = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${DAYS * 86_400}${secure ? '; Secure' : ''}`
    const cookie = `${cookieName(request)}=${said}.${this.#signature('cookie', said, request)}; ${flags}`
    return { cookie, proof: this.#signature('proof', said, request) }
  }

  /** By which name the owner goes, where the request shows a cookie of ours. */
  owner(request: Request): string | undefined {
    const said = this.#said(request)
    return said === undefined || guestIn(said) !== undefined ? undefined : `page ${said}`
  }

  /** The token that somebody else signed in with, by its id. */
  guest(request: Request): string | undefined {
    const said = this.#said(request)
    return said === undefined ? undefined : guestIn(said)
  }

  /** Whether the page that asks is the one that the cookie was given with. */
  isProven(request: Request): boolean {
    const said = this.#said(request)
    const shown = request.headers.get(PROOF_HEADER) ?? ''
    return said !== undefined && isSame(shown, this.#signature('proof', said, request))
  }

  #said(request: Request): string | undefined {
    const wanted = cookieName(request)
    for (const pair of (request.headers.get('cookie') ?? '').slice(0, 16_384).split(';')) {
      const [name = '', value = ''] = pair.trim().split('=')
      const found =
        name === wanted ? /^((\d{13})\.[\w-]{12}(?:\.[0-9a-f]{8})?)\.([\w-]{43})$/.exec(value) : null
      if (!found) continue
      const [, said = '', until, signature = ''] = found
      const isOurs = isSame(signature, this.#signature('cookie', said, request))
      if (isOurs && Number(until) > this.#now()) return said
    }
    return undefined
  }

  #signature(what: 'cookie' | 'proof', said: string, request: Request): string {
    return createHmac('sha256', this.#key)
      .update(`${what} ${said} ${hostOf(request)}`)
      .digest('base64url')
  }
}

const PROOF_HEADER = 'x-recollect'

function guestIn(said: string): string | undefined {
  return said.split('.')[2]
}

function hostOf(request: Request): string {
  return (request.headers.get('host') ?? '').toLowerCase()
}

/** With the port in its name, so that two servers on one host do not sign each other out. */
function cookieName(request: Request): string {
  const port = /:(\d{1,5})$/.exec(hostOf(request))?.[1]
  return port ? `recollect-${port}` : 'recollect'
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const KEY_BYTES = 32

/** The key that cookies are signed with. Beside a read-only archive none can be kept: it is good until the server ends. */
function keyIn(folder: string): Buffer {
  try {
    return keptKey(folder)
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return randomBytes(KEY_BYTES)
  }
}

/** Made once, readable by its owner only. */
function keptKey(folder: string): Buffer {
  const file = path.join(folder, 'page.key')
  const known = readKey(file)
  if (known) return known
  makeOnce(file, randomBytes(KEY_BYTES), () => readKey(file) !== undefined)
  return fs.readFileSync(file)
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = fs.readFileSync(file)
    return key.length === KEY_BYTES ? key : undefined
  } catch {
    return undefined
  }
}
