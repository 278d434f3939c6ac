import { z } from 'zod'
import { SCOPES } from '../platform/scopes.ts'
import { createToken, listTokens, revokeToken, type TokenEntry } from '../platform/tokens.ts'
import { type Route, route } from './route.ts'

const entry = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  scopes: z.array(z.enum(SCOPES)),
})

/** The tokens with which programs ask. They lie where the server was started for, whichever archive it shows. */
export function tokenRoutes(folder: string): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/tokens',
      summary: 'Tokens, without their secrets',
      tag: 'owner',
      owner: true,
      answer: z.object({ tokens: z.array(entry) }),
      handle: () => ({ tokens: listTokens(folder).map(withoutHash) }),
    }),
    route({
      method: 'post',
      path: '/api/v1/tokens',
      summary: 'A new token; it is shown only once',
      tag: 'owner',
      owner: true,
      body: z.strictObject({
        name: z.string().trim().min(1).max(100),
        days: z.int().min(1).max(36_500).optional().describe('Valid for so long'),
        scopes: z.array(z.enum(SCOPES)).min(1).optional().describe('What it is good for; read and ask'),
      }),
      answer: entry.extend({ token: z.string() }),
      handle({ body: { name, days, scopes } }) {
        const made = createToken(folder, name, { days, scopes })
        return { token: made.token, ...withoutHash(made.entry) }
      },
    }),
    route({
      method: 'delete',
      path: '/api/v1/tokens/{token}',
      summary: 'Revoke a token, by id or name',
      tag: 'owner',
      owner: true,
      params: z.object({ token: z.string().min(1).max(100) }),
      answer: z.object({ revoked: entry }),
      handle: ({ params }) => ({ revoked: withoutHash(revokeToken(folder, params.token)) }),
    }),
  ]
}

function withoutHash({ hash, ...told }: TokenEntry): Omit<TokenEntry, 'hash'> {
  return told
}
