import type { Capability } from './capability.ts'
import { collectEvidence } from './collect-evidence.ts'
import { contextCapabilities } from './context/index.ts'
import { exportChats } from './export-chats.ts'
import { gatherChats } from './gather-chats.ts'
import { getFirstRequest } from './get-first-request.ts'
import { getRequest } from './get-request.ts'
import { listChats } from './list-chats.ts'
import { listRequests } from './list-requests.ts'
import { resolveIds } from './resolve-ids.ts'
import { searchConversations } from './search-conversations.ts'
import { usageMetrics } from './usage-metrics.ts'

/** Everything that Recollect can do for whoever asks, in the order in which it is offered. */
export const capabilities: Capability[] = [
  getFirstRequest,
  getRequest,
  listRequests,
  searchConversations,
  gatherChats,
  listChats,
  resolveIds,
  collectEvidence,
  usageMetrics,
  exportChats,
  ...contextCapabilities,
]
