import fs from 'node:fs'
import path from 'node:path'
import type { Machine } from '../platform/machine.ts'
import type { Root, Source, Unit } from '../sources/source.ts'

/** A unit that is there, with what the file system says of it. */
export interface FoundUnit extends Unit {
  stat: fs.Stats
}

const MAX_DEPTH = 12

/** The roots that are there, each real folder once although links may name it twice. */
export function existingRoots(source: Source, machine: Machine): Root[] {
  const seen = new Set<string>()
  return source.roots(machine).filter((root) => {
    const real = realPath(root.path)
    if (real === undefined || seen.has(real)) return false
    seen.add(real)
    return true
  })
}

/**
 * Every unit of a source below a root, or below one folder of it; `onFolder` hears of each folder
 * that was entered. Cost: one listing a folder, one stat a unit.
 */
export function discover(
  source: Source,
  root: Root,
  { below = '', onFolder }: { below?: string; onFolder?: (folder: string) => void } = {},
): FoundUnit[] {
  const units = new Map<string, FoundUnit>()
  const entered = new Set([realPath(root.path)])
  const walk = (folder: string, depth: number): void => {
    const absolute = path.join(root.path, folder)
    onFolder?.(folder)
    for (const entry of entriesOf(absolute)) {
      const relative = folder ? `${folder}/${entry.name}` : entry.name
      const isFolder =
        entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(path.join(absolute, entry.name)))
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
        const stat = fs.statSync(unit.path, { throwIfNoEntry: false })
        if (stat?.isFile()) units.set(unit.path, { ...unit, stat })
      }
    }
  }
  walk(below, below === '' ? 0 : below.split('/').length)
  return [...units.values()]
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    // Gone or not ours to read; `recollect paths` tells which roots are readable.
    return []
  }
}

function isDirectory(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file)
  } catch {
    return undefined
  }
}
