import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto'
import { RecollectError } from '../model/errors.ts'

/** How the key of a sealed space is made of its phrase: what the server keeps, of which none is secret. */
export interface SealOf {
  salt: string
  /** Of scrypt: 2^cost rounds. */
  cost: number
  /** Tells a wrong phrase from the right one. */
  check: string
}

/** How ids, hashes and bodies of a space are written, so that the server learns from them what it may. */
export interface Writing {
  sealed: boolean
  /** By what a chat or a message is known on the server. */
  name(what: 'chat' | 'message', ...parts: string[]): string
  /** Equal for bodies that say the same. */
  hashOf(body: Buffer): bigint
  seal(body: Buffer, bound: string): Buffer
  open(sealed: Buffer, bound: string): Buffer
}

const COST = 15
const NONCE = 12
const TAG = 16

/** 2^15 rounds with 8 kB blocks: some 100 ms and 32 MB, once for each machine that joins. */
export function keyOf(phrase: string, { salt, cost }: Pick<SealOf, 'salt' | 'cost'>): Buffer {
  if (!(cost >= 10 && cost <= 20))
    throw new RecollectError('HUB_FAILED', 'The hub asks for a key that cannot be made.')
  const N = 2 ** cost
  return scryptSync(normal(phrase), Buffer.from(salt, 'base64'), 32, { N, r: 8, p: 1, maxmem: N * 8 * 256 })
}

export function newSeal(phrase: string, cost: number = COST): { seal: SealOf; key: Buffer } {
  const salt = randomBytes(16).toString('base64')
  const key = keyOf(phrase, { salt, cost })
  return { seal: { salt, cost, check: checkOf(key) }, key }
}

/** The key of a space, or an error of its own where the phrase is another. */
export function openSeal(phrase: string, seal: SealOf, space: string): Buffer {
  const key = keyOf(phrase, seal)
  const told = Buffer.from(seal.check, 'base64')
  const right = Buffer.from(checkOf(key), 'base64')
  if (told.length === right.length && timingSafeEqual(told, right)) return key
  throw new RecollectError(
    'HUB_WRONG_PHRASE',
    `This is not the key phrase of "${space}".`,
    'It is the one that was shown when the space was made. Nobody can reset it: the server never had it.',
  )
}

/** Four groups of random letters that can be read aloud: 100 bits. */
export function newPhrase(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
  const picked = Array.from(randomBytes(20), (byte) => letters[byte % letters.length]).join('')
  return picked.match(/.{5}/g)!.join('-')
}

/** Sealed: the server sees sizes and times only. */
export function sealedWriting(key: Buffer, space: string): Writing {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', key, '', `recollect hub ${use} 1`, 32))
  const [names, hashes, bodies] = [derived('names'), derived('hashes'), derived('bodies')]
  return {
    sealed: true,
    name: (what, ...parts) =>
      createHmac('sha256', names)
        .update(JSON.stringify([what, ...parts]))
        .digest('base64url')
        .slice(0, 22),
    hashOf: (body) => createHmac('sha256', hashes).update(body).digest().readBigInt64BE(0),
    seal(body, bound) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', bodies, nonce)
      cipher.setAAD(Buffer.from(`${space}\0${bound}`))
      return Buffer.concat([nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, bound) {
      const decipher = createDecipheriv('aes-256-gcm', bodies, sealed.subarray(0, NONCE), {
        authTagLength: TAG,
      })
      decipher.setAAD(Buffer.from(`${space}\0${bound}`))
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE, sealed.length - TAG)), decipher.final()])
    },
  }
}

/** Plain: whoever runs the server can read it. */
export const plainWriting: Writing = {
  sealed: false,
  name(_what, ...parts) {
    const name = parts.join(':')
    // What PostgreSQL cannot keep or put into an index.
    const isPlain = name.length <= 200 && !name.includes('\0') && name.isWellFormed()
    return isPlain ? name : `#${hash('sha256', JSON.stringify(parts), 'base64url')}`
  },
  hashOf: (body) => (hash('sha256', body, 'buffer') as Buffer).readBigInt64BE(0),
  seal: (body) => body,
  open: (body) => body,
}

function checkOf(key: Buffer): string {
  return createHmac('sha256', key).update('recollect hub check 1').digest('base64')
}

/** However it was typed: with other spaces, in capitals. */
function normal(phrase: string): string {
  return phrase
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '-')
}
