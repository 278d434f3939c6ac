import type { ArchivedChat } from '../../../src/archive/archive.ts'
import { folderKey } from '../../../src/model/folder-key.ts'
import type { Reader } from '../../../src/service/reader.ts'
import { writtenDialogs } from '../current/written.ts'
import { asQuery, type Filter, isEmpty, passes } from './filter.ts'
import type { Group, GroupNode } from './nodes.ts'

export const VSCODE = 'vscode'
/** Where a filter leaves only what the archive cannot sort out, so many of the newest are looked at. */
const LOOKED_AT = 1_000
/** Dialogs that VS Code keeps for one window and does not say the folder of. */
const OWN = 200

export interface Surroundings {
  reader: Reader
  filter: Filter
  /** The folders of this window, as chats name them. */
  folders: string[]
  /** Where this window's own dialogs are. */
  ownChats: string
  leftOut: string[]
}

/** The chats of a group, newest first, and no more than `most`. */
export async function chatsOf(group: Group, around: Surroundings, most: number): Promise<ArchivedChat[]> {
  if (group.of === 'here') return (await chatsHere(around, most)).slice(0, most)
  if (group.of === 'assistant') return await listed(around, { source: group.source }, most)
  if (group.of !== 'workspace') return []
  const { path } = group
  const found = await listed(around, path === undefined ? { source: VSCODE } : { workspace: path }, most)
  // The archive counts the folders below as well.
  const key = path && folderKey(path)
  return found.filter(({ workspace }) => (workspace && folderKey(workspace)) === key)
}

/** The folders that chats were about, the most recently used first. */
export async function workspaceGroups(around: Surroundings): Promise<GroupNode[]> {
  if (!isEmpty(around.filter) || around.leftOut.length > 0) {
    return grouped(await listed(around, {}, LOOKED_AT), (chat) => ({ of: 'workspace', path: chat.workspace }))
  }
  const folders = (await around.reader.workspaces()).map(
    ({ path, chats, newestAt }): GroupNode => ({
      kind: 'group',
      group: { of: 'workspace', path },
      count: chats,
      newestAt,
    }),
  )
  const without: Group = { of: 'workspace', path: undefined }
  const [newest] = await chatsOf(without, around, LOOKED_AT)
  return newest ? [...folders, { kind: 'group', group: without, newestAt: newest.updatedAt }] : folders
}

/** Whoever else has been talked to, the most recent first. */
export async function assistantGroups(around: Surroundings): Promise<GroupNode[]> {
  if (!isEmpty(around.filter)) {
    const chats = (await listed(around, {}, LOOKED_AT)).filter((chat) => chat.source !== VSCODE)
    return grouped(chats, (chat) => ({ of: 'assistant', source: chat.source }))
  }
  const { sources } = await around.reader.overview()
  return sources
    .filter(({ source, chats }) => chats > 0 && source !== VSCODE && !around.leftOut.includes(source))
    .sort((a, b) => (b.newestAt ?? 0) - (a.newestAt ?? 0))
    .map(({ source, newestAt }) => ({ kind: 'group', group: { of: 'assistant', source }, newestAt }))
}

/**
 * All that is about this window's folders, by any assistant, and the dialogs that VS Code keeps for
 * this window although it does not say for which folder.
 */
async function chatsHere(around: Surroundings, most: number): Promise<ArchivedChat[]> {
  const ofFolders: ArchivedChat[] = []
  for (const workspace of around.folders) ofFolders.push(...(await listed(around, { workspace }, most)))
  const own = writtenDialogs(around.ownChats).slice(0, OWN)
  const ofWindow = await Promise.all(
    own.map(({ id }) => around.reader.archived(`${VSCODE}:${id}`).catch(() => undefined)),
  )
  const { title = '', days } = around.filter
  const { updatedFrom = 0 } = asQuery({ days })
  const isWanted = (chat: ArchivedChat | undefined): chat is ArchivedChat =>
    chat !== undefined &&
    passes(around.filter, chat) &&
    chat.title.toLowerCase().includes(title.toLowerCase()) &&
    (chat.updatedAt ?? 0) >= updatedFrom
  const both = new Map([...ofFolders, ...ofWindow.filter(isWanted)].map((chat) => [chat.key, chat]))
  return [...both.values()].sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0))
}

async function listed(
  { reader, filter, leftOut }: Surroundings,
  choice: { source?: string; workspace?: string },
  most: number,
): Promise<ArchivedChat[]> {
  const limit = filter.statuses?.length || filter.sources?.length ? Math.max(most, LOOKED_AT) : most
  const found = await reader.chats({ ...asQuery(filter), ...choice }, { limit })
  return found.filter((chat) => !leftOut.includes(chat.source) && passes(filter, chat)).slice(0, most)
}

/** In the order of the newest chat of each. */
function grouped(chats: ArchivedChat[], groupOf: (chat: ArchivedChat) => Group): GroupNode[] {
  const groups = new Map<string, GroupNode>()
  for (const chat of chats) {
    const group = groupOf(chat)
    const key = JSON.stringify(group.of === 'workspace' && group.path ? folderKey(group.path) : group)
    const known = groups.get(key)
    if (known) known.count = (known.count ?? 0) + 1
    else groups.set(key, { kind: 'group', group, count: 1, newestAt: chat.updatedAt })
  }
  return [...groups.values()]
}
