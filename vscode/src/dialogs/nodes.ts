import type { ArchivedChat } from '../../../src/archive/archive.ts'
import type { Orphan } from '../orphans.ts'

/** What stands in the view. */
export type Node = GroupNode | ChatNode | MoreNode

export type Group =
  | { of: 'here' }
  | { of: 'workspaces' }
  | { of: 'assistants' }
  | { of: 'orphans' }
  /** `undefined` gathers the dialogs of windows without a folder. */
  | { of: 'workspace'; path: string | undefined }
  | { of: 'assistant'; source: string }

export interface GroupNode {
  kind: 'group'
  group: Group
  /** How many dialogs are in it, where that is known without reading them. */
  count?: number
  newestAt?: number
}

export interface ChatNode {
  kind: 'chat'
  /** The group it is shown in: one chat may stand in several. */
  group: Group
  chat: ArchivedChat
  orphan?: Orphan
}

/** The end of a long list, which shows more of it. */
export interface MoreNode {
  kind: 'more'
  group: Group
}

export function nameOf(group: Group): string {
  if (group.of === 'workspace') return `workspace ${group.path ?? ''}`
  return group.of === 'assistant' ? `assistant ${group.source}` : group.of
}

/** As every command and tool takes it. */
export function referenceOf({ source, id }: Pick<ArchivedChat, 'source' | 'id'>): string {
  return `${source}:${id}`
}
