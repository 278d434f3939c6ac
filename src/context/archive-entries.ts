import fs from 'node:fs'
import path from 'node:path'
import { changeFile, fileFailure } from '../platform/change-file.ts'
import { wholeFile } from './bytes.ts'
import { entriesIn, lineEndOf } from './entry.ts'
import { archivePlace, noContextFile, type Place, realFile } from './place.ts'

export interface Archived {
  success: true
  path: string
  archivePath: string
  /** Entries moved away, and entries left. */
  archived: number
  kept: number
}

/**
 * Moves all but the newest entries to the archive file. That is written first: whatever happens in
 * between, an entry is in at least one of the two, and the next run finds it is in both.
 */
export async function archiveContext(place: Place, keepSessions = 20): Promise<Archived> {
  const archive = archivePlace(place)
  try {
    const real = realFile(place.file, place.workspace, 'WRITE_ERROR')
    if (!real) throw noContextFile(place)
    const archiveFile =
      realFile(archive.file, place.workspace, 'WRITE_ERROR') ?? path.join(path.dirname(real), archive.name)
    const counts = await changeFile(real, async () => {
      const bytes = wholeFile(real)
      const entries = entriesIn(bytes)
      const old = keepSessions === 0 ? entries : entries.slice(0, -keepSessions)
      const answer = { archived: old.length, kept: entries.length - old.length }
      if (old.length === 0) return { change: undefined, answer }
      const [from, to] = [old[0]!.from, old.at(-1)!.to]
      const texts = old.map((entry) => withoutBlankEnd(bytes.toString('latin1', entry.from, entry.to)))
      await addToArchive(archiveFile, texts, lineEndOf(bytes), place)
      return { change: { replace: Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]) }, answer }
    })
    return { success: true, path: place.file, archivePath: archiveFile, ...counts }
  } catch (error) {
    throw fileFailure(error, 'WRITE_ERROR', place.file)
  }
}

/** Texts are bytes as Latin-1, so that not even broken characters are changed by the move. */
async function addToArchive(file: string, texts: string[], eol: string, place: Place): Promise<void> {
  await changeFile(file, async () => {
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'latin1') : undefined
    const head = `# Older entries of ${place.name}${eol}`
    const old = withoutBlankEnd(before ?? Buffer.from(head).toString('latin1'))
    const joint = eol + eol
    // A run that was killed may have come so far already.
    const whole = texts.join(joint)
    let done = texts.length
    for (let end = whole.length; done > 0 && !old.endsWith(whole.slice(0, end)); done--)
      end -= texts[done - 1]!.length + joint.length
    const fresh = texts.slice(done)
    if (fresh.length === 0) return { change: undefined, answer: undefined }
    const bytes = Buffer.from(old + joint + fresh.join(joint) + eol, 'latin1')
    return { change: before === undefined ? { create: bytes } : { replace: bytes }, answer: undefined }
  })
}

/** `trimEnd` would take half of “à” along: its last byte is a no-break space in Latin-1. */
function withoutBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}
