import fs from 'node:fs'
import path from 'node:path'
import { hasNoLinks } from './lock.ts'
import { renamePatiently } from './patience.ts'

/**
 * A private file that is made once, whole or not at all: of two processes that make it at the same time one wins, and
 * both read what it wrote. One that is there is written again only where it is not `good`.
 */
export function makeOnce(file: string, content: string | Buffer, good = () => true): void {
  const beside = `${file}.${process.pid}`
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  try {
    fs.writeFileSync(beside, content, { mode: 0o600 })
    try {
      fs.linkSync(beside, file)
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (isThere && good()) return
      if (!isThere && !hasNoLinks(error)) throw error
      renamePatiently(beside, file)
    }
  } finally {
    fs.rmSync(beside, { force: true })
  }
}
