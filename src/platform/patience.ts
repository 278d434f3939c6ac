import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Windows refuses to touch a file that an editor or a virus scanner looks at: to be tried again. */
export function isInUse(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code)
}

/** Keeps the whole thread waiting: for milliseconds only. */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Tried again for a second while another program holds the file. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries === PATIENCE.tries || !isInUse(error)) throw error
      await sleep(PATIENCE.ms)
    }
  }
}

export function patientlySync<T>(act: () => T): T {
  for (let tries = 0; ; tries++) {
    try {
      return act()
    } catch (error) {
      if (tries === PATIENCE.tries || !isInUse(error)) throw error
      sleepSync(PATIENCE.ms)
    }
  }
}

export function renamePatiently(from: string, to: string): void {
  patientlySync(() => fs.renameSync(from, to))
}

const PATIENCE = { tries: 20, ms: 50 }
