import type { Capability } from '../capabilities/capability.ts'
import { agentRoutes } from './agent-routes.ts'
import { backupRoutes } from './backup-routes.ts'
import { capabilityRoutes } from './capability-routes.ts'
import { chatRoutes } from './chat-routes.ts'
import { contextRoutes } from './context-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { forgetRoutes } from './forget-routes.ts'
import { hubRoutes } from './hub-routes.ts'
import { liveRoutes } from './live-routes.ts'
import { modelRoutes } from './model-routes.ts'
import { openAiRoutes } from './openai-routes.ts'
import { openApiRoute } from './openapi.ts'
import { overviewRoutes } from './overview-routes.ts'
import { questionRoutes } from './question-routes.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { sourceRoutes } from './source-routes.ts'
import { tokenRoutes } from './token-routes.ts'

/** Every address of the REST interface, and last the document that describes them. */
export function allRoutes(capabilities: Capability[], folder: string): Route[] {
  const routes = [
    ...overviewRoutes,
    ...sourceRoutes,
    ...chatRoutes,
    ...searchRoutes,
    ...exportRoutes,
    ...liveRoutes,
    ...forgetRoutes,
    ...contextRoutes,
    ...tokenRoutes(folder),
    ...settingsRoutes,
    ...backupRoutes,
    ...hubRoutes,
    ...capabilityRoutes(capabilities),
    ...agentRoutes,
    ...modelRoutes,
    ...questionRoutes,
    ...openAiRoutes,
  ]
  return [...routes, openApiRoute(routes)]
}
