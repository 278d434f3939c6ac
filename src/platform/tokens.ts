import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { changeSmallFile, textOf } from './change-file.ts'
import { DEFAULT_SCOPES, SCOPES, type Scope } from './scopes.ts'

/** What is kept of a token: never the token itself. */
export type TokenEntry = z.output<typeof entrySchema>

const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** SHA-256; a token is 256 random bits, so nothing slower is needed. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  /** One that a later version knows and this one does not is good for nothing here. */
  scopes: z
    .array(z.string())
    .transform((words) => SCOPES.filter((scope) => words.includes(scope)))
    .default([...DEFAULT_SCOPES]),
  /** Of a person who may read what came through these spaces of the hub, and nothing else. */
  spaces: z.array(z.string()).optional(),
})
const fileSchema = z.object({ tokens: z.array(entrySchema) })

/** A new token. It is told this once. */
export function createToken(
  folder: string,
  name: string,
  {
    days,
    scopes = DEFAULT_SCOPES,
    spaces,
  }: { days?: number; scopes?: readonly Scope[]; spaces?: readonly string[] } = {},
): { token: string; entry: TokenEntry } {
  const token = `rcl_${randomBytes(32).toString('base64url')}`
  const now = Date.now()
  const entry: TokenEntry = {
    id: randomBytes(4).toString('hex'),
    name,
    hash: hashOf(token).toString('hex'),
    createdAt: now,
    // A version that knows no spaces must not take it for good for all chats.
    scopes: spaces ? [] : SCOPES.filter((scope) => scopes.includes(scope)),
    ...(spaces && { spaces: [...new Set(spaces)].sort() }),
    ...(days !== undefined && { expiresAt: now + days * 86_400_000 }),
  }
  change(folder, (tokens) => {
    if (tokens.some((each) => each.name === name)) {
      throw new RecollectError(
        'TOKEN_EXISTS',
        `There is a token called "${name}" already.`,
        'Revoke it first, or choose another name.',
      )
    }
    return [...tokens, entry]
  })
  return { token, entry }
}

export function listTokens(folder: string): TokenEntry[] {
  const text = textOf(fileIn(folder))
  if (text === undefined) return []
  try {
    return fileSchema.parse(JSON.parse(text)).tokens
  } catch {
    throw new RecollectError(
      'INVALID_CONFIG',
      `${fileIn(folder)} cannot be understood.`,
      'Remove it and create the tokens again.',
    )
  }
}

export function revokeToken(folder: string, nameOrId: string): TokenEntry {
  let revoked: TokenEntry | undefined
  change(folder, (tokens) => {
    revoked = tokens.find((each) => each.name === nameOrId || each.id === nameOrId)
    return tokens.filter((each) => each !== revoked)
  })
  if (revoked) return revoked
  throw new RecollectError(
    'TOKEN_NOT_FOUND',
    `There is no token "${nameOrId}".`,
    '`recollect token list` shows them.',
  )
}

/** Whose token it is. The file is read again when it changed: a revoked token is refused at once. */
export function tokenChecker(folder: string): TokenChecker {
  let stamp = ''
  let tokens: TokenEntry[] = []
  const refresh = () => {
    const stat = fs.statSync(fileIn(folder), { throwIfNoEntry: false })
    const now = stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : ''
    if (now !== stamp) {
      tokens = stat ? listTokens(folder) : []
      stamp = now
    }
  }
  const isGood = ({ expiresAt = Number.POSITIVE_INFINITY }: TokenEntry) => expiresAt > Date.now()
  const check = (token: string) => {
    refresh()
    const hash = hashOf(token)
    let found: TokenEntry | undefined
    // All are compared, so that the time taken tells nothing.
    for (const entry of tokens) {
      if (timingSafeEqual(Buffer.from(entry.hash, 'hex'), hash)) found = entry
    }
    return found && isGood(found) ? found : undefined
  }
  return Object.assign(check, {
    byId(id: string) {
      refresh()
      return tokens.find((each) => each.id === id && isGood(each))
    },
  })
}

export interface TokenChecker {
  (token: string): TokenEntry | undefined
  /** The one with this id, while it is good: of somebody who showed it before. */
  byId(id: string): TokenEntry | undefined
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function fileIn(folder: string): string {
  return path.join(folder, 'tokens.json')
}

function change(folder: string, changed: (tokens: TokenEntry[]) => TokenEntry[]): void {
  const written = () => `${JSON.stringify({ tokens: changed(listTokens(folder)) }, null, 2)}\n`
  changeSmallFile(fileIn(folder), written)
}
