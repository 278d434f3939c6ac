import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const ROUNDS = 4096

/**
 * What PostgreSQL keeps of a password. Made here, so that the password itself is never in a statement, which a server
 * may log.
 */
export function scramOf(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256')
  const keyed = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}
