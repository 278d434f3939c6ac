import fs from 'node:fs'
import path from 'node:path'
import type { Machine } from '../platform/machine.ts'
import type { Root, Source, Unit } from '../sources/source.ts'
import { looked, type OnTrouble, statOf, type Trouble } from './look.ts'

/** A unit that is there, with what the file system says of it. */
export interface FoundUnit extends Unit {
  stat: FileFacts
}

/** What is asked of a file. There may be ten thousand of them at a time, and the system says three times as much. */
type FileFacts = Pick<fs.Stats, 'size' | 'mtimeMs' | 'birthtimeMs' | 'ino'>

/** When a file was made, as far as the system knows. */
export function bornAt({ stat }: FoundUnit): number {
  return stat.birthtimeMs > 0 ? Math.min(stat.birthtimeMs, stat.mtimeMs) : stat.mtimeMs
}

const MAX_DEPTH = 12

/**
 * The roots that are there, each real folder once although links may name it twice. Asked for twice a second while nothing
 * else goes on: most are not there, for which one look is enough; the real path takes one for each folder above, and is
 * needed only where there are several. `onTrouble` hears of those that may be there, and do not let themselves be looked at.
 */
export function existingRoots(source: Source, machine: Machine, onTrouble?: OnTrouble): Root[] {
  const there = source.roots(machine).filter((root) => statOf(root.path, onTrouble) !== undefined)
  if (there.length < 2) return there
  const seen = new Set<string>()
  return there.filter((root) => {
    const real = realPath(root.path)
    if (real === undefined || seen.has(real)) return false
    seen.add(real)
    return true
  })
}

/**
 * Every unit of a source below a root, or below one folder of it; `onFolder` hears of each folder
 * that was entered, `onTrouble` of what could not be looked at. Cost: one listing a folder, one stat
 * a unit.
 */
export function discover(
  source: Source,
  root: Root,
  {
    below = '',
    onFolder,
    onTrouble,
  }: { below?: string; onFolder?: (folder: string) => void; onTrouble?: OnTrouble } = {},
): FoundUnit[] {
  const units = new Map<string, FoundUnit>()
  const entered = new Set([realPath(root.path)])
  const walk = (folder: string, depth: number): void => {
    const absolute = path.join(root.path, folder)
    onFolder?.(folder)
    for (const entry of entriesOf(absolute, onTrouble)) {
      const relative = folder ? `${folder}/${entry.name}` : entry.name
      let trouble: Trouble | undefined
      const linked = entry.isSymbolicLink()
        ? statOf(path.join(absolute, entry.name), (each) => (trouble = each))
        : undefined
      if (trouble) {
        if (source.unit(relative, root) || source.enters(relative, root)) onTrouble?.(trouble)
        continue
      }
      const isFolder = entry.isDirectory() || linked?.isDirectory()
      if (isFolder) {
        if (depth >= MAX_DEPTH || !source.enters(relative, root)) continue
        if (entry.isSymbolicLink()) {
          const real = realPath(path.join(absolute, entry.name))
          if (real === undefined || entered.has(real)) continue
          entered.add(real)
        }
        walk(relative, depth + 1)
      } else {
        const unit = source.unit(relative, root)
        if (!unit || units.has(unit.path)) continue
        const stat = statOf(unit.path, onTrouble)
        if (stat?.isFile()) units.set(unit.path, { ...unit, stat: factsOf(stat) })
      }
    }
  }
  walk(below, below === '' ? 0 : below.split('/').length)
  return [...units.values()]
}

function factsOf({ size, mtimeMs, birthtimeMs, ino }: fs.Stats): FileFacts {
  return { size, mtimeMs, birthtimeMs, ino }
}

function entriesOf(folder: string, onTrouble: OnTrouble | undefined): fs.Dirent[] {
  return looked(folder, () => fs.readdirSync(folder, { withFileTypes: true }), onTrouble) ?? []
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file)
  } catch {
    return undefined
  }
}
