import type { Chat, Message } from '../model/chat.ts'
import type { KnownChat } from '../model/merge.ts'
import type { EmbeddingsConfig } from '../platform/config.ts'
import type { Seen } from '../platform/secrets/seen.ts'
import type {
  ArchivedChat,
  ArchivedMessage,
  Changes,
  ChatFilter,
  ChatGroup,
  ChatOutline,
  ChatPage,
  Copies,
  FailedCall,
  Origins,
  OwnNotes,
  Relatives,
  SavedSearch,
  UsageFilter,
  UsageGroup,
  UsageSums,
  WorkspaceOverview,
} from './chat-shapes.ts'
import type { Parcel } from './parcel.ts'
import type {
  ChangesOptions,
  LocalChanges,
  PushCursor,
  RemotePage,
  RemoteRemoval,
  RemoteResult,
  SpaceState,
} from './remote-shapes.ts'
import type { MessageText, SearchView } from './search-shapes.ts'
import type {
  ArchivedProblem,
  AtRest,
  AtRestOptions,
  CheckOptions,
  Counts,
  FileChat,
  FileOfChat,
  Forgotten,
  ForgottenChat,
  KnownUnit,
  Lease,
  LeaseHolder,
  NotedProblem,
  Overview,
  Right,
  SecretsInChat,
  TellingOf,
  UnitReading,
  UnknownRecords,
  WriteResult,
} from './unit-shapes.ts'

export * from './chat-shapes.ts'
export * from './remote-shapes.ts'
export * from './search-shapes.ts'
export * from './unit-shapes.ts'

/**
 * The record of every chat ever seen: it keeps what assistants delete, and only `forget` removes
 * from it. Many processes may read at once; the one that holds the lease writes.
 */
