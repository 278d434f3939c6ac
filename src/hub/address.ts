import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'

/** Where a hub is, without who one is there. */
export interface Address {
  /** A name, an address, or the folder of a socket. */
  host: string
  port: number
  database: string
  /** Certificates that are trusted beside the system's, in PEM. */
  ca?: string
  /** Said by the person: TLS, though it is on this machine. */
  tls?: boolean
  /** Said by the person: no TLS, though it goes over a network. */
  insecure?: boolean
}

export interface Login {
  user: string
  password?: string
}

/** `postgres://user:password@host:port/database`; the folder of a socket is `?host=/folder`. */
export function parseUrl(
  url: string,
  { ca, insecure }: { ca?: string; insecure?: boolean } = {},
): { address: Address; login: Login } {
  const parsed = URL.parse(url.replace(/^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)(?=\/)/, '$1socket'))
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.pathname.length < 2) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `"${withoutPassword(url)}" is not the address of a PostgreSQL database.`,
      'It looks like postgres://name:password@host:5432/database.',
    )
  }
  const host = parsed.searchParams.get('host') ?? bare(parsed.hostname)
  const rootCert = ca ?? parsed.searchParams.get('sslrootcert') ?? undefined
  const address: Address = {
    host: host === 'socket' ? '/var/run/postgresql' : host,
    port: Number(parsed.searchParams.get('port') ?? (parsed.port || 5432)),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    ...(rootCert && rootCert !== 'system' && { ca: readCertificate(rootCert) }),
    ...(isEncrypted(parsed.searchParams.get('sslmode')) && !insecure && { tls: true }),
    ...(insecure && { insecure }),
  }
  // Whoever writes it means it, but off this machine it is not enough: passwords and chats would be readable on the way.
  if (parsed.searchParams.get('sslmode') === 'disable' && !isLocal(address) && !insecure) {
    throw new RecollectError(
      'HUB_INSECURE',
      'Without TLS, chats would be readable for everybody between here and the server.',
      'Switch TLS on at the server (docs/hub.md), or say --insecure where the network itself is encrypted.',
    )
  }
  const user = decodeURIComponent(parsed.username) || process.env.PGUSER || process.env.USER || 'postgres'
  const password = decodeURIComponent(parsed.password) || process.env.PGPASSWORD
  return { address, login: { user, ...(password && { password }) } }
}

/**
 * Whether it asks for TLS. Each mode that does means a checked certificate for the name in use: `require` alone would
 * encrypt for whoever answers, which is what libpq does and drivers disagree about.
 */
function isEncrypted(mode: string | null): boolean {
  if (mode === null || ['disable', 'allow', 'prefer'].includes(mode)) return false
  if (['require', 'verify-ca', 'verify-full'].includes(mode)) return true
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `sslmode=${mode} is not known.`,
    'It can be require, verify-ca or verify-full, which all check the certificate and its name; or disable on this machine.',
  )
}

/** For people: never with a password. */
export function shownAddress({ host, port, database }: Address): string {
  return host.startsWith('/') ? `${database} on the socket in ${host}` : `${host}:${port}/${database}`
}

function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^/@:]*):[^@]*@/, '$1:…@')
}

/** On this machine nobody listens between. */
export function isLocal({ host }: Address): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(host)
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function readCertificate(file: string): string {
  try {
    return fs.readFileSync(path.resolve(file), 'utf8')
  } catch (error) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `The certificate ${file} could not be read: ${(error as Error).message}.`,
    )
  }
}
