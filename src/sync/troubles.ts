import type { Lease } from '../archive/archive.ts'
import type { SyncOptions } from './job.ts'
import { isMissing, type Trouble, UNSEEN } from './look.ts'

/** A trouble, and the assistant whose file it is. */
export interface SourceTrouble extends Trouble {
  source: string
}

/**
 * Makes what the archive says of files that cannot be looked at true again: notes the new ones,
 * and forgets the problems of those that can be looked at by now, or are gone. Nothing is written
 * where nothing changed.
 */
export async function noteTroubles(
  { archive, sources }: Pick<SyncOptions, 'archive' | 'sources'>,
  troubles: SourceTrouble[],
  lease: Lease,
): Promise<void> {
  const ids = new Set(sources.map(({ id }) => id))
  const noted = (await archive.problems()).filter(({ source }) => ids.has(source))
  const now = new Set(troubles.map(nameOf))
  const before = new Set(noted.filter(({ reason }) => reason.startsWith(UNSEEN)).map(nameOf))
  const over = noted.filter((problem) =>
    problem.reason.startsWith(UNSEEN) ? !now.has(nameOf(problem)) : isMissing(fileOf(problem.path)),
  )
  const added = troubles.filter((trouble) => !before.has(nameOf(trouble)))
  if (added.length + over.length > 0) await archive.noteProblems(added, over, lease)
}

function nameOf({ source, path, reason }: SourceTrouble): string {
  return `${source}\0${path}\0${reason}`
}

/** What was imported from within an archive file is named `export.zip!/chats.json`. */
function fileOf(path: string): string {
  return path.split('!/', 1)[0]!
}
