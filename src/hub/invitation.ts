import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'

const schema = z.object({
  host: z.string(),
  port: z.int().min(1).max(65_535),
  database: z.string(),
  ca: z.string().optional(),
  tls: z.boolean().optional(),
  insecure: z.boolean().optional(),
  login: z.string().regex(/^hub_m_[0-9a-f]{16}$/),
  /** Good for one machine: joining replaces it. */
  password: z.string(),
})
/** All that a new machine needs, in one word that can be sent to it. It is a secret until it was used. */
export type Invitation = z.output<typeof schema>

const BEGINS = 'recollect-hub:'

export function written(invitation: Invitation): string {
  return BEGINS + Buffer.from(JSON.stringify(invitation)).toString('base64url')
}

export function readInvitation(text: string): Invitation {
  const word = text.trim()
  try {
    if (!word.startsWith(BEGINS)) throw new Error()
    return schema.parse(JSON.parse(Buffer.from(word.slice(BEGINS.length), 'base64url').toString()))
  } catch {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'This is not an invitation to a hub, or not all of it.',
      `One begins with ${BEGINS} and is one long word. Whoever runs the hub makes one: recollect hub invite <name>.`,
    )
  }
}
