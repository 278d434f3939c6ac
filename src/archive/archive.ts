import type { Chat, Message, MessageKind, Role } from '../model/chat.ts'
import type { KnownChat } from '../model/merge.ts'
import type { EmbeddingsConfig } from '../platform/config.ts'

/**
 * The record of every chat ever seen: it keeps what assistants delete, and only `forget` removes
 * from it. Many processes may read at once; the one that holds the lease writes.
 */
export interface Archive {
  overview(): Promise<Overview>
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
  /** Messages whose id begins so, with their chats. */
  messagesBegunWith(
    prefix: string,
    limit: number,
  ): Promise<{ chat: ArchivedChat; message: ArchivedMessage }[]>
  /** The files that told of a chat. */
  unitsOf(chat: ArchivedChat): Promise<{ source: string; path: string }[]>
  isForgotten(source: string, id: string): Promise<boolean>
  /** What a file tells, without what was forgotten. */
  withoutForgotten<T extends TellingOf>(telling: T): Promise<Pick<T, 'chats' | 'messages'>>
  /** What was used, summed up by group, model and day. Copies of messages do not count. */
  usage(filter: UsageFilter, groupBy: UsageGroup): Promise<UsageSums>
  relatives(chat: ArchivedChat): Promise<Relatives>
  /** What any process changed since a mark, which an earlier call gave. Cheap: to be asked several times a second. */
  changes(since?: number): Promise<Changes>
  workspaces(): Promise<WorkspaceOverview[]>
  /** How many chats there are, sub-agents' included. */
  chatCount(): Promise<number>
  /** Which formats of each source's files were seen, and in how many chats. */
  formats(): Promise<{ source: string; format: string; chats: number }[]>
  problems(): Promise<ArchivedProblem[]>
  /** For each file of a source, the chats it tells of. */
  toldBy(source: string): Promise<ToldBy[]>
  /** Records of kinds that no reader knows yet, as sync noticed them. */
  unknownRecords(): Promise<UnknownRecords[]>
  noteUnknown(news: UnknownRecords[], lease: Lease): Promise<void>
  /** What is wrong with the archive itself; nothing, usually. Reads all of it. */
  check(options?: CheckOptions): Promise<string[]>

  /** The stamps of one source's units, by path: an equal stamp means unchanged. */
  unitStamps(source: string): Promise<Map<string, string>>
  /** Grows whenever stamps became void that the one who syncs may remember. */
  stampsVoided(): Promise<number>
  knownUnit(source: string, path: string): Promise<KnownUnit | undefined>
  /** Writes readings and their checkpoints in one transaction: all of it or nothing. */
  write(readings: UnitReading[], lease: Lease): Promise<WriteResult>
  /** Notes problems of files that were not read, or forgets problems that are over. */
  noteProblems(added: NotedProblem[], over: NotedProblem[], lease: Lease): Promise<void>
  /** Does what is left of bringing an older archive up to date, in steps; nothing, usually. */
  pack(
    lease: Lease,
    options?: { onProgress?: (packing: { done: number; all: number }) => void; signal?: AbortSignal },
  ): Promise<void>
  /** A whole sync ended. */
  markSynced(lease: Lease): Promise<void>

  /** The right to write, if nobody else has it; otherwise who does. */
  takeLease(purpose: string, right?: Right): Promise<Lease | LeaseHolder>
  renewLease(lease: Lease): Promise<boolean>
  releaseLease(lease: Lease): Promise<void>
  leaseHolder(): Promise<LeaseHolder | undefined>

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
  /** The newest first. */
  forgottenChats(): Promise<ForgottenChat[]>
  /** Takes forgetting back: sync reads the chat and its copies again, as far as their files are still there. */
  letBack(chat: ForgottenChat): Promise<ForgottenChat[]>
  close(): Promise<void>
}

export interface ArchivedChat extends Chat {
  /** The archive's own number for it. */
  key: number
  /** Always there: the given title, else the beginning of the first request. */
  title: string
  models: string[]
  messageCount: number
  requestCount: number
}

export interface ArchivedMessage extends Message {
  key: number
  /** From 0, without gaps. */
  index: number
  /** The same message was first archived in another chat, from which this one was forked. */
  copy?: boolean
}

export interface ChatOutline {
  /** The beginnings of what the person asked and did not take back. */
  requests: { index: number; createdAt?: number; beginning: string }[]
  /** How many bytes each message has, by its index. */
  sizes: number[]
}

export interface Copies {
  ids: Set<string>
  forkOf?: string
}

