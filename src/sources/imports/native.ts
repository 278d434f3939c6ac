import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Machine } from '../../platform/machine.ts'
import { sources } from '../index.ts'
import type { Place, Sign } from '../sign.ts'
import type { Source, Unit } from '../source.ts'
import { lookAt } from './look.ts'

/** A session file as its assistant's own source reads it. */
export interface Native {
  source: Source
  unit: Unit
  machine: Machine
}

/** A sign of one assistant's files. */
export interface OwnSign {
  source: Source
  sign: Sign
}

const DEEPEST = 9

/** Of every assistant; the first that fits tells whose a file is. */
export async function loadSigns(): Promise<OwnSign[]> {
  const all = sources.map(async (source) => {
    const { signs } = (await source.signs?.()) ?? { signs: [] }
    return signs.map((sign) => ({ source, sign }))
  })
  return (await Promise.all(all)).flat()
}

/** Session files of assistants, wherever they lie. Has to be closed. */
export class Natives {
  folder: string | undefined
  staged = 0
  readonly leave = () => this.close()
  readonly signs: OwnSign[]

  constructor(signs: OwnSign[]) {
    this.signs = signs
  }

  /** Whose session file this is, if anybody's; `name` is what it is called where it came from. */
  recognise(file: string, name = path.basename(file)): Native | undefined {
    const look = lookAt(file, name)
    for (const { source, sign } of this.signs) {
      if (!sign.fits(look)) continue
      const machine = machineFor(path.dirname(file))
      const inPlace = name === path.basename(file) && (sign.mayStay?.(look) ?? true)
      const unit = (inPlace && unitInPlace(source, file)) || this.put(source, sign.place(look), file)
      if (unit) return { source, unit, machine }
    }
    return undefined
  }

  /** Shows a file to its source where the source would look for it. */
  put(source: Source, place: Place, from: string): Unit | undefined {
    const { file, label, folder, at } = place
    if (place.root) return source.unit(file, { path: place.root, label })
    const root = path.join(this.open(), `${this.staged++}-${source.id}`)
    const seen = path.join(root, ...file.split('/'))
    if (folder && at) link(folder, path.join(root, ...at.split('/')))
    else for (const end of ['', '-wal', '-shm']) if (fs.existsSync(from + end)) link(from + end, seen + end)
    return source.unit(file, { path: root, ...(label && { label }) })
  }

  open(): string {
    if (!this.folder) {
      this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-import-'))
      process.once('exit', this.leave)
    }
    return this.folder
  }

  close(): void {
    if (!this.folder) return
    fs.rmSync(this.folder, { recursive: true, force: true })
    process.off('exit', this.leave)
    this.folder = undefined
  }
}

/** A link costs nothing; where the system does not allow one, a copy does as well. */
function link(from: string, to: string): void {
  fs.mkdirSync(path.dirname(to), { recursive: true })
  try {
    fs.symlinkSync(from, to)
  } catch {
    fs.cpSync(from, to, { recursive: true })
  }
}

/** The unit of a file that lies as its assistant would have it, below whatever folder. */
function unitInPlace(source: Source, file: string): Unit | undefined {
  const parts = file.split(path.sep)
  for (let depth = 1; depth <= DEEPEST && depth < parts.length; depth++) {
    const root = parts.slice(0, -depth).join(path.sep) || path.sep
    const relative = parts.slice(-depth).join('/')
    for (const label of labelsOf(source)) {
      const unit = source.unit(relative, { path: root, ...(label !== undefined && { label }) })
      if (unit) return unit
    }
  }
  return undefined
}

function labelsOf(source: Source): (string | undefined)[] {
  const roots = source.roots(machineFor(path.join(path.sep, 'home')))
  return [...new Set([undefined, ...roots.map(({ label }) => label)])]
}

/** A machine of which nothing is known but a folder. */
export function machineFor(home: string, platform: NodeJS.Platform = process.platform): Machine {
  return { platform, home, env: {}, reader: process.platform }
}
