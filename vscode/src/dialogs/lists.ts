import type { ArchivedChat, ChatFilter } from '../../../src/archive/archive.ts'
import type { Reader } from '../../../src/service/reader.ts'
import { writtenDialogs } from '../current/written.ts'
import { asQuery, type Filter } from './filter.ts'
import { type FilledGroup, type Group, type Grouping, SPANS, timesOf } from './groups.ts'

const VSCODE = 'vscode'

/** What a list of chats depends on. */
export interface Surroundings {
  reader: Reader
  filter: Filter
  /** The folders of this window, as chats name them. */
  folders: string[]
  /** Where this window's own chats are. */
  ownChats: string
  leftOut: string[]
  /** Ids of chats whose folder is not where it was. */
  orphans: string[]
  now: number
}

/** The groups that have chats in them, each with how many. */
export async function groupsBy(grouping: Grouping, around: Surroundings): Promise<FilledGroup[]> {
  const counted = (group: Group) => filled(group, around)
  const before = [await counted({ of: 'pinned' })]
  const after = [await counted({ of: 'orphans' }), await counted({ of: 'archived' })]
  const groups = await between(grouping, around)
  return [...before, ...groups, ...after].filter(({ count }) => count > 0)
}

async function between(grouping: Grouping, around: Surroundings): Promise<FilledGroup[]> {
  if (grouping === 'date') return await Promise.all(SPANS.map((span) => filled({ of: 'date', span }, around)))
  const shown = shownQuery(around)
  if (grouping === 'assistant')
    return (await around.reader.groups(shown, 'source')).map(({ value = '', chats, newestAt }) => ({
      group: { of: 'assistant', source: value },
      count: chats,
      newestAt,
    }))
  const folders = (await around.reader.groups(shown, 'folder')).map(
    ({ value, chats, newestAt }): FilledGroup => ({
      group: { of: 'workspace', ...(value !== undefined && { path: value }) },
      count: chats,
      newestAt,
    }),
  )
  return [await filled({ of: 'here' }, around), ...folders]
}

async function filled(group: Group, around: Surroundings): Promise<FilledGroup> {
  const query = queryOf(group, around)
  return { group, count: query ? await around.reader.count(query) : 0 }
}

/** The chats of a group, newest first, and no more than `most`. */
export async function chatsOf(group: Group, around: Surroundings, most: number): Promise<ArchivedChat[]> {
  const query = queryOf(group, around)
  return query ? await around.reader.chats(query, { limit: most }) : []
}

/** What the archive is asked for; nothing where there can be no such chats. */
function queryOf(group: Group, around: Surroundings): ChatFilter | undefined {
  const shown = shownQuery(around)
  switch (group.of) {
    case 'pinned':
      return { ...shown, pinned: true }
    case 'archived':
      return { ...shown, archived: true }
    case 'date': {
      const times = timesOf(group.span, around.now)
      const updatedFrom = Math.max(times.updatedFrom ?? 0, shown.updatedFrom ?? 0)
      return { ...shown, ...times, ...(updatedFrom > 0 && { updatedFrom }), pinned: false }
    }
    case 'here':
      return { ...shown, about: aboutHere(around) }
    case 'workspace':
      return { ...shown, folder: group.path ?? null }
    case 'assistant':
      // The filter may leave this assistant out.
      return { ...shown, source: group.source }
    case 'orphans':
      if (around.orphans.length === 0 || around.filter.here) return undefined
      return { ...shown, about: { folders: [], chats: { source: VSCODE, ids: around.orphans } } }
  }
}

/** All that is not put away and not left out by the settings or the filter. */
function shownQuery(around: Surroundings): ChatFilter {
  return {
    ...asQuery(around.filter, aboutHere(around), around.now),
    ...(around.leftOut.length > 0 && { withoutSources: around.leftOut }),
    archived: false,
  }
}

/**
 * All that is about this window's folders, by any assistant, and the chats that VS Code keeps for
 * this window although it does not say for which folder.
 */
function aboutHere({ folders, ownChats }: Surroundings): NonNullable<ChatFilter['about']> {
  const ids = writtenDialogs(ownChats).map(({ id }) => id)
  return { folders, chats: { source: VSCODE, ids } }
}
