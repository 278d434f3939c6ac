import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** On Windows making a link takes a right which most accounts lack. */
export const canLink = triedOnce()

/** For tests that are about links. */
export const withLinks = { skip: canLink ? false : 'this account may not make links' }

function triedOnce(): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-link-'))
  try {
    fs.symlinkSync('nowhere', path.join(folder, 'link'))
    return true
  } catch {
    return false
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
