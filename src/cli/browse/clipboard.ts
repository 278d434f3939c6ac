import { spawn } from 'node:child_process'
import { findProgram } from '../../platform/program.ts'

/** Terminals drop what is longer. */
const MOST_FOR_TERMINAL = 74_000

/**
 * Copies a text: by asking the terminal, which also works over SSH, and by the system's own program
 * where there is one. Nobody says whether the terminal did it.
 */
export async function copy(text: string, terminal: NodeJS.WriteStream, env = process.env): Promise<void> {
  const encoded = Buffer.from(text).toString('base64')
  if (encoded.length <= MOST_FOR_TERMINAL) terminal.write(`\u001b]52;c;${encoded}\u0007`)
  for (const [program, ...args] of programs(env)) {
    if (findProgram(program!, { env }) && (await ran(program!, args, text))) return
  }
}

/** Opens a file or a folder with the program that the person has for it; whether there is one. */
export async function openPath(target: string, env = process.env): Promise<boolean> {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', '--', target]
      : process.platform === 'win32'
        ? ['explorer.exe', target]
        : ['xdg-open', target]
  const hasDesktop = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!hasDesktop || !findProgram(program!, { env })) return false
  const child = spawn(program!, args, { stdio: 'ignore', detached: true })
  return await new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function programs(env: NodeJS.ProcessEnv): string[][] {
  if (process.platform === 'darwin') return [['pbcopy']]
  if (process.platform === 'win32') return [['clip.exe']]
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
    ...(env.DISPLAY ? [['xclip', '-selection', 'clipboard']] : []),
  ]
}

function ran(program: string, args: string[], input: string): Promise<boolean> {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], windowsHide: true })
  return new Promise((resolve) => {
    child.on('error', () => resolve(false))
    // What holds the clipboard may stay behind: its exit is all that is waited for.
    child.on('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(program === 'clip.exe' ? Buffer.from(`\ufeff${input}`, 'utf16le') : input)
  })
}
