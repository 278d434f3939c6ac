import { readConfigFile } from '../../platform/config-file.ts'
import { removeLeftParts } from '../../platform/parts.ts'
import type { Archive, Lease } from '../archive.ts'
import { foldersOf } from '../backups.ts'
import { redactChat } from './at-rest.ts'
import { changes, chatCount, newestWorkspaces, noteChanges, workspaces } from './changes.ts'
import { changesSince, changesWaiting } from './changes-since.ts'
import { check } from './check.ts'
import { checkSome, foundDamage } from './check-some.ts'
import { type Connection, connect, explained, giveBack, widen } from './connection.ts'
import { noteUnknown, unknownRecords } from './coverage.ts'
import { eraseAllVectors, saveVectors, textsOf, withoutVector } from './embedding.ts'
import { failedCalls } from './failed-calls.ts'
import { chatsByFile, filesOfChats } from './files-of-chats.ts'
import { eraseRuns, forget } from './forget.ts'
import { Forgotten } from './forgotten.ts'
import { mergeAtEnd } from './index-merge.ts'
import { IndexReader } from './index-read.ts'
import { sumSome } from './kept-usage.ts'
import { copiesIn, knownChat } from './known.ts'
import { assertLease, leaseHolder, releaseLease, renewLease, takeLease } from './lease.ts'
import { forgottenChats, letBack } from './let-back.ts'
import { usage } from './metrics.ts'
import { noteNotRevived, noteRevived } from './note-revived.ts'
import { authorsOf, origins } from './origins.ts'
import { counts, overview } from './overview.ts'
import { countChats, groupChats, noteOwn } from './own-notes.ts'
import { packAll } from './pack.ts'
import {
  chatNamesBegunWith,
  chatsBegunWith,
  isForgotten,
  messagesBegunWith,
  pageChats,
  unitsOf,
} from './pages.ts'
import { noteProblems } from './problems.ts'
import {
  formats,
  knownUnit,
  listChats,
  messages,
  outline,
  problems,
  relatives,
  resolveChat,
  unitStamps,
  unitsCalled,
} from './read.ts'
import { redactRuns } from './redact-runs.ts'
import { applyRemote, movePushCursor, pushFromTheStart, removeRemote, saveSpace, spaces } from './remote.ts'
import { followingReplacement } from './replaced.ts'
import { noteRemotes, unaskedFolders } from './repositories.ts'
import { removeSearch, savedSearches, saveSearch } from './saved-searches.ts'
import { sealSome, wantRowSums } from './seals.ts'
import { countSecrets, redactAtRest } from './secrets-at-rest.ts'
import { lookForSecrets, lookFurther, SeenSecrets } from './seen-secrets.ts'
import { asGuest, restrictToSpaces } from './space-views.ts'
import { stampsVoided } from './stamps.ts'
import { sumOld } from './sums.ts'
import { moveUnit } from './unit-row.ts'
import { hasVectors } from './vectors.ts'
import { backUp, isBackupDue } from './weekly-backup.ts'
import { erasing, isWipeDue, wipe, wipeSoon } from './wipe.ts'
import { write, writeParcel } from './write.ts'

export { archiveExists } from './connection.ts'
export { isReadOnly } from './read-only.ts'

/** Adds the checksums and sums that are missing, in steps, so that others can write in between. */
function seal(connection: Connection, assertRight: () => void): void {
  wantRowSums(connection, assertRight)
  for (const step of [sumOld, sumSome, sealSome])
    while (
      connection.transaction(() => {
        assertRight()
        return step(connection)
      })
    );
}

/** How many ranges are summed up, or sealed, where somebody may wait for it to end: some tens of milliseconds. */
const LITTLE = { sums: 16, seals: 100 }

function lookForSecretsIn(connection: Connection, lease: Lease, turnMs?: number): void {
  connection.transaction(() => {
    assertLease(connection, lease)
    lookForSecrets(connection, (chat) => redactChat(connection, chat), turnMs)
  })
}

/** `redactAtRest` in the settings. What else is in the file is checked where it is needed. */
function isRedactedAtRest(folder: string): boolean {
  const config = readConfigFile(folder)
  return (
    typeof config === 'object' && config !== null && 'redactAtRest' in config && config.redactAtRest === true
  )
}

/**
 * The archive in a folder, as one SQLite file. Where the file is deleted, replaced or restored meanwhile, the one that
 * is there is opened. With `spaces` only what came through these is in it, and it is only read.
 */
export function openSqliteArchive(
  folder: string,
  {
    isReading = false,
    spaces,
    ...options
  }: { onReplaced?: (what: string) => void; isReading?: boolean; spaces?: readonly string[] } = {},
): Archive {
  return followingReplacement(folder, () => openFile(folder, isReading, spaces), options)
}

