import { type ChildProcess, spawn } from 'node:child_process'

/** A program that was started, with everything it starts itself. */
export interface Process {
  /** Waits until its output has this text. */
  said(text: string): Promise<void>
  /** Waits until it ended, or ends it after so long. Its exit code, or the signal that ended it. */
  ended(limitMs: number): Promise<number | string>
  output(): string
  /** Ends it, and what it left behind, and waits for that. */
  end(): Promise<void>
}

export function spawned(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Process {
  const child = spawn(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own group, so that its children can be ended with it.
    detached: process.platform !== 'win32',
    shell: command.endsWith('.cmd'),
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-100_000)
      for (const listener of listeners) listener()
    })
  }
  const exit = new Promise<number | string>((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
    child.on('error', (error) => resolve(error.message))
  })
  return {
    output: () => output,
    async said(text) {
      const heard = new Promise<void>((resolve) => {
        const listener = () => output.includes(text) && resolve()
        listeners.add(listener)
        listener()
      })
      const gone = exit.then((code) => Promise.reject(new Error(`${command} ended with ${code}: ${output}`)))
      await Promise.race([heard, gone])
    },
    async ended(limitMs) {
      const timer = setTimeout(() => kill(child, 'SIGKILL'), limitMs)
      return exit.finally(() => clearTimeout(timer))
    },
    async end() {
      kill(child, 'SIGTERM')
      const timer = setTimeout(() => kill(child, 'SIGKILL'), 3_000)
      await exit.finally(() => clearTimeout(timer))
      kill(child, 'SIGKILL')
    },
  }
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It is gone already.
  }
}
