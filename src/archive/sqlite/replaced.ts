import fs from 'node:fs'
import path from 'node:path'
import { RecollectError } from '../../model/errors.ts'
import { lockFileSync } from '../../platform/lock.ts'
import { log } from '../../platform/log.ts'
import type { Archive } from '../archive.ts'

/** How often it is looked whether the file is still the one that is open: two calls of `stat`, 10 µs. */
const LOOK_MS = 500
/** So long is waited for others who open the one that is there: milliseconds, as a rule. */
const PATIENCE_MS = 5_000
/** Marks of changes, and counts of void stamps, of another file are others. */
const APART = 2 ** 40

export interface ReplacementOptions {
  /** Says it elsewhere than in the log. */
  onReplaced?: (what: string) => void
}

/** An open archive, and how its write-ahead log is brought into its file. */
export interface OpenFile {
  archive: Archive
  checkpoint(): void
}

interface Open extends OpenFile {
  identity: string
  /** Of the write-ahead log, as soon as it is there: it stays as long as the archive is open. */
  log: string | undefined
  /** Calls that go on. */
  busy: number
  isRetired: boolean
}

/**
 * An archive that notices within half a second of being asked that its file was deleted or replaced, says so, and goes
 * on with the file that is there. Calls that go on end with the old one.
 */
export function followingReplacement(
  folder: string,
  openFile: () => OpenFile,
  { onReplaced = (what) => log('warn', what) }: ReplacementOptions,
): Archive {
  const file = path.join(folder, 'archive.db')
  let lookedAt = process.uptime() * 1_000
  let round = 0
  let isClosed = false
  const opened = (): Open => {
    return {
      ...openFile(),
      identity: identityOf(file) ?? '',
      log: identityOf(`${file}-wal`),
      busy: 0,
      isRetired: false,
    }
  }
  let current: Open | undefined = opened()

  /** The archive as it is now. */
  const now = (): Open => {
    // What `performance` stands for would be loaded for it, 2 ms of a first search.
    const time = process.uptime() * 1_000
    if (current && (isClosed || time - lookedAt < LOOK_MS)) return current
    lookedAt = time
    const before = current
    if (before && isStill(before, file)) return before
    current = undefined
    const { isThere, open } = oneAtATime(file, () => {
      if (before) {
        if (before.log !== undefined && identityOf(`${file}-wal`) === before.log) dropLog(before, file)
        retire(before)
      }
      if (!fs.existsSync(folder)) throw gone(folder)
      return { isThere: fs.existsSync(file), open: opened() }
    })
    current = open
    round++
    onReplaced(
      isThere
        ? `the archive ${file} was replaced by another one, which is used from now on`
        : `the archive ${file} was deleted; a new one is used from now on`,
    )
    return current
  }

  const call = async (name: string, given: unknown[]): Promise<unknown> => {
    const used = now()
    used.busy++
    try {
      return await Reflect.apply(Reflect.get(used.archive, name), used.archive, given)
    } finally {
      used.busy--
      if (used.isRetired && used.busy === 0) close(used)
    }
  }

  const names = Object.keys(current.archive)
  const calls = Object.fromEntries(names.map((name) => [name, (...given: unknown[]) => call(name, given)]))
  return {
    ...(calls as unknown as Archive),
    secretsSeen: (chat) => now().archive.secretsSeen(chat),
    async changes(since) {
      now()
      const isSame = since === undefined || Math.floor(since / APART) === round
      const here = isSame && since !== undefined ? since % APART : undefined
      const changed = (await call('changes', [here])) as Awaited<ReturnType<Archive['changes']>>
      return { ...changed, mark: changed.mark + round * APART, ...(!isSame && { replaced: true as const }) }
    },
    stampsVoided: async () => Number(await call('stampsVoided', [])) + round * APART,
    async close() {
      isClosed = true
      await current?.archive.close()
    },
  }
}

/**
 * Of several who notice at the same time, threads of one process for the most part, each would take away the log that another
 * has just begun for the new file, and both would go on with logs of their own.
 */
function oneAtATime<T>(file: string, work: () => T): T {
  let lock: { release(): void } | undefined
  try {
    lock = lockFileSync(file, PATIENCE_MS)
  } catch (error) {
    // Nothing can be written there, or its folder is gone: nobody can take away anything either.
    log('debug', `an archive that was replaced is opened without a lock: ${(error as Error).message}`)
  }
  try {
    return work()
  } finally {
    lock?.release()
  }
}

function isStill(open: Open, file: string): boolean {
  if (identityOf(file) !== open.identity) return false
  const now = identityOf(`${file}-wal`)
  if (open.log !== undefined) return now === open.log
  open.log = now
  return true
}

/** Another file under its name has another one, for the system does not give the number of an open file again. */
function identityOf(file: string): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat && `${stat.dev} ${stat.ino}`
}

/** The old file's log must not be taken for the new one's: what it holds goes where it belongs. */
function dropLog({ checkpoint }: Open, file: string): void {
  try {
    checkpoint()
  } catch (error) {
    log('debug', `the log of the archive that was replaced: ${(error as Error).message}`)
  }
  for (const end of ['-wal', '-shm']) fs.rmSync(file + end, { force: true })
}

function retire(open: Open): void {
  open.isRetired = true
  if (open.busy === 0) close(open)
}

function close({ archive }: Open): void {
  archive
    .close()
    .catch((error: Error) => log('debug', `closing the archive that was replaced: ${error.message}`))
}

function gone(folder: string): RecollectError {
  return new RecollectError(
    'ARCHIVE_GONE',
    `The folder of the archive, ${folder}, is gone.`,
    'As soon as it is there again, the archive in it is used.',
  )
}
