import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'

/** What is given to `spawn`, never with a shell: a name or an id must not be taken for a command. */
export interface Startable {
  file: string
  args: string[]
  /** The arguments are quoted already. */
  windowsVerbatimArguments?: true
}

/** The system it is done for; this one, but in tests. */
interface System {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  isProgram(file: string): boolean
}

const thisSystem: System = { platform: process.platform, env: process.env, isProgram }

/**
 * How a program is started. Windows keeps many as scripts (`npx.cmd`), which only its command
 * interpreter can run: that is given nothing but plain words, and refuses the rest.
 */
export function startable(program: string, args: string[], system = thisSystem): Startable {
  if (system.platform !== 'win32') return { file: program, args }
  const found = findProgram(program, system) ?? program
  if (!/\.(?:cmd|bat)$/i.test(found)) return { file: found, args }
  const unsafe = [found, ...args].find((word) => /[&|<>^%!"\r\n]/.test(word))
  if (unsafe !== undefined) {
    throw new RecollectError(
      'UNSAFE_COMMAND',
      `${program} is a script, and "${unsafe}" could be taken for a command of its own.`,
      'Run it by hand.',
    )
  }
  const line = [found, ...args].map((word) => `"${word}"`).join(' ')
  return {
    file: system.env.ComSpec || 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  }
}

/** The file that a shell would find for a name. */
export function findProgram(program: string, system: Partial<System> = {}): string | undefined {
  const { platform, env, isProgram } = { ...thisSystem, ...system }
  const { join, delimiter } = platform === 'win32' ? path.win32 : path.posix
  const folders = /[\\/]/.test(program) ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean)
  // On Windows a file without an ending is the script of another system.
  const endings = platform === 'win32' ? windowsEndings(program, env) : ['']
  return folders
    .flatMap((folder) =>
      endings.map((ending) => (folder ? join(folder, program + ending) : program + ending)),
    )
    .find(isProgram)
}

function windowsEndings(program: string, env: System['env']): string[] {
  const endings = (env.PATHEXT || '.EXE;.CMD;.BAT').split(';').filter(Boolean)
  return endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase())) ? [''] : endings
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

/** A program of Windows itself, by its whole path: a bare name would be looked for in the folder we work in first. */
export function ofWindows(program: string, env = process.env): string {
  const folder = program === 'explorer.exe' ? '' : 'System32'
  return path.join(env.SystemRoot || 'C:\\Windows', folder, program)
}

/** Ends a process that still runs, and all that it started. Elsewhere than on Windows it is the leader of its group. */
export function endTree(pid: number, signal: NodeJS.Signals, platform = process.platform): void {
  if (platform === 'win32') {
    execFile(ofWindows('taskkill.exe'), ['/pid', String(pid), '/t', '/f'], { windowsHide: true }, () => {})
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // Nothing of it is left.
  }
}

/** The words of a command as a POSIX shell would split it: quotes, and no more than that. */
export function wordsOfCommand(command: string): string[] {
  const words = command.match(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/g) ?? []
  return words.map((word) =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
      (_, single, double, escaped) =>
        single ?? (double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : escaped),
    ),
  )
}
