import fs from 'node:fs'
import { machineFor, type Native } from '../sources/imports/native.ts'
import { sources } from '../sources/index.ts'
import { discover, type FoundUnit } from './discover.ts'

const PLATFORMS: NodeJS.Platform[] = ['linux', 'darwin', 'win32']

export interface HomeUnit extends Native {
  unit: FoundUnit
}

/**
 * All that the assistants keep in a folder, where it is a home folder: of this machine or copied
 * from one of any system. Nothing where no assistant has a place of its own in it.
 */
export function unitsInHome(folder: string): HomeUnit[] {
  const found = new Map<string, HomeUnit>()
  for (const platform of PLATFORMS) {
    const machine = machineFor(folder, platform)
    for (const source of sources) {
      for (const root of source.roots(machine)) {
        if (!isFolder(root.path) || (root.watched === false && found.size === 0)) continue
        for (const unit of discover(source, root)) {
          const key = `${source.id} ${unit.path}`
          if (!found.has(key)) found.set(key, { source, unit, machine })
        }
      }
    }
  }
  return [...found.values()]
}

function isFolder(folder: string): boolean {
  try {
    return fs.statSync(folder).isDirectory()
  } catch {
    return false
  }
}