/** `isReading`: by a connection that cannot write, beside one that has made and migrated the archive. */
function openFile(
  folder: string,
  isReading: boolean,
  spaces: readonly string[] | undefined,
): { archive: Archive; checkpoint(): void } {
  const connection = isReading ? connect(folder, { isWritable: () => false }) : connect(folder)
  if (spaces) {
    restrictToSpaces(connection, spaces)
    return { archive: asGuest(archiveOf(connection, folder, true)), checkpoint() {} }
  }
  return {
    archive: archiveOf(connection, folder),
    checkpoint() {
      if (!connection.readOnly) connection.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
  }
}

function archiveOf(connection: Connection, folder: string, isPartial = false): Archive {
  const { prepare } = connection
  const index = new IndexReader(connection, { isPartial })
  const secrets = new SeenSecrets(connection)
  connection.db.function('shown_title', (chat, title) => secrets.shownTitle(Number(chat), String(title)))
  /** Parcels are written, by a sync that has much to read. */
  let isWide = false
  return explaining(connection.file, {
    secretsSeen: (chat) => (chat === 'any' ? secrets.ofAny() : secrets.of(chat)),
    folder: async () => folder,
    counts: async () => counts(connection),
    overview: async () => ({ ...overview(connection), ...foundDamage(connection) }),
    listChats: async (filter, page) => listChats(connection, filter, page),
    resolveChat: async (reference) => resolveChat(connection, reference),
    messages: async (chat, range) => messages(connection, chat, range),
    known: async (chat) => knownChat(connection, chat),
    copiesIn: async (chat, bornAt, told) => copiesIn(connection, chat, bornAt, told),
    outline: async (chat) => outline(connection, chat),
    searching: async (work) => index.searching(work),
    pageChats: async (filter, page) => pageChats(connection, filter, page),
    chatsBegunWith: async (prefix, limit) => chatsBegunWith(connection, prefix, limit),
    chatNamesBegunWith: async (prefix, limit) => chatNamesBegunWith(connection, prefix, limit),
    messagesBegunWith: async (prefix, limit) => messagesBegunWith(connection, prefix, limit),
    unitsOf: async (chat) => unitsOf(connection, chat),
    isForgotten: async (source, id) => isForgotten(connection, source, id),
    withoutForgotten: async (telling) => new Forgotten(connection).screen(telling),
    usage: async (filter, groupBy) => usage(connection, filter, groupBy),
    failedCalls: async (filter, limit) => failedCalls(connection, filter, limit),
    relatives: async (chat) => relatives(connection, chat),
    formats: async () => formats(connection),
    check: async (options) => check(connection, options),
    async checkSome(lease) {
      checkSome(connection, lease)
      // Nobody writes to what waits to be summed up: then who asks need not count it each time.
      connection.transaction(() => {
        assertLease(connection, lease)
        sumSome(connection, 0)
      })
    },
    lookForSecrets: async (lease) =>
      lookFurther(
        connection,
        () => assertLease(connection, lease),
        (chat) => redactChat(connection, chat),
      ),
    problems: async () => problems(connection),
    chatsByFile: async (source) => chatsByFile(connection, source),
    filesOfChats: async () => filesOfChats(connection),
    unknownRecords: async () => unknownRecords(connection),
    noteUnknown: async (news, lease) =>
      connection.transaction(() => {
        assertLease(connection, lease)
        noteUnknown(connection, news)
      }),
    unitStamps: async (source, paths) => unitStamps(connection, source, paths),
    stampsVoided: async () => stampsVoided(connection),
    knownUnit: async (source, path) => knownUnit(connection, source, path),
    unitsCalled: async (source, ends) => unitsCalled(connection, source, ends),
    moveUnit: async (source, from, to, lease) =>
      connection.transaction(() => {
        assertLease(connection, lease)
        moveUnit(connection, source, from, to)
      }),
    async write(readings, lease) {
      const result = write(connection, readings, lease, isRedactedAtRest(folder))
      if (result.chats.size > 0) noteChanges(connection, result.chats)
      return result
    },
    async writeParcel(parcel, lease) {
      if (!isWide) widen(connection, true)
      isWide = true
      const result = writeParcel(connection, parcel, lease, isRedactedAtRest(folder))
      if (result.chats.size > 0) noteChanges(connection, result.chats)
      return result
    },
    noteProblems: async (added, over, lease) => noteProblems(connection, added, over, lease),
    pack: (lease, options) => packAll(connection, lease, options),
    changes: async (since) => changes(connection, since),
    workspaces: async () => workspaces(connection),
    newestWorkspaces: async (most) => newestWorkspaces(connection, most),
    origins: async () => origins(connection),
    authorsOf: async (chats) => authorsOf(connection, chats),
    chatCount: async () => chatCount(connection),
    groupChats: async (filter, by) => groupChats(connection, filter, by),
    countChats: async (filter) => countChats(connection, filter),
    async noteOwn(chat, notes) {
      noteOwn(connection, chat, notes)
      noteChanges(connection, [chat.key])
    },
    savedSearches: async () => savedSearches(connection),
    saveSearch: async (search) => saveSearch(connection, search),
    removeSearch: async (name) => removeSearch(connection, name),
    takeLease: async (purpose, right) => takeLease(connection, purpose, right),
    renewLease: async (lease) => renewLease(connection, lease),
    releaseLease: async (lease) => releaseLease(connection, lease),
    leaseHolder: async (right) => leaseHolder(connection, right),
    async embeddings() {
      if (!hasVectors(connection)) return undefined
      const { readConfig } = await import('../../platform/config.ts')
      return readConfig(folder).embeddings
    },
    withoutVector: async (model) => withoutVector(connection, model),
    textsOf: async (keys) => textsOf(connection, keys),
    saveVectors: async (model, vectors) => saveVectors(connection, model, vectors),
    eraseVectors: async () => eraseAllVectors(connection),
    async forget(chats) {
      const result = forget(connection, chats)
      if (result.pending) result.pending = !(await wipeSoon(connection))
      eraseRuns(folder, chats)
      seal(connection, () => {})
      if (result.chats > 0) noteChanges(connection, 'unknown')
      return result
    },
    noteRevived: async (chat, path, bytes) => noteRevived(connection, chat, path, bytes),
    noteNotRevived: async (source, path) => noteNotRevived(connection, source, path),
    countSecrets: (options) => countSecrets(connection, options),
    async redactAtRest(options) {
      const result = await redactAtRest(connection, options)
      if (result.pending) result.pending = !(await wipeSoon(connection))
      const running = redactRuns(connection, folder)
      seal(connection, () => {})
      if (result.chats > 0) noteChanges(connection, 'unknown')
      return { ...result, running }
    },
    async finishForgetting(lease) {
      if (!isWipeDue(connection)) return
      connection.transaction(() => assertLease(connection, lease))
      wipe(connection)
    },
    forgottenChats: async () => forgottenChats(connection),
    letBack: async (chat) => letBack(connection, chat),
    spaces: async () => spaces(connection),
    saveSpace: async (space, change) => saveSpace(connection, space, change),
    movePushCursor: async (space, from, to) => movePushCursor(connection, space, from, to),
    pushFromTheStart: async (space) => pushFromTheStart(connection, space),
    async applyRemote(page, lease) {
      const result = erasing(connection, () => applyRemote(connection, page, lease, isRedactedAtRest(folder)))
      if (result.erased > 0) noteChanges(connection, 'unknown')
      else if (result.chats.size > 0) noteChanges(connection, result.chats)
      return result
    },
    async removeRemote(what, lease) {
      const result = erasing(connection, () => removeRemote(connection, what, lease))
      if (result.chats > 0) noteChanges(connection, 'unknown')
      return result
    },
    unaskedFolders: async (since, chats) => unaskedFolders(connection, since, chats),
    async noteRemotes(found, lease) {
      const changed = noteRemotes(connection, found, lease)
      if (changed.size > 0) noteChanges(connection, changed)
    },
    changesSince: async (cursor, options) => changesSince(connection, cursor, options),
    changesWaiting: async (cursor) => changesWaiting(connection, cursor),
    close: async () => connection.close(),
    async clearUpSome(lease) {
      const assertRight = () => assertLease(connection, lease)
      wantRowSums(connection, assertRight)
      return connection.transaction(() => {
        assertRight()
        return sumSome(connection, undefined, LITTLE.sums) || sealSome(connection, LITTLE.seals)
      })
    },
    async markSynced(lease, { isUnchanged = false } = {}) {
      // Large merges have waited for the end of the sync.
      connection.transaction(() => {
        assertLease(connection, lease)
        mergeAtEnd(connection)
      })
      giveBack(connection)
      // A forget that others were in the way of, or the copy of a forgotten chat that a lesser file had told.
      if (isWipeDue(connection)) wipe(connection)
      connection.transaction(() => {
        assertLease(connection, lease)
        prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('lastSyncAt', ?)`).run(Date.now())
      })
      // Where nothing was read, what is left of an earlier sync waits until nobody does.
      lookForSecretsIn(connection, lease, isUnchanged ? 0 : undefined)
      seal(connection, () => assertLease(connection, lease))
      if (isWide) widen(connection, false)
      isWide = false
      for (const each of foldersOf(folder)) removeLeftParts(each)
      if (isBackupDue(connection)) await backUp(connection, folder)
    },
  })
}

/** What SQLite says of a damaged or full file, in the user's terms, whatever was asked. */
function explaining(file: string, { secretsSeen, ...archive }: Archive): Archive {
  const methods = archive as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
  const asynchronous = Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (...given: unknown[]) =>
        method(...given).catch((error: unknown) => {
          throw explained(error, file)
        }),
    ]),
  ) as unknown as Archive
  return { ...asynchronous, secretsSeen }
}
