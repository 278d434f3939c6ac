import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const COOKIE = 'recollect'
const DAYS = 30
const CODE_MS = 10 * 60_000
const MOST_CODES = 20

/**
 * How the page knows its owner: a link that only they were shown, good for one use, gives the
 * browser a cookie. The cookie is signed, not stored, so it outlives this process.
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

  /** The header that hands out a cookie. */
  cookie({ secure }: { secure: boolean }): string {
    const said = `${this.#now() + DAYS * 86_400_000}.${randomBytes(9).toString('base64url')}`
    const flags = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${DAYS * 86_400}${secure ? '; Secure' : ''}`
    return `${COOKIE}=${said}.${this.#signature(said)}; ${flags}`
  }

  /** By which name the owner goes, where the request shows a cookie of ours. */
  owner(request: Request): string | undefined {
    for (const pair of (request.headers.get('cookie') ?? '').slice(0, 16_384).split(';')) {
      const [name = '', value = ''] = pair.trim().split('=')
      const found = name === COOKIE ? /^((\d{13})\.[\w-]{12})\.([\w-]{43})$/.exec(value) : null
      if (!found) continue
      const [, said = '', until, signature = ''] = found
      const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(this.#signature(said)))
      if (isOurs && Number(until) > this.#now()) return `page ${said}`
    }
    return undefined
  }

  #signature(said: string): string {
    return createHmac('sha256', this.#key).update(said).digest('base64url')
  }
}

const KEY_BYTES = 32

/** The key that cookies are signed with: made once, readable by its owner only. */
function keyIn(folder: string): Buffer {
  const file = path.join(folder, 'page.key')
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const known = readKey(file)
  if (known) return known
  // Complete or not there: two that start at once must end up with the same key.
  const beside = `${file}.${process.pid}`
  fs.writeFileSync(beside, randomBytes(KEY_BYTES), { mode: 0o600 })
  try {
    fs.linkSync(beside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !readKey(file)) fs.renameSync(beside, file)
  } finally {
    fs.rmSync(beside, { force: true })
  }
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
