import fs from 'node:fs'
import path from 'node:path'

const LOCK_MS = 2_000

/**
 * Writes a small file anew, private to its owner, whole or not at all. The new file is also the lock:
 * two changes at once come one after the other, each knowing the other's. `changed` gets no text
 * where there is no file yet.
 */
export function changeFile(file: string, changed: (text: string | undefined) => string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.new`
  const fd = locked(next)
  try {
    try {
      fs.writeFileSync(fd, changed(textOf(file)))
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
    fs.renameSync(next, file)
  } catch (error) {
    fs.rmSync(next, { force: true })
    throw error
  }
}

/** Nothing where there is no such file. */
export function textOf(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function locked(file: string): number {
  for (;;) {
    try {
      return fs.openSync(file, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const stat = fs.statSync(file, { throwIfNoEntry: false })
      if (stat && Date.now() - stat.mtimeMs > LOCK_MS) fs.rmSync(file, { force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    }
  }
}