/** Where a chat comes from, and what came from it. */
export interface Relatives {
  parent?: ArchivedChat
  original?: ArchivedChat
  subagents: ArchivedChat[]
  forks: ArchivedChat[]
}

export interface ChatFilter {
  source?: string
  /** A path; chats of folders below it count too. */
  workspace?: string
  titleContains?: string
  updatedFrom?: number
  updatedTo?: number
  /** Sub-agents' chats are left out unless asked for. */
  subagents?: boolean
}

export type ChatSort = 'updated' | 'created' | 'messages' | 'title'

export interface ChatPage {
  sort: ChatSort
  limit: number
  /** Of the last chat of the page before. */
  after?: { value: number | string; key: number }
}

/** Messages by their own time, not their chat's. */
export interface UsageFilter {
  source?: string
  workspace?: string
  from?: number
  to?: number
  /** Only these chats. */
  keys?: number[]
}

export type UsageGroup = 'day' | 'model' | 'source' | 'workspace' | 'tool'

export interface UsageSums {
  rows: UsageRow[]
  /** In milliseconds, by group. */
  latencies: Map<string, number[]>
  thinking: Map<string, number[]>
  tools: ToolSum[]
}

/** One group on one day with one model. */
export interface UsageRow {
  group: string
  day: string
  model?: string
  messages: number
  requests: number
  answers: number
  /** How many messages say what they used. */
  measured: number
  input: number
  output: number
  cached: number
  cacheWrite: number
  reasoning: number
  /** The sum of what sources say it cost, and of how many messages they say so. */
  cost: number
  costed: number
  /** Tokens of the messages whose cost the source does not say, where both input and output are known. */
  priced: { input: number; output: number; cached: number; cacheWrite: number; messages: number }
}

export interface ToolSum {
  group: string
  calls: number
  failures: number
}

export interface Changes {
  mark: number
  /** Missing where there are too many to name. */
  chats?: ArchivedChat[]
}

/** A folder that chats were about, the most recently used first. */
export interface WorkspaceOverview {
  path: string
  chats: number
  newestAt?: number
}

/** Which part of a message: what was said, thought, or what tools were asked and answered. */
export type Field = 'said' | 'thought' | 'tools'

export type WordField = Field | 'title'

/** What a search sees of the archive. */
export interface SearchView {
  documents: Documents
  /** Where a term stands. The answer is overwritten by the next call. */
  postings(field: WordField, term: string): Postings
  /** Terms that begin so, the commonest first, with about how many messages have them. */
  termsFrom(field: WordField, prefix: string, most: number): { term: string; messages: number }[]
  /** Keys of the chats that a filter lets through. */
  chatKeys(filter: ChatFilter): Iterable<number>
  chat(key: number): ArchivedChat
  message(key: number): ArchivedMessage
  /** A message without what tools were asked and answered, which may be long. */
  saidIn(key: number): SaidMessage
  /** What was said in a message. */
  text(key: number): string
  /** What the index holds of a message in a field; for titles, of a chat. */
  fieldText(field: WordField, key: number): string
  /** All texts of a chat in these fields. */
  chatTexts(chat: number, fields: WordField[]): Iterable<string>
  /** In how many messages a term stands, about. */
  messagesWith(field: WordField, term: string): number
  /** The messages whose vectors are the most like this one, of those that pass. Looks at every vector. */
  nearest(model: string, vector: ArrayLike<number>, passes: (key: number) => boolean, most: number): Nearest
}

export interface Nearest {
  /** The most like it first; 1 is equal, 0 has nothing in common. */
  messages: { key: number; likeness: number }[]
  /** Over all messages that have one, whether they pass or not. */
  average: number
  deviation: number
}

/** What was said in a message, and the mark by which a change of it is noticed. */
export interface MessageText {
  key: number
  hash: number
  text: string
}

export type SaidMessage = Pick<ArchivedMessage, 'id' | 'index' | 'role' | 'kind' | 'createdAt' | 'text'>

/** Messages that hold a term: by number, and how often each does. Only the first `size` are meant. */
export interface Postings {
  size: number
  /** Of the messages; for titles, of their chats. */
  keys: Int32Array
  counts: Uint8Array
}

