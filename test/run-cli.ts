import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..')

/** What is tested: the sources, or what `npm test` bundled of them. */
export const recollect = process.env.RECOLLECT_TESTED ?? path.join(root, 'bin', 'recollect')

export interface Outcome {
  code: number | null
  out: string
  err: string
}

/** A made-up machine: a home folder, a place for the archive, and the command run with both. */
export function machine(): { home: string; archive: string; run: typeof run; remove(): void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-cli-'))
  const [home, archive] = [path.join(folder, 'home'), path.join(folder, 'archive')]
  fs.mkdirSync(home)
  const run = (args: string[], { input = '', command = recollect, env = {} } = {}) =>
    runCommand(
      process.execPath,
      [command, ...args],
      { HOME: home, USERPROFILE: home, RECOLLECT_HOME: archive, ...env },
      input,
    )
  return { home, archive, run, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}

/**
 * For `NODE_OPTIONS`: makes SIGUSR2 what Ctrl-Break is on Windows, where Node tells it as a signal that
 * other systems do not have.
 */
export const BREAK_KEY = `--import=data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => process.emit('SIGBREAK'))")}`

/** Without what the person who runs the tests has set: what a system's programs need. */
export function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'TMPDIR', 'TEMP', 'SystemRoot']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

/** Runs a command in a clean environment, without a terminal. */
export function runCommand(
  command: string,
  args: string[],
  env: Record<string, string>,
  input = '',
  cwd = root,
): Promise<Outcome> {
  const child = spawn(command, args, { cwd, env: { ...bareEnvironment(), ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}
