import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** Files of an authority that nobody knows, and of a certificate that it signed. */
export interface TestCertificates {
  /** Of the authority. */
  ca: string
  cert: string
  key: string
}

/** `names` as openssl writes them: `DNS:localhost,IP:127.0.0.1`. */
export function testCertificates(folder: string, names: string): TestCertificates {
  const at = (name: string) => path.join(folder, name)
  const ca = testAuthority(folder, 'ca')
  openssl('req', '-nodes', '-subj', '/CN=localhost', ...newKey(folder, 'server'), '-out', at('server.csr'))
  fs.writeFileSync(at('names'), `subjectAltName=${names}`)
  openssl(
    ...['x509', '-req', '-in', at('server.csr'), '-CA', ca, '-CAkey', at('ca.key'), '-CAcreateserial'],
    ...['-days', '2', '-extfile', at('names'), '-out', at('server.crt')],
  )
  fs.chmodSync(at('server.key'), 0o600)
  return { ca, cert: at('server.crt'), key: at('server.key') }
}

/** Says in which file it is. */
export function testAuthority(folder: string, name: string): string {
  const file = path.join(folder, `${name}.crt`)
  openssl(
    'req',
    '-x509',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
    ...newKey(folder, name),
    '-out',
    file,
  )
  return file
}

/** Why there can be none here, if so. */
export function noCertificates(): string | undefined {
  try {
    openssl('version')
    return undefined
  } catch {
    return 'needs openssl'
  }
}

function newKey(folder: string, name: string): string[] {
  const key = path.join(folder, `${name}.key`)
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', key]
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}
