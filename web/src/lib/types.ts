import type { Answer, Question, RunRequest, FollowedEvent as Told } from '../../../src/agent/agent.ts'
import type { Answers } from '../../../src/client/generated/answers.ts'
import type { Routes } from '../../../src/client/generated/routes.ts'

export type {
  Citation,
  ToolCall,
} from '../../../src/model/chat.ts'

/** `POST /api/v1/search_conversations` */
export type SearchAnswer = Answers['search_conversations']
export type ChatResult = SearchAnswer['results'][number]
/** Of one chat, and of several: `POST /api/v1/gather_chats`. */
type Gathered = Answers['gather_chats']
/** Where several were asked for. */
export type SeveralChats = Gathered & Required<Pick<Gathered, 'meta' | 'narrative'>>
export type MetricsAnswer = Answers['usage_metrics']
export type Metrics = MetricsAnswer['totals']
export type EvidenceAnswer = Answers['collect_evidence']
export type Evidence = EvidenceAnswer['evidence'][number]
export type EvidenceKind = Evidence['kind']

export type Places = Routes['GET /api/v1/places']
export type Overview = Omit<Routes['GET /api/v1/overview'], keyof Places>
export type SyncState = Overview['sync']
export type SourceReport = Routes['GET /api/v1/sources']['sources'][number]
export type SettingsAnswer = Routes['GET /api/v1/settings']
export type Settings = SettingsAnswer['settings']
export type BackupList = Routes['GET /api/v1/backups']
export type BackupMade = Routes['POST /api/v1/backups']
export type Token = Routes['GET /api/v1/tokens']['tokens'][number]
export type Scope = Token['scopes'][number]
export type HubState = Routes['GET /api/v1/hub']
export type HubSpace = HubState['spaces'][number]
export type ShareAnswer = Routes['POST /api/v1/hub/share']
export type ContextFile = Routes['GET /api/v1/context']
export type Forgotten = Routes['POST /api/v1/forget']
export type Facets = Routes['POST /api/v1/facets']
export type SavedSearch = Routes['GET /api/v1/searches']['searches'][number]
export type ChatCitation = Routes['POST /api/v1/citations']['citations'][number]
export type ChatStates = Routes['GET /api/v1/states']
export type Steps = Routes['GET /api/v1/chats/{chat}/steps']
export type Found = Routes['GET /api/v1/chats/{chat}/find']

/** `POST /api/v1/list_chats` */
export type ChatList = Answers['list_chats']
export type ListedChat = ChatList['chats'][number]

export type ChatDetails = Routes['GET /api/v1/chats/{chat}']
export type Relative = ChatDetails['relatives']['subagents'][number]
export type MessagePage = Routes['GET /api/v1/chats/{chat}/messages']
export type ShownMessage = MessagePage['messages'][number]

/** Of the agent: `GET /api/v1/sessions`, `/approvals`, `/api/v2/…` */
export type AgentSession = Routes['GET /api/v1/sessions']['sessions'][number]
export type Approval = Routes['GET /api/v1/approvals']['approvals'][number]
export type ProviderStatus = Routes['GET /api/v2/providers']['providers'][number]
export type ModelStatus = Routes['GET /api/v2/models']['models'][number]
export type ModelSettings = Routes['GET /api/v2/model-settings']
export type ServerStatus = Routes['GET /api/v2/mcp/servers']['servers'][number]
/** One of what `GET /api/v1/sessions/{sessionId}/events` tells, as it comes through JSON. */
export type FollowedEvent = Exclude<Told, { type: 'approval' }> | { type: 'approval'; approval: Approval }
export type { Answer, Question }
/** What goes with a message. */
export type GivenAttachment = NonNullable<RunRequest['attachments']>[number]
