/**
 * One key for one folder, however it is spelt: `C:\Work`, `c:/work/`, `file:///c%3A/Work`,
 * `/mnt/c/Work` in WSL, `\\wsl.localhost\Ubuntu\home\me`. Folders with equal keys are the same;
 * a key and `/` begins the keys of what is inside. Kept beside the spelling that is shown.
 */
export function folderKey(folder: string): string {
  const slashed = plainPath(folder).replaceAll('\\', '/')
  const inWsl = WSL_SHARE.exec(slashed)
  if (inWsl) return withoutDots(inWsl[1] || '/')
  const mounted = MOUNTED_DRIVE.exec(slashed)
  if (mounted) return withoutDots(`${mounted[1]}:/${mounted[2] ?? ''}`).toLowerCase()
  if (DRIVE.test(slashed) || slashed.startsWith('//')) return withoutDots(slashed).toLowerCase()
  const own = withoutDots(slashed.replace(MAC_LINK, ''))
  return MAC_HOME.test(own) ? own.toLowerCase().normalize('NFC') : own
}

/** Whether a folder is another, or inside of it. */
export function isWithinFolder(inner: string, outer: string): boolean {
  const [key, folder] = [folderKey(inner), folderKey(outer)]
  // Everything is inside of the root: that says nothing.
  return key === folder || (folder.length > 1 && key.startsWith(`${folder}/`))
}

const DRIVE = /^[a-z]:(?:\/|$)/i
/** A drive as WSL, Git Bash and Cygwin mount it. Other single letters below `/` are folders like any. */
const MOUNTED_DRIVE = /^\/(?:mnt|cygdrive)\/([a-z])(?:\/(.*))?$/i
const WSL_SHARE = /^\/\/(?:wsl\.localhost|wsl\$)\/[^/]+(\/.*)?$/i
/** `/tmp` and `/var` are links to these on macOS. */
const MAC_LINK = /^\/private(?=\/(?:tmp|var|etc)(?:\/|$))/
/** Where macOS, which takes `Work` and `work` for one, keeps people's folders. */
const MAC_HOME = /^\/(?:Users|Volumes)(?:\/|$)/i

/** The path that a URI names, or that Windows writes with a prefix of its own. */
function plainPath(folder: string): string {
  const uri = /^(file|vscode-remote):\/\/([^/]*)(\/.*)$/i.exec(folder)
  if (uri) {
    const [, scheme = '', host = '', encoded = ''] = uri
    const decoded = decode(encoded)
    if (/^\/[a-z]:/i.test(decoded)) return decoded.slice(1)
    return scheme.toLowerCase() === 'file' && host !== '' && host !== 'localhost'
      ? `//${host}${decoded}`
      : decoded
  }
  const long = /^(?:\\\\|\/\/)[?.][\\/](?:UNC[\\/](.*)|([a-z]:.*))$/i.exec(folder)
  if (long) return long[1] !== undefined ? `//${long[1]}` : (long[2] ?? '')
  return /^[\\/][a-z]:(?:[\\/]|$)/i.test(folder) ? folder.slice(1) : folder
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** No empty parts, no `.` and `..`, no slash at the end. */
function withoutDots(slashed: string): string {
  const lead = slashed.startsWith('//') ? '//' : slashed.startsWith('/') ? '/' : ''
  const parts: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '..' && parts.length > 0) parts.pop()
    else if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return parts.length === 0 ? lead.slice(0, 1) : lead + parts.join('/')
}
