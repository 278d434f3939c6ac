import type { Chat, Message } from '../model/chat.ts'

export interface KnownUnit {
  path: string
  fingerprint: Fingerprint
  checkpoint?: { offset: number; state?: unknown }
  generation: number
}

/** What tells a changed file from an unchanged one. */
interface Fingerprint {
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

/** One process syncs files at a time, one imports, and one talks to the hub; they do not touch the same units. */
export type Right = 'sync' | 'import' | 'embed' | 'hub'

export interface Lease {
  holder: string
}

export interface LeaseHolder {
  pid: number
  host: string
  purpose: string
  since: number
}

/** How much there is, as answers tell it: without a look at the files that it was read from. */
export interface Counts {
  /** Those that have chats, or files that could not be read in full. */
  sources: Pick<SourceOverview, 'source' | 'chats' | 'messages' | 'requests' | 'problems' | 'newestAt'>[]
  chats: number
  messages: number
  lastSyncAt?: number
}

export interface Overview extends Counts {
  sources: SourceOverview[]
  forgotten: number
  bytes: number
  path: string
  /** Nothing can be written to it here. */
  readOnly?: boolean
  /** What checks found that are made while there is nothing else to do. */
  damage?: string[]
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
/** A file, and the key of a chat that it tells of. */
export interface FileOfChat {
  path: string
  chat: number
}

export interface FileChat extends FileOfChat {
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

/** Which chats are looked through for secrets or rewritten without them, by their keys; all without any. */
export interface AtRestOptions {
  chats?: number[]
  onProgress?: (progress: { done: number; all: number }) => void
  signal?: AbortSignal
}

export interface SecretsInChat {
  /** Of the chat. */
  key: number
  /** How many of its messages hold one. */
  messages: number
  /** How often each kind occurs. */
  kinds: Record<string, number>
}

/** What was rewritten. */
export interface AtRest {
  chats: number
  messages: number
  secrets: number
  /** Someone is reading an older state: its pages are overwritten once they are done. */
  pending: boolean
  /** Dialogs of our own agent that somebody is at: their files were left as they are. */
  running: string[]
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

export interface CheckOptions {
  /** Unpacks every text too. */
  deep?: boolean
  onProgress?: (progress: { done: number; all: number; what: string }) => void
}
