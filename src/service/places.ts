import fs from 'node:fs'
import path from 'node:path'
import type { Act } from '../capabilities/capability.ts'
import { chosenMemory, type MEMORY_TARGETS } from '../context/memory-files.ts'
import { archivePlace, contextPlace } from '../context/place.ts'
import { RecollectError } from '../model/errors.ts'
import { type Machine, recollectHome } from '../platform/machine.ts'

export interface Grounds {
  /** The folders that the client named. */
  roots: readonly string[]
  machine: Machine
}

/** What of an input says where something is written. */
interface Named {
  workspace?: string
  target?: (typeof MEMORY_TARGETS)[number]
  path?: string
}

/**
 * Holds an agent or a program to its own ground: the folders that its client named and the archive's
 * `exports/`, after links are followed. Never what assistants read as instructions in the home folder,
 * nor in another project: whoever writes there speaks to every later chat.
 */
export function checkPlaces(acts: readonly Act[], input: Named, grounds: Grounds): void {
  for (const act of acts) for (const file of filesOf(act, input, grounds)) checkPlace(act, file, grounds)
}

/** Where files go that belong to no workspace. */
function exportsFolder(machine: Machine): string {
  return path.join(recollectHome(machine), 'exports')
}

function checkPlace(act: Act, file: string, { roots, machine }: Grounds): void {
  const real = realPath(file)
  const home = realPath(machine.home)
  if (act === 'export-file' && contains(realPath(exportsFolder(machine)), real)) {
    fs.mkdirSync(exportsFolder(machine), { recursive: true, mode: 0o700 })
    return
  }
  // What the owner set in the environment names a folder as well.
  const named = machine.env.WORKSPACE ? [...roots, machine.env.WORKSPACE] : roots
  // The innermost: a folder inside of another that the client named as well is its own, and no other project.
  const root = named
    .map(realPath)
    .filter((each) => isGround(each, home) && contains(each, real))
    .toSorted((a, b) => b.length - a.length)[0]
  if (root === undefined) throw outside(file, real, roots, machine)
  if (isOfHome(real, root, home)) throw refused(file, 'assistants read it in every project')
  if (act === 'write-memory' && isOtherProject(real, root)) throw refused(file, 'it is of another project')
  if (act !== 'write-memory' && isInstructions(path.relative(root, real)))
    throw refused(file, 'assistants read it as instructions')
}

function filesOf(act: Act, { workspace, target, path: given }: Named, { roots, machine }: Grounds): string[] {
  if (act === 'export-file') {
    const named = (given ?? '').replace(/^~(?=$|[\\/])/, machine.home)
    return [path.resolve(roots[0] ?? process.cwd(), named)]
  }
  if (act !== 'write-context' && act !== 'write-memory') return []
  const place = contextPlace({ workspace, env: machine.env, root: roots[0] }, 'WRITE_ERROR')
  if (act === 'write-memory') return [chosenMemory(target, place, machine).file]
  return [place.file, archivePlace(place).file]
}

/** All of a disk, or of the people on it, is nobody's workspace: programs without one are started there. */
function isGround(root: string, home: string): boolean {
  return root !== path.parse(root).root && (root === home || !contains(root, home))
}

/** Hidden folders right in the home folder hold what assistants and shells read; so do some files there. */
function isOfHome(file: string, root: string, home: string): boolean {
  if (!contains(home, file)) return false
  const parts = path.relative(home, file).split(path.sep)
  const [first = ''] = parts
  if (ASSISTANTS.test(first)) return true
  if (parts.length === 1) return INSTRUCTIONS.test(first) || first.startsWith('.')
  return first.startsWith('.') && !contains(path.join(home, first), root, true)
}

const ASSISTANTS =
  /^\.(?:claude|codex|gemini|copilot|cursor|codeium|windsurf|continue|aider|github|agents?|goose|opencode|cline|amp|qwen)\b/i
const INSTRUCTIONS =
  /^(?:agents|claude|gemini|qwen|crush|conventions|copilot-instructions|memory)(?:\.(?:local|override))?\.md$|^\.(?:cursor|windsurf|cline|goose)rules|^\.goosehints$|\.(?:instructions|prompt|chatmode|agent)\.md$|\.mdc$/i

/** As assistants find them in a project: by their name, or in a hidden folder. */
function isInstructions(inRoot: string): boolean {
  const parts = inRoot.split(path.sep)
  return INSTRUCTIONS.test(parts.at(-1) ?? '') || parts.some((part) => part.startsWith('.'))
}

function isOtherProject(file: string, root: string): boolean {
  for (let folder = path.dirname(file); contains(root, folder); folder = path.dirname(folder))
    if (fs.existsSync(path.join(folder, '.git'))) return true
  return false
}

function contains(folder: string, file: string, orSame = false): boolean {
  const relative = path.relative(folder, file)
  if (relative === '') return orSame
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

/** With all links followed, also where the end of the path does not exist yet. */
function realPath(file: string): string {
  const missing: string[] = []
  for (let at = path.resolve(file); ; at = path.dirname(at)) {
    try {
      return path.join(fs.realpathSync.native(at), ...missing)
    } catch (error) {
      // A link to nothing yet leads somewhere all the same.
      const target = linkAt(at)
      if (target !== undefined) return path.join(realPath(path.resolve(path.dirname(at), target)), ...missing)
      if (at === path.dirname(at)) throw error
      missing.unshift(path.basename(at))
    }
  }
}

function linkAt(file: string): string | undefined {
  try {
    return fs.readlinkSync(file)
  } catch {
    return undefined
  }
}

const NAMED_ROOTS = 5

function outside(file: string, real: string, roots: readonly string[], machine: Machine): RecollectError {
  const led = real === path.resolve(file) ? '' : ` It leads to ${real}.`
  const named = roots.length > 0 ? ` (${roots.slice(0, NAMED_ROOTS).join(', ')})` : ''
  return new RecollectError(
    'FORBIDDEN',
    `${file} is outside of the workspace that the client named${named}.${led}`,
    `Write inside of it, or export into ${exportsFolder(machine)}. The owner may name another folder: WORKSPACE, or the client's roots.`,
  )
}

function refused(file: string, why: string): RecollectError {
  return new RecollectError(
    'FORBIDDEN',
    `${file} may not be written by an agent or a program: ${why}.`,
    'Choose another file, or ask the user to do it in a terminal.',
  )
}