export interface Archive {
  /** Where it is: threads open it for themselves. */
  folder(): Promise<string>
  overview(): Promise<Overview>
  counts(): Promise<Counts>
  /** Newest first. */
  listChats(filter: ChatFilter, page?: { limit?: number; offset?: number }): Promise<ArchivedChat[]>
  /** The chat meant by an id, a unique prefix of one, `source:id`, or the path of a synced file. Throws when there is none or several. */
  resolveChat(reference: string): Promise<ArchivedChat>
  messages(chat: ArchivedChat, range?: { from?: number; to?: number }): Promise<ArchivedMessage[]>
  /** What is known of a chat and by whom, for one more reading to be merged with. */
  known(chat: ArchivedChat): Promise<KnownChat>
  /** Which messages of a chat that is not archived yet repeat those of one that is, by their ids. */
  copiesIn(chat: Chat, bornAt: number | undefined, messages: Message[]): Promise<Copies>
  /** What a reader needs of a chat before its messages. No message but requests is read for it. */
  outline(chat: ArchivedChat): Promise<ChatOutline>
  /** Runs `work` over one consistent state of the archive, whatever others write meanwhile. */
  searching<T>(work: (view: SearchView) => T): Promise<T>
  /** Chats in a given order, from where the page before ended: what comes in between is neither skipped nor told twice. */
  pageChats(filter: ChatFilter, page: ChatPage): Promise<ArchivedChat[]>
  /** Chats whose id begins so, newest first. */
  chatsBegunWith(prefix: string, limit: number): Promise<ArchivedChat[]>
  /** The same, only what they are called, in no order. */
  chatNamesBegunWith(prefix: string, limit: number): Promise<{ id: string; source: string }[]>
  /** Messages whose id begins so, with their chats. */
  messagesBegunWith(
    prefix: string,
    limit: number,
  ): Promise<{ chat: ArchivedChat; message: ArchivedMessage }[]>
  /** The files that told of a chat. */
  unitsOf(chat: ArchivedChat): Promise<{ source: string; path: string }[]>
  /** What is known to be a secret in a chat, or in any; of no chat, nothing yet. Not asynchronous: it is asked in the midst of cleaning. */
  secretsSeen(chat: number | 'any' | undefined): Seen
  isForgotten(source: string, id: string): Promise<boolean>
  /** What a file tells, without what was forgotten. */
  withoutForgotten<T extends TellingOf>(telling: T): Promise<Pick<T, 'chats' | 'messages'>>
  /** What was used, summed up by group, model and day. Copies of messages do not count. */
  usage(filter: UsageFilter, groupBy: UsageGroup): Promise<UsageSums>
  /** Calls of tools that failed, the newest first. */
  failedCalls(filter: UsageFilter, limit: number): Promise<FailedCall[]>
  relatives(chat: ArchivedChat): Promise<Relatives>
  /** What any process changed since a mark, which an earlier call gave. Cheap: to be asked several times a second. */
  changes(since?: number): Promise<Changes>
  workspaces(): Promise<WorkspaceOverview[]>
  /** The folders of the chats that were used last, at most so many. Cost: that of some hundred chats, however many there are. */
  newestWorkspaces(most: number): Promise<string[]>
  /** Repositories, people and machines that chats are of. */
  origins(): Promise<Origins>
  /** Whose these chats are, by their keys, where they are of others. Not of their order. */
  authorsOf(chats: Iterable<number>): Promise<string[]>
  /** The chats of a filter counted by what they have in common, the most recently used first. */
  groupChats(filter: ChatFilter, by: 'source' | 'folder'): Promise<ChatGroup[]>
  countChats(filter: ChatFilter): Promise<number>
  /** Writes down what the owner notes of a chat: ours, no assistant's file knows of it. Needs no lease: a sync writes none of it. */
  noteOwn(chat: ArchivedChat, notes: OwnNotes): Promise<void>
  /** Searches that the owner keeps, by name. Like notes they are ours and need no lease. */
  savedSearches(): Promise<SavedSearch[]>
  /** One of the same name is replaced. */
  saveSearch(search: SavedSearch): Promise<void>
  /** Whether there was one. */
  removeSearch(name: string): Promise<boolean>
  /** How many chats there are, sub-agents' included. */
  chatCount(): Promise<number>
  /** Which formats of each source's files were seen, and in how many chats. */
  formats(): Promise<{ source: string; format: string; chats: number }[]>
  problems(): Promise<ArchivedProblem[]>
  /** For each file of a source, the chats it tells of. */
  chatsByFile(source: string): Promise<FileChat[]>
  /** The same for all sources at once, by source, and only which file and which chat. */
  filesOfChats(): Promise<Map<string, FileOfChat[]>>
  /** Records of kinds that no reader knows yet, as sync noticed them. */
  unknownRecords(): Promise<UnknownRecords[]>
  noteUnknown(news: UnknownRecords[], lease: Lease): Promise<void>
  /** What is wrong with the archive itself; nothing, usually. Reads all of it. */
  check(options?: CheckOptions): Promise<string[]>
  /** Checks a little more of it, where the last call ended: for whoever syncs, while there is nothing to do. `overview` says what was found. */
  checkSome(lease: Lease): Promise<void>
  /** Looks through some chats that were not looked through for secrets yet, for a moment; false, and cheap, where there are none. */
  lookForSecrets(lease: Lease): Promise<boolean>

  /** The stamps of one source's units, all or those at these paths, by path: an equal stamp means unchanged. */
  unitStamps(source: string, paths?: readonly string[]): Promise<Map<string, string>>
  /** Grows whenever stamps became void that the one who syncs may remember. */
  stampsVoided(): Promise<number>
  knownUnit(source: string, path: string): Promise<KnownUnit | undefined>
  /** The files of an assistant whose paths end so. Cost of each end: a pass over the paths of all files, 3 ms for 25,000. */
  unitsCalled(source: string, ends: readonly string[]): Promise<string[]>
  /** The file of a unit lies elsewhere by now, and is to be read on there. */
  moveUnit(
    source: string,
    from: string,
    to: { path: string; stat: { ino: number; mtimeMs: number } },
    lease: Lease,
  ): Promise<void>
  /** Writes readings and their checkpoints in one transaction: all of it or nothing. */
  write(readings: UnitReading[], lease: Lease): Promise<WriteResult>
  /** The same for readings that were made ready before. Some of them may be left out of the parcel's list. */
  writeParcel(parcel: Parcel, lease: Lease): Promise<WriteResult>
  /** Notes problems of files that were not read, or forgets problems that are over. */
  noteProblems(added: NotedProblem[], over: NotedProblem[], lease: Lease): Promise<void>
  /** Does what is left of bringing an older archive up to date, in steps; nothing, usually. */
  pack(
    lease: Lease,
    options?: { onProgress?: (packing: { done: number; all: number }) => void; signal?: AbortSignal },
  ): Promise<void>
  /**
   * Folders that these chats are about, or any without them, and that were not asked for their git remote since; those
   * of chats that were read on this machine only.
   */
  unaskedFolders(since: number, chats?: Iterable<number>): Promise<string[]>
  /** Notes what folders said: `host/owner/name`, null for no remote; a folder that is gone keeps what was known. */
  noteRemotes(found: { folder: string; remote: string | null | undefined }[], lease: Lease): Promise<void>
  /** Does a little of what the end of a sync would do, some milliseconds long; false when nothing is left. */
  clearUpSome(lease: Lease): Promise<boolean>
  /** A whole sync ended; where it read nothing new, there is nothing to clear up either. */
  markSynced(lease: Lease, options?: { isUnchanged?: boolean }): Promise<void>

