import type { Chat, ChatStatus, Message } from '../model/chat.ts'

export interface ArchivedChat extends Chat {
  /** The archive's own number for it. */
  key: number
  /** Always there: the owner's name for it, else the given title, else the beginning of the first request. */
  title: string
  /** The owner's own name for it; no file of an assistant has it. */
  name?: string
  pinned?: true
  /** Put away by the owner: still searched and listed, apart from the others. */
  archived?: true
  models: string[]
  messageCount: number
  requestCount: number
  /** Missing for what was read on this machine. */
  origin?: Origin
}

/** Who a chat is of and which machine read it, where that is not this one; and the space it came through. */
interface Origin {
  /** The person, by a name that is one person's in the whole hub: it is a part of the chat's id here. */
  author: string
  machine: string
  space: string
}

export interface ArchivedMessage extends Message {
  key: number
  /** From 0, without gaps. */
  index: number
  /** The same message was first archived in another chat, from which this one was forked. */
  copy?: boolean
}

export interface ChatOutline {
  /** What the person asked and did not take back, whole: who cuts it takes secrets out first. */
  requests: { index: number; createdAt?: number; text: string }[]
  /** How many bytes each message has, by its index. */
  sizes: number[]
  /** What was asked and, of each, the last thing that was answered: the indexes of these messages. */
  focus: number[]
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

/** Where chats come from. */
export interface OriginFilter {
  /** A git remote as it is written anywhere, `owner/name`, or only the name. */
  repository?: string
  /** A person; `me` for one's own chats, those read here and those of one's other machines. */
  author?: string
  /** `this` for the one that asks. */
  machine?: string
}

export interface ChatFilter extends OriginFilter {
  source?: string
  /** A path; chats of folders below it count too. */
  workspace?: string
  titleContains?: string
  updatedFrom?: number
  updatedTo?: number
  /** Sub-agents' chats are left out unless asked for. */
  subagents?: boolean
  sources?: string[]
  /** Paths or names of folders; those below them count too. */
  workspaces?: string[]
  /** Chats in which one of these answered. */
  models?: string[]
  withoutSources?: string[]
  /** As `statusNow` tells it. */
  statuses?: ChatStatus[]
  updatedBefore?: number
  /** Last written to in one of these spans; an end is not of it. */
  updatedIn?: [from: number, to: number][]
  /** This very folder, without those below it; null: no folder. */
  folder?: string | null
  /** About one of these folders or those below, or one of these chats. */
  about?: { folders: string[]; chats: { source: string; ids: string[] } }
  pinned?: boolean
  archived?: boolean
}

/** What the owner notes of a chat. What is not given stays as it is; an empty name takes the name away. */
export interface OwnNotes {
  name?: string
  pinned?: boolean
  archived?: boolean
}

/** A search that the owner keeps by a name. */
export interface SavedSearch {
  name: string
  /** As `search_conversations` takes it. */
  input: Record<string, unknown>
  savedAt: number
}

/** Chats that have the folder or the assistant in common. */
export interface ChatGroup {
  /** The id of a source, or a path; missing where chats have no folder. */
  value?: string
  chats: number
  newestAt?: number
}

export type ChatSort = 'updated' | 'created' | 'messages' | 'title'

export interface ChatPage {
  sort: ChatSort
  limit: number
  /** Of the last chat of the page before. */
  after?: { value: number | string; key: number }
}

/** Messages by their own time, not their chat's. */
export interface UsageFilter extends OriginFilter {
  source?: string
  workspace?: string
  from?: number
  to?: number
  /** Only these chats. */
  keys?: number[]
  /** Whose days and hours are meant; without it those of this machine. */
  timeZone?: string
  /** Only calls of tools with one of these names are counted. */
  tools?: string[]
  /**
   * Days on which something begins that matters to the reader, in order: rows tell these instead of their own days, and
   * no day at all what was before the first. Thousands of days need not be told apart for one price.
   */
  periods?: string[]
}

export const USAGE_GROUPS = [
  'day',
  'hour',
  'model',
  'source',
  'workspace',
  'repository',
  'tool',
  'chat',
  'subagent',
] as const
/**
 * `hour` is of the week: `1-09` for Monday from nine; `chat` is `source:id`, `subagent` is `main` or `subagent`.
 */
export type UsageGroup = (typeof USAGE_GROUPS)[number]

/** A call of a tool that failed: what its answer says is in the message. */
export interface FailedCall {
  chat: ArchivedChat
  message: ArchivedMessage
  tool?: string
}

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
  /** The archive's file was deleted or replaced since the mark: this is another archive. */
  replaced?: true
}

/** What chats can be narrowed to by where they come from, the most used first; people and machines only of others. */
export type Origins = Record<keyof OriginFilter, { name: string; chats: number }[]>

/** A folder that chats were about, the most recently used first. */
export interface WorkspaceOverview {
  path: string
  chats: number
  newestAt?: number
}
