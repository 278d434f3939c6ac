import { configFolder, dataFolder, type Machine, pathsOf } from '../../platform/machine.ts'
import { below } from '../below.ts'
import type { Root, Unit } from '../source.ts'

const DEEPEST = 8
const NOT_HISTORY = new Set(['memory', 'tool-results'])

/** A folder of projects, each with a transcript for every session and one more for every sub-agent. */
export function enters(folder: string): boolean {
  const parts = folder.split('/')
  if (parts.length > DEEPEST || NOT_HISTORY.has(parts.at(-1)!)) return false
  return parts.length < 3 || parts[2] === 'subagents'
}

/** The transcript in a folder of projects that a file belongs to. */
export function unit(file: string, root: Root): Unit | undefined {
  const parts = file.split('/')
  const name = parts.at(-1)!
  if (parts.length > DEEPEST + 1 || name.startsWith('.')) return undefined
  if (parts.length !== 2 && parts[2] !== 'subagents') return undefined
  if (name.startsWith('agent-')) {
    const transcript = file.replace(/\.(meta\.json|jsonl)$/, '')
    if (transcript === file) return undefined
    return {
      path: below(root, `${transcript}.jsonl`),
      growth: 'append',
      beside: [below(root, `${transcript}.meta.json`)],
    }
  }
  if (parts.length !== 2 || !name.endsWith('.jsonl')) return undefined
  return { path: below(root, file), growth: 'append' }
}

/** Where Claude Desktop keeps its data: on Windows there is a second place for the one from the Store. */
export function desktopFolders(machine: Machine): string[] {
  const { join } = pathsOf(machine)
  const folders = [join(configFolder(machine), 'Claude')]
  if (machine.platform === 'win32')
    folders.push(
      join(dataFolder(machine), 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude'),
    )
  return folders
}
