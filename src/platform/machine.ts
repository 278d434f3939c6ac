import os from 'node:os'
import path from 'node:path'

/** What differs between machines, in one value, so that tests can make one up. */
export interface Machine {
  platform: NodeJS.Platform
  home: string
  env: Record<string, string | undefined>
}

export function thisMachine(): Machine {
  return { platform: process.platform, home: os.homedir(), env: process.env }
}

/** Where applications keep their settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
export function configFolder({ platform, home, env }: Machine): string {
  if (platform === 'win32') return env.APPDATA ?? path.join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  return absolute(env.XDG_CONFIG_HOME) ?? path.join(home, '.config')
}

/** Where applications keep their data: `~/.local/share`, `~/Library/Application Support`, `%LOCALAPPDATA%`. */
export function dataFolder({ platform, home, env }: Machine): string {
  if (platform === 'win32') return env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local')
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  return absolute(env.XDG_DATA_HOME) ?? path.join(home, '.local', 'share')
}

/** The folder that holds our archive and settings. */
export function recollectHome(machine: Machine): string {
  return machine.env.RECOLLECT_HOME
    ? path.resolve(machine.env.RECOLLECT_HOME)
    : path.join(dataFolder(machine), 'recollect')
}

/** The XDG rules say that a relative path is to be ignored. */
function absolute(folder: string | undefined): string | undefined {
  return folder && path.isAbsolute(folder) ? folder : undefined
}
