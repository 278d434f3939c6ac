import { spawn } from 'node:child_process'
import { findProgram, ofWindows } from '../../platform/program.ts'

/** The system it is done on; this one, but in tests. */
type System = Pick<NodeJS.Process, 'platform' | 'env'>

/** Terminals drop what is longer. */
const MOST_FOR_TERMINAL = 74_000

/** Who copied a text: a program that said it did, or the terminal, which says nothing. */
export type Copier = 'program' | 'terminal'

/**
 * Copies a text: by the system's own program where there is one, and where the person allows it by asking the terminal,
 * which also works over SSH. Nothing where neither can.
 */
export async function copy(
  text: string,
  { terminal, osc52 }: { terminal: Pick<NodeJS.WriteStream, 'write'>; osc52: boolean },
  system: System = process,
): Promise<Copier | undefined> {
  const encoded = Buffer.from(text).toString('base64')
  const isAsked = osc52 && encoded.length <= MOST_FOR_TERMINAL
  if (isAsked) terminal.write(`\u001b]52;c;${encoded}\u0007`)
  for (const [program, ...args] of programs(system)) {
    const file = findProgram(program!, system)
    if (file && (await ran(file, args, text, system.env))) return 'program'
  }
  return isAsked ? 'terminal' : undefined
}

/** Opens a file or a folder with the program that the person has for it; whether there is one. */
export async function openPath(target: string, system: System = process): Promise<boolean> {
  const { platform, env } = system
  const [program, ...args] =
    platform === 'darwin'
      ? ['open', '--', target]
      : platform === 'win32'
        ? [ofWindows('explorer.exe', env), target]
        : ['xdg-open', target]
  const hasDesktop = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  const file = hasDesktop ? findProgram(program!, system) : undefined
  if (!file) return false
  const child = spawn(file, args, { stdio: 'ignore', detached: true, env })
  return await new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function programs({ platform, env }: System): string[][] {
  if (platform === 'darwin') return [['pbcopy']]
  if (platform === 'win32') return [[ofWindows('clip.exe', env)]]
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
    ...(env.DISPLAY ? [['xclip', '-selection', 'clipboard']] : []),
  ]
}

function ran(program: string, args: string[], input: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true, env })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    // What holds the clipboard may stay behind: its exit is all that is waited for.
    child.on('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(program.endsWith('clip.exe') ? Buffer.from(`\ufeff${input}`, 'utf16le') : input)
  })
}
