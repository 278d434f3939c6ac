import { z } from 'zod'

/**
 * What VS Code puts into a tool's invocation token, which is opaque by its type: `sessionId` up to
 * 1.108, `sessionResource` from 1.107 on.
 */
const invocationToken = z.looseObject({
  sessionId: z.string().min(1).optional().catch(undefined),
  sessionResource: z
    .looseObject({ scheme: z.string(), authority: z.string().optional(), path: z.string() })
    .optional()
    .catch(undefined),
})

/** The id of the dialog that a token belongs to, where the host tells it. */
export function dialogIn(token: unknown): string | undefined {
  const { success, data } = invocationToken.safeParse(token)
  if (!success) return undefined
  if (data.sessionId) return data.sessionId
  const resource = data.sessionResource
  if (!resource) return undefined
  const last = resource.path.slice(resource.path.lastIndexOf('/') + 1)
  // A dialog of VS Code itself; those of other agents have a scheme or an authority of their own and carry the id as it is.
  const isLocal = resource.scheme === 'vscode-chat-session' && (resource.authority ?? 'local') === 'local'
  return (isLocal ? Buffer.from(last, 'base64url').toString('utf8') : last) || undefined
}
