import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'
import type { ClientFile } from './client-file.ts'
import type { Shape } from './entry.ts'
import type { Value } from './format.ts'
import { type Server, TOKEN_VARIABLE } from './server.ts'

/** The variable with the token, as most clients refer to one. */
export const BRACED_VARIABLE = `\${${TOKEN_VARIABLE}}`

interface Remote {
  type?: string
  /** The key of the address. */
  address?: string
  /** The variable with the token, as the client refers to it. Where it cannot, the user adds the header. */
  token?: string
}

export function shape(server: Server, local: Record<string, Value> = {}, remote: Remote = {}): Shape {
  if (server.transport === 'stdio') {
    const { command, args, env } = server
    return { keys: { ...local, command, args }, env: { key: 'env', variables: env } }
  }
  const { type, address = 'url', token } = remote
  const keys: Record<string, Value> = { ...(type && { type }), [address]: server.url }
  if (server.token && token) keys.headers = { Authorization: `Bearer ${token}` }
  return { keys }
}

export function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix
}

/** A folder in the home folder, or the one that a variable names instead. */
export function inFolder(
  { platform, home }: Machine,
  named: string | undefined,
  usual: string,
  name: string,
): ClientFile[] {
  const { join } = pathsOf(platform)
  const folder = named || join(home, usual)
  return [{ file: join(folder, name), signs: [folder] }]
}
