import type { z } from 'zod'
import type { Capability } from './capability.ts'
import { collectEvidence } from './collect-evidence.ts'
import { contextCapabilities } from './context/index.ts'
import { exportChats } from './export-chats.ts'
import { gatherChats } from './gather-chats.ts'
import { getFirstRequest } from './get-first-request.ts'
import { getRequest } from './get-request.ts'
import { listChats } from './list-chats.ts'
import { listRequests } from './list-requests.ts'
import { readChat } from './read-chat.ts'
import { resolveIds } from './resolve-ids.ts'
import { searchConversations } from './search-conversations.ts'
import { usageMetrics } from './usage-metrics.ts'

const all = [
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
  readChat,
] as const

type Known = (typeof all)[number]
export type CapabilityName = Known['name']
/** What each takes and what each answers, by name. */
export type Inputs = { [K in Known as K['name']]: z.input<K['input']> }
export type Answers = { [K in Known as K['name']]: z.output<K['output']> }

/** Everything that Recollect can do for whoever asks, in the order in which it is offered. */
export const capabilities: Capability[] = all.filter((each) => !('internal' in each && each.internal))
/** With those that only our own faces call. */
export const allCapabilities: readonly Capability[] = all
