import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import type { Machine } from '../platform/machine.ts'
import { wholeFile } from './bytes.ts'
import { type Place, realFile } from './place.ts'

/** The files in which assistants keep what they are to know at the start of every chat. */
export const MEMORY_TARGETS = ['agents-md', 'copilot-instructions', 'claude-md', 'memory-dir'] as const
export type MemoryTarget = (typeof MEMORY_TARGETS)[number]

export interface MemoryFile {
  target: MemoryTarget
  file: string
  /** As people name it: relative to the workspace, or to the project's folder of Claude Code. */
  name: string
  /** A link is followed only inside of this folder. */
  within: string
}

const MAX_FILES = 100
/** Of it no more goes into a context file. */
export const MAX_IMPORTED = 1_000_000

export function memoryFile(target: MemoryTarget, { workspace }: Place, machine: Machine): MemoryFile {
  const inWorkspace = (name: string): MemoryFile => ({
    target,
    file: path.join(workspace, name),
    name,
    within: workspace,
  })
  if (target === 'agents-md') return inWorkspace('AGENTS.md')
  if (target === 'copilot-instructions') return inWorkspace('.github/copilot-instructions.md')
  if (target === 'claude-md') {
    const [plain, hidden] = [inWorkspace('CLAUDE.md'), inWorkspace('.claude/CLAUDE.md')]
    return fs.existsSync(hidden.file) && !fs.existsSync(plain.file) ? hidden : plain
  }
  // Claude Code's own memory of a project: MEMORY.md is read into every chat, the other files when needed.
  const named = machine.env.CLAUDE_CONFIG_DIR?.split(',')[0]
    ?.trim()
    .replace(/^~(?=[/\\])/, machine.home)
  const home = named ? path.resolve(named) : path.join(machine.home, '.claude')
  const real = fs.existsSync(workspace) ? fs.realpathSync(workspace) : workspace
  const folder = path.join(home, 'projects', real.replace(/[^a-zA-Z0-9]/g, '-'), 'memory')
  // Not named by its path, which says who works where: the name is written into a shared file.
  return { target, file: path.join(folder, 'MEMORY.md'), name: 'memory/MEMORY.md', within: home }
}

/** The one asked for, else the first that exists, else the first of all. */
export function chosenMemory(target: MemoryTarget | undefined, place: Place, machine: Machine): MemoryFile {
  if (target) return memoryFile(target, place, machine)
  const files = MEMORY_TARGETS.map((each) => memoryFile(each, place, machine))
  return files.find(({ file }) => fs.existsSync(file)) ?? files[0]!
}

/** What it says outside of our own block; of a memory folder, all of its files. Undefined where there is none. */
export function memoryText({ target, file, within }: MemoryFile): string | undefined {
  const real = fs.existsSync(within) ? realFile(file, within, 'READ_ERROR') : undefined
  const main = real && textOutsideBlock(wholeFile(real), file)
  if (target !== 'memory-dir') return main
  const others = topicFiles(path.dirname(file), within)
  if (main === undefined && others.length === 0) return undefined
  return [main, ...others].filter(Boolean).join('\n\n')
}

export const BLOCK_BEGIN = '<!-- recollect:begin -->'
export const BLOCK_END = '<!-- recollect:end -->'

/** The bytes of our block, with both marks and the end of their lines. */
export function blockIn(bytes: Buffer, file: string): { from: number; to: number } | undefined {
  const begins = linesWith(bytes, BLOCK_BEGIN)
  const ends = linesWith(bytes, BLOCK_END)
  if (begins.length === 0 && ends.length === 0) return undefined
  if (begins.length !== 1 || ends.length !== 1 || begins[0]! > ends[0]!) {
    throw new RecollectError(
      'WRITE_ERROR',
      `The marked block in ${file} is damaged.`,
      `It has to be one ${BLOCK_BEGIN} line and one ${BLOCK_END} line below it. Mend or remove them.`,
    )
  }
  const end = bytes.indexOf(10, ends[0])
  return { from: begins[0]!, to: end < 0 ? bytes.length : end + 1 }
}

function textOutsideBlock(bytes: Buffer, file: string): string {
  const block = blockIn(bytes, file)
  const outside = block ? Buffer.concat([bytes.subarray(0, block.from), bytes.subarray(block.to)]) : bytes
  return outside
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .trim()
}

function topicFiles(folder: string, within: string): string[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'MEMORY.md' && !name.startsWith('.'))
    .sort()
    .slice(0, MAX_FILES)
    .flatMap((name) => {
      const real = realFile(path.join(folder, name), within, 'READ_ERROR')
      return real ? [`### ${name}\n\n${textOutsideBlock(wholeFile(real), name)}`] : []
    })
}

/** Where lines begin that consist of the mark alone. */
function linesWith(bytes: Buffer, mark: string): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    const before = at === 0 || bytes[at - 1] === 10 || (at === 3 && bytes[0] === 0xef)
    const after = bytes[at + mark.length]
    if (before && (after === undefined || after === 10 || after === 13)) found.push(at)
  }
  return found
}
