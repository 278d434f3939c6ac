import type { ChatStatus, Message } from '../../../src/model/chat.ts'
import type { ListedChat } from '../../../src/recall/list.ts'
import type { ChatResult, SearchAnswer } from '../../../src/search/search.ts'
import type { BehindState } from '../../../src/sync/behind.ts'

export type {
  Attachment,
  Citation,
  MessageKind,
  Role,
  ToolCall,
  ToolResult,
  Usage,
} from '../../../src/model/chat.ts'
export type { BehindState, ChatResult, ListedChat, SearchAnswer }

/** `GET /api/v1/overview` */
export interface Overview {
  version: string
  sample: boolean
  archive: { chats: number; messages: number; bytes: number; lastSyncAt?: number | null }
  sources: { source: string; name: string; chats: number; messages: number; newestAt?: number | null }[]
  /** Missing where nothing is synced: the sample never changes. */
  sync: BehindState | null
  workspaces: { path: string; chats: number; newestAt?: number | null }[]
  agent: { ready: boolean }
}

/** `POST /api/v1/list_chats` */
export interface ChatList {
  chats: ListedChat[]
  nextCursor?: string
}

/** `GET /api/v1/chats/{source:id}` */
export interface ChatDetails {
  chat: {
    id: string
    source: string
    sourceName: string
    title: string
    workspace?: string
    repository?: string
    branch?: string
    createdAt?: number
    updatedAt?: number
    status?: ChatStatus
    models: string[]
    messageCount: number
    requestCount: number
    resume?: string
    filePaths: string[]
    format?: string
  }
  relatives: { parent?: Relative; original?: Relative; subagents: Relative[]; forks: Relative[] }
  requests: { n: number; index: number; preview: string; createdAt?: number }[]
  /** About how much text each message has. */
  sizes?: number[]
}

export interface Relative {
  id: string
  source: string
  title: string
  messageCount: number
}

/** One of `GET /api/v1/chats/{source:id}/messages` */
export interface ShownMessage extends Omit<Message, 'order' | 'thinkingMs'> {
  index: number
  /** A fork repeats it: the original is in another chat. */
  copy?: boolean
  /** Too long to be sent at once: ask for this one alone. */
  cut?: boolean
}
