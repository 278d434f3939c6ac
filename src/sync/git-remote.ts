import fs from 'node:fs'
import path from 'node:path'
import { plainRepository } from '../model/repository.ts'
import { smallText } from '../platform/small-text.ts'

const MOST_BYTES = 1_000_000

/**
 * The git remote of a folder, as `host/owner/name`: that of the checkout, worktree or submodule that it is in. Null
 * where there is none; undefined where the folder is not there to be asked.
 */
export function gitRemote(folder: string): string | null | undefined {
  if (!path.isAbsolute(folder) || !isFolder(folder)) return undefined
  for (let above = folder; ; above = path.dirname(above)) {
    const config = configOf(path.join(above, '.git'))
    if (config !== undefined) return remoteIn(config) ?? null
    if (above === path.dirname(above)) return null
  }
}

/** What git was configured to in a checkout; undefined where it is none. */
function configOf(dotGit: string): string | undefined {
  if (isFolder(dotGit)) return smallText(path.join(dotGit, 'config'), MOST_BYTES)
  // Worktrees and submodules have a file that says where.
  const named = /^gitdir:(.*)$/m.exec(smallText(dotGit, MOST_BYTES) ?? '')?.[1]?.trim()
  if (!named) return undefined
  const folder = path.resolve(path.dirname(dotGit), named)
  const common = smallText(path.join(folder, 'commondir'), MOST_BYTES)?.trim()
  return smallText(path.join(common ? path.resolve(folder, common) : folder, 'config'), MOST_BYTES)
}

/** Of several remotes `origin`, else the first that names a repository. */
function remoteIn(config: string): string | undefined {
  const urls = new Map<string, string>()
  let remote: string | undefined
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\s"\]]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (section) remote = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined
    const url = remote === undefined ? undefined : /^\s*url\s*=(.*)/is.exec(line)?.[1]?.trim()
    if (remote !== undefined && url && !urls.has(remote)) urls.set(remote, url.replace(/^"(.*)"$/, '$1'))
  }
  const origin = urls.get('origin')
  for (const url of [...(origin ? [origin] : []), ...urls.values()]) {
    const plain = plainRepository(url)
    if (plain !== undefined) return plain
  }
  return undefined
}

function isFolder(folder: string): boolean {
  try {
    return fs.statSync(folder).isDirectory()
  } catch {
    return false
  }
}