  /** The right to write, if nobody else has it; otherwise who does. */
  takeLease(purpose: string, right?: Right): Promise<Lease | LeaseHolder>
  renewLease(lease: Lease): Promise<boolean>
  releaseLease(lease: Lease): Promise<void>
  leaseHolder(right?: Right): Promise<LeaseHolder | undefined>

  /** Where vectors are asked for, as configured; nothing while none are stored, so that whoever has none pays nothing. */
  embeddings(): Promise<EmbeddingsConfig | undefined>
  /** The messages that a model's vectors are still missing of, newest first. Drops vectors of what was said otherwise, or by another model. */
  withoutVector(model: string): Promise<number[]>
  textsOf(messages: number[]): Promise<MessageText[]>
  /** Keeps vectors of messages that still say the same. */
  saveVectors(model: string, vectors: { of: MessageText; vector: ArrayLike<number> }[]): Promise<void>
  /** Erases all of them, and says of how many messages. */
  eraseVectors(): Promise<number>

  /** Erases chats for good, and keeps by what they are known again, so that sync does not bring them back. */
  forget(chats: ArchivedChat[]): Promise<Forgotten>
  /** Notes that a file is about to be written out of the archive: what the assistant adds to it is read, and nothing else. */
  noteRevived(chat: ArchivedChat, path: string, bytes: number): Promise<void>
  /** It was not written after all. */
  noteNotRevived(source: string, path: string): Promise<void>
  /** What is in the archive, by chat and kind; never the secrets. */
  countSecrets(options?: AtRestOptions): Promise<SecretsInChat[]>
  /** Rewrites chats without their secrets, for good; what their files tell again is written without them too. */
  redactAtRest(options?: AtRestOptions): Promise<AtRest>
  /** The newest first. */
  /** Wipes the last traces that somebody who read an older state was in the way of. Cheap where there are none. */
  finishForgetting(lease: Lease): Promise<void>
  forgottenChats(): Promise<ForgottenChat[]>
  /** Takes forgetting back: sync reads the chat and its copies again, as far as their files are still there. */
  letBack(chat: ForgottenChat): Promise<ForgottenChat[]>

  /** The spaces of the hub that were joined here. */
  spaces(): Promise<SpaceState[]>
  /** Joins a space where it is new, and remembers what is given. What changes from here on is found by `changesSince`. */
  saveSpace(space: string, change?: Partial<Pick<SpaceState, 'pulled' | 'state'>>): Promise<void>
  /** Local changes were pushed from one cursor to another. False where it is no longer there: more was shared meanwhile. */
  movePushCursor(space: string, from: PushCursor | undefined, to: PushCursor): Promise<boolean>
  /** Everything that is there is told once more: after more was shared. */
  pushFromTheStart(space: string): Promise<void>
  /**
   * Writes what a pull told and its cursor in one transaction; needs a lease for `hub`. Telling it again changes
   * nothing. What was read on this machine is never touched: a chat that is here already stays as it is.
   */
  applyRemote(page: RemotePage, lease: Lease): Promise<RemoteResult>
  /** Erases chats that came through a space, for good: those given, or all, and then the space is left. */
  removeRemote(what: RemoteRemoval, lease: Lease): Promise<{ chats: number; messages: number }>
  /**
   * What was read on this machine and changed since a cursor, the next part of it: without one, all there is. Only
   * after a space was joined. Costs what changed.
   */
  changesSince(cursor: PushCursor | undefined, options?: ChangesOptions): Promise<LocalChanges>
  /** How many messages `changesSince` has still to tell, whether they are wanted or not. */
  changesWaiting(cursor: PushCursor | undefined): Promise<number>
  close(): Promise<void>
}
