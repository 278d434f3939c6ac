import fs from 'node:fs'
import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'

/**
 * The Node that runs now, by the path that stays the same from version to version, where its installer
 * keeps one: what is written into a client must outlive the shell it was written from, and updates.
 */
export function lastingNode(running: string, { home, env }: Machine): string {
  // fnm's link is gone with the shell, what it leads to is not.
  const node = isOfShell(running) ? (realPath(running) ?? running) : running
  // A snap's revisions come and go; `current` is always there.
  const snap = node.replace(/^(\/snap\/[^/]+)\/x?\d+\//, '$1/current/')
  if (snap !== node) return snap
  // A shim of Volta is a program that finds its Node, no link to it.
  const volta = node.replace(/([\\/])tools[\\/]image[\\/]node[\\/][^\\/]+[\\/](?:bin[\\/])?/, '$1bin$1')
  if (volta !== node && fs.existsSync(volta)) return volta
  const links = [
    ...linksBeside(node),
    ...(env.NVM_SYMLINK ? [path.join(env.NVM_SYMLINK, 'node.exe')] : []),
    '/opt/homebrew/bin/node',
    '/usr/local/bin/node',
    '/usr/bin/node',
    '/home/linuxbrew/.linuxbrew/bin/node',
    '/run/current-system/sw/bin/node',
    path.join(home, '.nix-profile/bin/node'),
  ]
  return links.find((link) => isSame(link, node)) ?? node
}

/** The link that it was called by outlives the versions it leads to; that of fnm does not outlive its shell. */
export function lastingScript(script: string, root: string): string {
  const own = path.join(root, 'bin', 'recollect')
  return !isOfShell(script) && isSame(script, own) ? path.resolve(script) : own
}

/** The folder of a single version that one of these files is in, with which it will be removed. */
export function versionFolder(files: string[]): string | undefined {
  return files.map((file) => VERSIONED.exec(file)?.[1]).find(Boolean)
}

/** nvm, fnm, mise, asdf, nodenv, Homebrew, Scoop and pnpm name folders so; the store of Nix, by a hash. */
const VERSIONED = /^(.*?[\\/](?:(?:[^\\/]*@)?v?\d+\.\d+\.\d+[^\\/]*|store[\\/][a-z0-9]{32}-[^\\/]+))[\\/]/

/** What those who keep a folder for each version have beside it: a link to the one that is in use. */
function linksBeside(node: string): string[] {
  return [
    node.replace(/([\\/])node-versions[\\/][^\\/]+[\\/]installation(?=[\\/])/, '$1aliases$1default'), // fnm
    node.replace(/([\\/]installs[\\/]node[\\/]\d+)[.\d]+(?=[\\/])/, '$1'), // mise
    node.replace(/([\\/])Cellar[\\/]([^\\/]+)[\\/][^\\/]+(?=[\\/])/, '$1opt$1$2'), // Homebrew
    node.replace(/([\\/]scoop[\\/]apps[\\/][^\\/]+[\\/])[^\\/]+(?=[\\/])/i, '$1current'), // Scoop
  ].filter((link) => link !== node)
}

function isOfShell(file: string): boolean {
  return /[\\/]fnm_multishells[\\/]/.test(file)
}

function isSame(link: string, file: string): boolean {
  const real = realPath(link)
  return real !== undefined && real === realPath(file)
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file)
  } catch {
    return undefined
  }
}
