import { object, string, words } from '../json.ts'

/** Where something is: a file has a path, anything else a URL. */
export interface Place {
  path?: string
  url?: string
  /** Its last segment, to show. */
  name: string
}

/**
 * A place from what VS Code stores for one: a URI as text or as the parts `{ scheme, authority, path }`,
 * a location `{ uri, range }`, or a symbol `{ name, location }`.
 */
export function placeOf(value: unknown, depth = 0): Place | undefined {
  if (typeof value === 'string') return placeOfText(value)
  const parts = object(value)
  if (!parts || depth > 3) return undefined
  const inner = parts.uri ?? parts.location
  if (inner !== undefined) return placeOf(inner, depth + 1)
  const scheme = words(parts.scheme)
  const path = string(parts.path)
  if (!scheme || path === undefined) return undefined
  const authority = string(parts.authority) ?? ''
  if (isOnDisk(scheme)) return onDisk(authority, path)
  const url = words(parts.external) ?? `${scheme}:${authority ? `//${authority}` : ''}${path}`
  return { url, name: lastSegment(path) || url }
}

/**
 * The folder or workspace file a window was opened on. A remote one keeps its host, readable; that of
 * a server in the browser (`127.0.0.1:8080`, no `kind+host`) is a path on this very machine.
 */
export function workspacePath(uri: unknown): string | undefined {
  const text = words(uri)
  if (!text) return undefined
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i.exec(text)
  if (!match) return isAbsolute(text) ? text : undefined
  const [scheme, authority, path] = [match[1]!.toLowerCase(), decoded(match[2]!), decoded(match[3]!)]
  if (scheme === 'file') return onDisk(authority, path).path
  if (scheme === 'vscode-remote' && !authority.includes('+')) return onDisk('', path).path
  return `${scheme}://${authority}${path}`
}

export function lastSegment(path: string): string {
  return path.split(/[\\/]/).findLast((segment) => segment !== '') ?? ''
}

function placeOfText(text: string): Place | undefined {
  const match = /^([a-z][a-z0-9+.-]+):(?:\/\/([^/?#]*))?([^?#]*)/i.exec(text)
  if (!match) return isAbsolute(text) ? { path: text, name: lastSegment(text) } : undefined
  const [scheme, authority, path] = [match[1]!.toLowerCase(), decoded(match[2] ?? ''), decoded(match[3]!)]
  if (isOnDisk(scheme)) return onDisk(authority, path)
  return { url: text, name: lastSegment(path) || text }
}

function isOnDisk(scheme: string): boolean {
  return scheme === 'file' || scheme === 'vscode-remote' || scheme === 'vscode-notebook-cell'
}

/** `/c:/x` is a Windows path wherever it is read, and an authority of a `file:` URI a Windows share. */
function onDisk(authority: string, path: string): Place & { path: string } {
  const name = lastSegment(path)
  if (/^\/[a-z]:/i.test(path)) {
    return { path: path[1]!.toUpperCase() + path.slice(2).replaceAll('/', '\\'), name }
  }
  const isShare = authority !== '' && !/[+:]/.test(authority) && authority !== 'localhost'
  const whole = isShare ? `\\\\${authority}${path.replaceAll('/', '\\')}` : path
  return { path: whole.length > 1 ? whole.replace(/[\\/]$/, '') : whole, name }
}

function isAbsolute(text: string): boolean {
  return text.startsWith('/') || text.startsWith('\\\\') || /^[a-z]:[\\/]/i.test(text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
