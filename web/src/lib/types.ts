import type { Answers } from '../../../src/client/types.ts'
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
export type { BehindState }

/** `POST /api/v1/search_conversations` */
export type SearchAnswer = Answers['search_conversations']
export type ChatResult = SearchAnswer['results'][number]
/** Of one chat, and of several: `POST /api/v1/gather_chats`. */
export type Gathered = Answers['gather_chats']
export type MetricsAnswer = Answers['usage_metrics']
export type Metrics = MetricsAnswer['totals']
export type EvidenceAnswer = Answers['collect_evidence']
export type Evidence = EvidenceAnswer['evidence'][number]
export type EvidenceKind = Evidence['kind']
type ReadChat = Answers['read_chat']

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
export type ChatList = Answers['list_chats']
export type ListedChat = ChatList['chats'][number]

/** `GET /api/v1/chats/{source:id}` */
export interface ChatDetails {
  chat: Omit<ReadChat['chat'], 'parentId' | 'forkOf' | 'subagent'> & {
    sourceName: string
    filePaths: string[]
  }
  relatives: { parent?: Relative; original?: Relative; subagents: Relative[]; forks: Relative[] }
  requests: { n: number; index: number; preview: string; createdAt?: number }[]
  /** About how much text each message has. */
  sizes?: number[]
}

export type Relative = Pick<ReadChat['chat'], 'id' | 'source' | 'title' | 'messageCount'>

/** One of `GET /api/v1/chats/{source:id}/messages` */
export type ShownMessage = ReadChat['messages'][number]
