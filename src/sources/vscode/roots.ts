import { configFolder, dataFolder, type Machine, pathsOf } from '../../platform/machine.ts'
import type { Root } from '../source.ts'

const PRODUCTS = ['Code', 'Code - Insiders', 'VSCodium', 'VSCodium - Insiders', 'Code - OSS', 'Positron']

const FLATPAKS = [
  ['com.visualstudio.code', 'Code'],
  ['com.visualstudio.code.insiders', 'Code - Insiders'],
  ['com.visualstudio.code-oss', 'Code - OSS'],
  ['com.vscodium.codium', 'VSCodium'],
  ['com.vscodium.codium-insiders', 'VSCodium - Insiders'],
] as const

/** What an editor leaves on the far side of a remote connection. */
const SERVERS = [
  '.vscode-server',
  '.vscode-server-insiders',
  '.vscode-server-oss',
  '.vscodium-server',
  '.vscodium-server-insiders',
  '.vscode-remote',
  '.positron-server',
]

/** Every `User` folder of an editor of the VS Code family. Cursor keeps its chats elsewhere. */
export function userFolders(machine: Machine): Root[] {
  const { platform, home, env } = machine
  const { join, resolve } = pathsOf(machine)
  const roots: Root[] = []
  const add = (label: string, ...parts: string[]) => {
    const folder = join(...parts)
    if (!roots.some((root) => root.path === folder)) roots.push({ path: folder, label })
  }

  // An editor started with --user-data-dir keeps it anywhere; our extension inside of it knows where.
  if (env.RECOLLECT_VSCODE_USER) add('own', resolve(env.RECOLLECT_VSCODE_USER))
  if (env.VSCODE_PORTABLE) add('portable', resolve(env.VSCODE_PORTABLE), 'user-data', 'User')
  for (const product of PRODUCTS) {
    if (env.VSCODE_APPDATA) add(product, resolve(env.VSCODE_APPDATA), product, 'User')
    add(product, configFolder(machine), product, 'User')
  }
  if (platform === 'win32') add('code-server', dataFolder(machine), 'code-server', 'Data', 'User')
  else if (platform === 'darwin') add('code-server', home, '.local', 'share', 'code-server', 'User')
  else {
    add('code-server', dataFolder(machine), 'code-server', 'User')
    for (const [app, product] of FLATPAKS)
      add(`${product} (Flatpak)`, home, '.var/app', app, 'config', product, 'User')
  }
  if (env.VSCODE_AGENT_FOLDER) add('remote server', resolve(env.VSCODE_AGENT_FOLDER), 'data', 'User')
  for (const server of SERVERS) add(server.slice(1), home, server, 'data', 'User')
  return roots
}
