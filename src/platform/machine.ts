import os from 'node:os'
import path from 'node:path'

/** What differs between machines, in one value, so that tests can make one up. */
export interface Machine {
  /** The system whose rules say where things are kept. */
  platform: NodeJS.Platform
  home: string
  env: Record<string, string | undefined>
  /** The system that reads, where it is another: a Windows home mounted on Linux has paths of Linux. */
  reader?: NodeJS.Platform
}

export function thisMachine(): Machine {
  // An empty $HOME names no folder: the archive would be made wherever one is.
  const home = realHome(process.env) ?? (os.homedir() || os.userInfo().homedir)
  return { platform: process.platform, home, env: process.env }
}

/** The same for another thread or process: `process.env` is no plain object. */
export function sendable(machine: Machine): Machine {
  return { ...machine, env: { ...machine.env } }
}

/** How paths are put together by whoever reads this machine's files. */
export function pathsOf({ platform, reader = platform }: Machine): path.PlatformPath {
  return reader === 'win32' ? path.win32 : path.posix
}

/** Where applications keep their settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
export function configFolder(machine: Machine): string {
  const { platform, home, env } = machine
  const { join } = pathsOf(machine)
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return lasting(env.XDG_CONFIG_HOME) ?? join(home, '.config')
}

/** Where applications keep their data: `~/.local/share`, `~/Library/Application Support`, `%LOCALAPPDATA%`. */
export function dataFolder(machine: Machine): string {
  const { platform, home, env } = machine
  const { join } = pathsOf(machine)
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return lasting(env.XDG_DATA_HOME) ?? join(home, '.local', 'share')
}

/** The folder that holds our archive and settings. */
export function recollectHome(machine: Machine): string {
  return machine.env.RECOLLECT_HOME
    ? path.resolve(machine.env.RECOLLECT_HOME)
    : pathsOf(machine).join(dataFolder(machine), 'recollect')
}

/**
 * A folder that the XDG rules name, unless it is relative, which they say is to be ignored, or tied to
 * a revision of a snap or to a Flatpak: what a terminal inside of such an editor is given as its own.
 */
export function lasting(folder: string | undefined): string | undefined {
  return folder && path.isAbsolute(folder) && !SANDBOX.test(folder) ? folder : undefined
}

const SANDBOX = /\/snap\/[^/]+\/(?:x?\d+|current|common)(?:\/|$)|\/\.var\/app\/[^/]+(?:\/|$)/

/** Inside of a snap the home folder is one for each revision; the person's own is named apart. */
function realHome(env: Machine['env']): string | undefined {
  return SANDBOX.test(env.HOME ?? '') ? env.SNAP_REAL_HOME || undefined : undefined
}