/** What is known of every indexed message without reading it, by its key; `chatWords` and `title` by the chat's. */
export interface Documents {
  /** Keys are below these. */
  end: number
  endOfChats: number
  chat: Int32Array
  /** Place in ROLES times 16 plus place in KINDS. */
  label: Uint8Array
  /** Seconds since 1970; 0 where it is not known. */
  at: Uint32Array
  /** Codes of lengths in words: `lengthOf` says how many. */
  said: Uint8Array
  thought: Uint8Array
  tools: Uint8Array
  title: Uint8Array
  lengthOf(code: number): number
  /** The messages of the same chat before and after it in which something was said; 0 for none. */
  before: Int32Array
  after: Int32Array
  /** Words said in a chat. */
  chatWords: Float32Array
  /** Seconds since 1970 of its newest message. */
  chatAt: Uint32Array
  /** How many messages have something in a field, and how many words that is. */
  messages: Record<WordField, number>
  words: Record<WordField, number>
  /** How many chats have something said in them. */
  chats: number
}

export const ROLES: readonly Role[] = ['user', 'assistant', 'system', 'tool']
export const KINDS: readonly MessageKind[] = [
  'request',
  'answer',
  'tool',
  'delegated',
  'summary',
  'command',
  'injected',
  'notice',
]

export interface KnownUnit {
  path: string
  fingerprint: Fingerprint
  checkpoint?: { offset: number; state?: unknown }
  generation: number
}

/** What tells a changed file from an unchanged one. */
export interface Fingerprint {
  /** All that can be told without opening it, in one string; empty while it is not read to its end. */
  stamp: string
  inode: number
  size: number
  mtime: number
  /** When the file was made, as far as the system knows. */
  born?: number
  /** Hash of its first bytes, and of those just before the checkpoint. */
  head: string
  tail: string
}

/** What one reading of a unit told, or one piece of it. */
export interface UnitReading {
  source: string
  path: string
  rank: number
  /** Only where no other unit tells of the chat. */
  standsIn?: boolean
  fingerprint: Fingerprint
  checkpoint?: { offset: number; state?: unknown }
  /** How the file grows: of a database the checkpoint holds no words. */
  growth?: 'append' | 'whole' | 'database'
  /** Counts the readings from the start: messages not seen again by the newest one have vanished from the file. */
  generation: number
  chats: Chat[]
  messages: { chatId: string; message: Message }[]
  problems: { offset?: number; reason: string }[]
  /** This piece begins a reading from the start: problems noted before are void. */
  begins: boolean
  /** This piece ends a reading from the start: what it did not tell again has vanished from the file. */
  completes: boolean
}

export type TellingOf = Pick<UnitReading, 'source' | 'chats' | 'messages'>

export interface WriteResult {
  /** Keys of the chats that were changed. */
  chats: Set<number>
  added: number
  changed: number
}

/** One process syncs files at a time, and one imports; they do not touch the same units. */
export type Right = 'sync' | 'import' | 'embed'

export interface Lease {
  holder: string
}

export interface LeaseHolder {
  pid: number
  host: string
  purpose: string
  since: number
}

export interface Overview {
  sources: SourceOverview[]
  chats: number
  messages: number
  forgotten: number
  lastSyncAt?: number
  bytes: number
  path: string
}

export interface SourceOverview {
  source: string
  chats: number
  messages: number
  requests: number
  files: number
  problems: number
  newestAt?: number
  lastSyncAt?: number
}

/** What is wrong with a file of a source. */
export interface NotedProblem {
  source: string
  path: string
  reason: string
}

export interface ArchivedProblem {
  source: string
  path: string
  offset?: number
  reason: string
  seenAt: number
}

/** A chat that a file tells of, with all that was asked in it, also what was taken back. */
export interface ToldBy {
  path: string
  /** Its key. */
  chat: number
  format?: string
  requests: number
}

/** A kind of record that is new, and where it was seen. */
export interface UnknownRecords {
  source: string
  kind: string
  records: number
  path: string
  seenAt: number
}

export interface Forgotten {
  chats: number
  messages: number
  /** Someone is reading an older state: its pages are overwritten once they are done. */
  pending: boolean
  /** Forks that lost the beginning which they shared with a forgotten chat, and keep their own words; `source:id`. */
  forks?: string[]
  /** Chats that were not forgotten and begin with the same messages; `source:id`. */
  originals?: string[]
}

/** What is kept of a forgotten chat. */
export interface ForgottenChat {
  source: string
  id: string
  at: number
  /** The forgotten chat that it is a copy, a fork or a part of. */
  copyOf?: string
  /** Files that told of it. */
  files: string[]
}

/** Messages of these kinds are found by search. */
export const SEARCHABLE: ReadonlySet<MessageKind> = new Set<MessageKind>([
  'request',
  'answer',
  'tool',
  'delegated',
  'summary',
  'command',
  'notice',
])

export interface CheckOptions {
  /** Unpacks every text too. */
  deep?: boolean
  onProgress?: (progress: { done: number; all: number; what: string }) => void
}
