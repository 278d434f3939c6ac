import fs from 'node:fs'

/** A file, folder or place that could not be looked at, and why. */
export interface Trouble {
  path: string
  reason: string
}

export type OnTrouble = (trouble: Trouble) => void

/** What every reason of a trouble begins with: the archive tells by it what the next look makes void. */
export const UNSEEN = 'could not be looked at'

/** What the file system says of a file; undefined where it is not there or does not let itself be looked at. */
export function statOf(file: string, onTrouble?: OnTrouble): fs.Stats | undefined {
  return looked(file, () => fs.statSync(file, { throwIfNoEntry: false }), onTrouble)
}

/**
 * What a look at a file gives; undefined where that fails. A link that points to itself, a file of
 * somebody else or one that another program holds must not keep all others from being read.
 */
export function looked<T>(file: string, look: () => T, onTrouble?: OnTrouble): T | undefined {
  try {
    return look()
  } catch (error) {
    if (!isGone(error)) onTrouble?.({ path: file, reason: `${UNSEEN}: ${wordsOf(error)}` })
    return undefined
  }
}

/** Whether nothing is there by that name, not even a broken link. */
export function isMissing(file: string): boolean {
  try {
    fs.lstatSync(file)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Short, and the same at each look. */
export function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known = code && WORDS[code]
  return known ? `${known} (${code})` : String(message ?? error)
}

const WORDS: Record<string, string> = {
  ELOOP: 'the link points to itself',
  EACCES: 'no right to read it',
  EPERM: 'no right to read it',
  EBUSY: 'another program holds it',
  ENAMETOOLONG: 'its name is too long',
}
