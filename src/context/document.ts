import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import { changeFile, fileFailure } from '../platform/change-file.ts'
import { wholeFile } from './bytes.ts'
import { entriesIn, hasBom, lineEndOf } from './entry.ts'
import { type Place, realFile } from './place.ts'

/** The context file as an editor needs it. */
export interface ContextDocument {
  path: string
  exists: boolean
  content: string
  /** Tells this content from any other; empty where there is no file. */
  etag: string
  entries: {
    timestamp: string
    title: string
    /** `source:id` of the chats that it was made from. */
    sessionIds: string[]
  }[]
}

/** More than an editor can hold; agents read and add to larger files too. */
export const MOST_BYTES = 2_000_000

export function readDocument(place: Place): ContextDocument {
  try {
    const bytes = bytesAt(place)
    return {
      path: place.file,
      exists: bytes !== undefined,
      content: bytes ? textIn(bytes) : '',
      etag: etagOf(bytes),
      entries: entriesIn(bytes ?? Buffer.alloc(0)).map(({ timestamp, title, provenance }) => ({
        timestamp,
        title,
        sessionIds: provenance?.chat ? [provenance.chat] : [],
      })),
    }
  } catch (error) {
    throw fileFailure(error, 'READ_ERROR', place.file)
  }
}

/**
 * Puts new content in the place of that which has this etag. Where somebody else wrote meanwhile
 * nothing is written, and the error holds what they wrote.
 */
export async function writeDocument(
  place: Place,
  { content, etag }: { content: string; etag: string },
): Promise<{ etag: string }> {
  try {
    const target = realFile(place.file, place.workspace, 'WRITE_ERROR')
    // The folder may be a link itself: the lock lies beside the real file.
    const real = target ?? path.join(fs.realpathSync(place.workspace), place.name)
    return await changeFile(real, async () => {
      const before = bytesAt(place)
      if (etagOf(before) !== etag) throw conflict(place, before)
      const after = bytesOf(content, before)
      const answer = { etag: etagOf(after) }
      if (before?.equals(after)) return { change: undefined, answer }
      return { change: before ? { replace: after } : { create: after }, answer }
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw conflict(place, bytesAt(place))
    throw fileFailure(error, 'WRITE_ERROR', place.file)
  }
}

function bytesAt(place: Place): Buffer | undefined {
  const real = realFile(place.file, place.workspace, 'READ_ERROR')
  if (!real) return undefined
  if (fs.statSync(real).size > MOST_BYTES) {
    throw new RecollectError(
      'READ_ERROR',
      `${place.file} is larger than ${MOST_BYTES / 1e6} MB.`,
      'Move old entries away: archive_context.',
    )
  }
  return wholeFile(real)
}

function textIn(bytes: Buffer): string {
  return bytes
    .subarray(hasBom(bytes) ? 3 : 0)
    .toString('utf8')
    .replaceAll('\r\n', '\n')
}

/** With the line ends and the mark at the beginning that the file has: editors in a browser know neither. */
function bytesOf(content: string, before: Buffer | undefined): Buffer {
  const eol = before ? lineEndOf(before) : '\n'
  const text = content.replace(/\r\n?/g, '\n').replaceAll('\n', eol)
  return Buffer.from(before && hasBom(before) ? `\ufeff${text}` : text)
}

function etagOf(bytes: Buffer | undefined): string {
  return bytes ? createHash('sha256').update(bytes).digest('hex').slice(0, 32) : ''
}

function conflict(place: Place, now: Buffer | undefined): RecollectError {
  return new RecollectError(
    'CONFLICT',
    `${place.file} was changed by somebody else meanwhile.`,
    'Take over what they wrote, then save again.',
    { current: { content: now ? textIn(now) : '', etag: etagOf(now) } },
  )
}
