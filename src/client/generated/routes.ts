// Written by scripts/client-types.ts from the schemas of src/capabilities and src/http.
import type { AgentRoutes } from './agent-routes.ts'
import type { ArchiveRoutes } from './archive-routes.ts'
import type { ChatsRoutes } from './chats-routes.ts'
import type { ContextRoutes } from './context-routes.ts'
import type { ForgetRoutes } from './forget-routes.ts'
import type { OpenaiRoutes } from './openai-routes.ts'
import type { OwnerRoutes } from './owner-routes.ts'

/** What each address of the REST interface answers, besides those of capabilities. */
export interface Routes extends ArchiveRoutes, ChatsRoutes, OwnerRoutes, ForgetRoutes, ContextRoutes, AgentRoutes, OpenaiRoutes {}
