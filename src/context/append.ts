import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import { changeFile, fileFailure } from '../platform/change-file.ts'
import { redact } from '../platform/redact.ts'
import { cleanPreview } from '../recall/preview.ts'
import { readAt, refuseOtherEncodings } from './bytes.ts'
import {
  entryText,
  escapeContent,
  headingsIn,
  lineEndOf,
  lineOf,
  type NewEntry,
  timestampAfter,
} from './entry.ts'
import { noContextFile, type Place, realFile } from './place.ts'
import { plainText } from './plain.ts'

const TAIL = 64 * 1024

export async function appendContext(
  place: Place,
  { content, title }: { content: string; title?: string },
  now = Date.now,
): Promise<{ success: true; timestamp: string; path: string }> {
  try {
    const real = realFile(place.file, place.workspace, 'WRITE_ERROR')
    if (!real) throw noContextFile(place)
    const timestamp = await changeFile(real, async () => {
      const tail = tailOf(real)
      const timestamp = timestampAfter(tail.lastTimestamp, now())
      const entry = { timestamp, title: title?.trim() || titleOf(content), content }
      return { change: { append: appended(tail, entry) }, answer: timestamp }
    })
    return { success: true, timestamp, path: place.file }
  } catch (error) {
    throw fileFailure(error, 'WRITE_ERROR', place.file)
  }
}

export async function initContext(
  place: Place,
  { projectName, projectDescription }: { projectName?: string; projectDescription?: string },
): Promise<{ success: true; path: string; template: 'standard' }> {
  try {
    if (realFile(place.file, place.workspace, 'WRITE_ERROR')) throw exists(place)
    const text = standardTemplate(projectName || nameOf(place.workspace), projectDescription)
    // The folder may be a link itself: the lock lies beside the real file.
    const real = path.join(fs.realpathSync(place.workspace), place.name)
    await changeFile(real, async () => {
      if (fs.existsSync(real)) throw exists(place)
      return { change: { create: Buffer.from(text) }, answer: undefined }
    })
    return { success: true, path: place.file, template: 'standard' }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(place)
    throw fileFailure(error, 'WRITE_ERROR', place.file)
  }
}

/** What a new entry has to fit to: the end of its file. */
export interface Tail {
  eol: '\n' | '\r\n'
  isEmpty: boolean
  endsLine: boolean
  lastTimestamp?: string
}

function tailOf(real: string): Tail {
  const fd = fs.openSync(real, 'r')
  try {
    const { size } = fs.fstatSync(fd)
    refuseOtherEncodings(readAt(fd, 0, 2), real, 'WRITE_ERROR')
    return tailIn(readAt(fd, Math.max(0, size - TAIL), size))
  } finally {
    fs.closeSync(fd)
  }
}

export function tailIn(bytes: Buffer): Tail {
  const last = headingsIn(bytes).at(-1)
  return {
    eol: lineEndOf(bytes),
    isEmpty: bytes.length === 0,
    endsLine: bytes.at(-1) === 10,
    ...(last !== undefined && { lastTimestamp: bytes.toString('utf8', last + 3, last + 19) }),
  }
}

/** The bytes of an entry behind what is there: a blank line sets it off. */
export function appended({ eol, isEmpty, endsLine }: Tail, entry: NewEntry): Buffer {
  const gap = isEmpty ? '' : endsLine ? eol : eol + eol
  return Buffer.from(gap + entryText(entry, eol))
}

function titleOf(content: string): string {
  const line = plainText(content)
    .split('\n')
    .find((each) => each.trim() !== '')
  // Half of a secret in the content would be in the title, and could not be told there.
  return cleanPreview(line ?? '', 72, redact)
}

function standardTemplate(name: string, description?: string): string {
  const about = description?.trim() ? `${escapeContent(description.trim().replace(/\r\n?/g, '\n'))}\n\n` : ''
  return `# ${lineOf(name)}: shared context

${about}What agents and people leave here for whoever goes on with the work. Newest entry last; each is one
\`## YYYY-MM-DD HH:mm — title\` section. Say what was done, what was decided and why, and what is open.
`
}

function nameOf(workspace: string): string {
  try {
    const { name } = JSON.parse(
      fs.readFileSync(path.join(workspace, 'package.json'), 'utf8').replace(/^\ufeff/, ''),
    )
    if (typeof name === 'string' && name) return name
  } catch {
    // None, or not one to rely on: the folder has a name as well.
  }
  return path.basename(workspace)
}

function exists(place: Place): RecollectError {
  return new RecollectError(
    'FILE_EXISTS',
    `${place.file} exists already.`,
    'Read it with read_context, add to it with append_context.',
  )
}
