import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { configFolder, type Machine } from '../../platform/machine.ts'
import type { ClientFile } from './client-file.ts'

const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium', 'VSCodium - Insiders', 'Code - OSS', 'Positron']

const FLATPAKS = [
  ['com.visualstudio.code', 'Code'],
  ['com.visualstudio.code.insiders', 'Code - Insiders'],
  ['com.vscodium.codium', 'VSCodium'],
] as const

/** What VS Code keeps of its profiles. One may use the servers of the default profile. */
const storage = z.object({
  userDataProfiles: z.array(
    z.object({
      location: z.string().regex(/^[\w-]+$/),
      name: z.string(),
      useDefaultFlags: z.object({ mcp: z.boolean().optional() }).optional(),
    }),
  ),
})

/** `mcp.json` of every edition of VS Code, and of each of its profiles. */
export function vscodeFiles(machine: Machine): ClientFile[] {
  const { platform, home, env } = machine
  const { join } = platform === 'win32' ? path.win32 : path.posix
  const folders: { label?: string; folder: string }[] = EDITIONS.map((edition) => ({
    label: edition === 'Code' ? undefined : edition,
    folder: join(configFolder(machine), edition, 'User'),
  }))
  if (env.VSCODE_PORTABLE)
    folders.push({ label: 'portable', folder: join(env.VSCODE_PORTABLE, 'user-data', 'User') })
  if (platform === 'linux') {
    for (const [app, edition] of FLATPAKS) {
      folders.push({
        label: `${edition}, Flatpak`,
        folder: join(home, '.var/app', app, 'config', edition, 'User'),
      })
    }
  }
  return folders.flatMap(({ label, folder }) => [
    { label, file: join(folder, 'mcp.json'), signs: [folder] },
    ...profilesIn(folder).map(({ location, name }) => {
      const profile = join(folder, 'profiles', location)
      return {
        label: [label, `profile ${name}`].filter(Boolean).join(', '),
        file: join(profile, 'mcp.json'),
        signs: [profile],
      }
    }),
  ])
}

function profilesIn(folder: string): { location: string; name: string }[] {
  try {
    const text = fs.readFileSync(path.join(folder, 'globalStorage', 'storage.json'), 'utf8')
    return storage
      .parse(JSON.parse(text.replace(/^\ufeff/, '')))
      .userDataProfiles.filter(({ useDefaultFlags }) => useDefaultFlags?.mcp !== true)
  } catch {
    // Without profiles there is no such list.
    return []
  }
}
