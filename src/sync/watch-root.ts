import fs from 'node:fs'
import path from 'node:path'
import type { Root, Source } from '../sources/source.ts'
import { discover, type FoundUnit } from './discover.ts'
import { statOf, type Trouble } from './look.ts'

export interface RootListener {
  onUnits: (units: FoundUnit[]) => void
  /** The root is gone, or the system lost count of its events. */
  onLost: () => void
  /** The system gives no more watches: part of the tree has to be looked at instead. */
  onBlind: () => void
}

/** What is below a root, and what of it could not be looked at. */
export interface Listing {
  units: FoundUnit[]
  troubles: Trouble[]
}

/**
 * Tells of every unit below a root that is touched, until closed. Linux has no watch over a whole
 * tree, so there each folder that the source enters is watched by itself, and no other. Each folder is
 * listed after its watch began, so that nothing falls between the two: the listing need not be made again.
 */
export function watchRoot(
  source: Source,
  root: Root,
  { onUnits, onLost, onBlind }: RootListener,
): { listing: Listing; close(): void } {
  const watchers = new Map<string, fs.FSWatcher>()
  const wholeTree = process.platform === 'darwin' || process.platform === 'win32'

  const unwatch = (folder: string): void => {
    for (const [name, watcher] of watchers) {
      if (name !== folder && !name.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(name)
    }
  }
  const touched = (file: string): void => {
    const stat = statOf(path.join(root.path, file))
    if (stat?.isDirectory()) {
      if (!source.enters(file, root)) return
      // It may be another one than was watched by this name.
      unwatch(file)
      onUnits(watchBelow(file))
    } else if (!stat && watchers.has(file)) unwatch(file)
    else onUnits(unitAt(source, root, file))
  }
  const watchFolder = (folder: string): void => {
    if (watchers.has(folder)) return
    const watcher = fs.watch(path.join(root.path, folder), { recursive: wholeTree }, (_, name) => {
      if (name === null) return onLost()
      const file = (folder ? `${folder}/${name}` : name).replaceAll('\\', '/')
      try {
        // Linux tells of the folder itself by its own name: one that is made again may get the same number.
        if (folder === '' && name === path.basename(root.path) && !statOf(path.join(root.path, name)))
          return onLost()
        if (!wholeTree || isEntered(source, root, file)) touched(file)
      } catch {
        // Whatever it is: the next look at everything notes it, and all others are still heard.
      }
    })
    watcher.on('error', () => {
      watcher.close()
      watchers.delete(folder)
      if (folder === '') onLost()
    })
    watchers.set(folder, watcher)
  }
  const watchBelow = (folder: string, onTrouble?: (trouble: Trouble) => void): FoundUnit[] =>
    discover(source, root, {
      below: folder,
      onTrouble,
      onFolder: (each) => {
        try {
          if (!wholeTree || each === '') watchFolder(each)
        } catch {
          onBlind()
        }
      },
    })

  const troubles: Trouble[] = []
  const units = watchBelow('', (trouble) => troubles.push(trouble))
  return {
    listing: { units, troubles },
    close() {
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function unitAt(source: Source, root: Root, file: string): FoundUnit[] {
  const unit = source.unit(file, root)
  const stat = unit && statOf(unit.path)
  return unit && stat?.isFile() ? [{ ...unit, stat }] : []
}

function isEntered(source: Source, root: Root, file: string): boolean {
  const folders = file.split('/').slice(0, -1)
  return folders.every((_, depth) => source.enters(folders.slice(0, depth + 1).join('/'), root))
}
