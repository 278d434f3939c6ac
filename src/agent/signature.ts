import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import { makeOnce } from '../platform/make-once.ts'

/**
 * Signs what a person decided, so that nobody else can write it into a file. The key is made when it
 * is first needed and never leaves the archive's folder.
 */
export class Signer {
  readonly #folder: string
  #key: Buffer | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  sign(what: unknown): string {
    this.#key ??= keyIn(this.#folder)
    return createHmac('sha256', this.#key).update(canonical(what)).digest('base64url')
  }

  isSigned(what: unknown, signature: string): boolean {
    const expected = Buffer.from(this.sign(what))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}

/** JSON with its keys in order: equal values give equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function keyIn(folder: string): Buffer {
  const file = path.join(folder, 'agent.key')
  if (!fs.existsSync(file)) makeOnce(file, randomBytes(32).toString('base64url'))
  const key = Buffer.from(fs.readFileSync(file, 'utf8'), 'base64url')
  if (key.length >= 32) return key
  throw new RecollectError(
    'INVALID_KEY',
    `${file} holds no key.`,
    'Remove it: a new one is made. You will then be asked again what tools may do.',
  )
}
