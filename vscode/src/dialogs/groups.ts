import path from 'node:path'
import type { ArchivedChat } from '../../../src/archive/archive.ts'
import { sourceName } from '../../../src/sources/names.ts'
import { t } from '../words.ts'

/** What the view groups chats by. */
export type Grouping = 'date' | 'workspace' | 'assistant'

export const SPANS = ['today', 'yesterday', 'week', 'month', 'older'] as const
export type Span = (typeof SPANS)[number]

export type Group =
  | { of: 'pinned' }
  | { of: 'date'; span: Span }
  | { of: 'here' }
  /** Without a path: chats of windows without a folder. */
  | { of: 'workspace'; path?: string }
  | { of: 'assistant'; source: string }
  | { of: 'orphans' }
  | { of: 'archived' }

export interface FilledGroup {
  group: Group
  /** How many chats are in it, however many are shown. */
  count: number
  newestAt?: number
}

/** By which the view knows it again. */
export function nameOf(group: Group): string {
  if (group.of === 'workspace') return `workspace ${group.path ?? ''}`
  if (group.of === 'assistant') return `assistant ${group.source}`
  return group.of === 'date' ? `date ${group.span}` : group.of
}

export function labelOf(group: Group): string {
  switch (group.of) {
    case 'pinned':
      return t('Pinned')
    case 'date':
      return spanName(group.span)
    case 'here':
      return t('This Workspace')
    case 'workspace':
      return group.path ? folderName(group.path) : t('No Folder')
    case 'assistant':
      return sourceName(group.source)
    case 'orphans':
      return t('Chats from Moved Folders')
    case 'archived':
      return t('Archived')
  }
}

/** What is said of a group besides its name. */
export function hintOf(group: Group): string | undefined {
  if (group.of === 'workspace') return group.path
  if (group.of === 'pinned') return t('Starred, as the page and the terminal call it.')
  return group.of === 'orphans'
    ? t('Their folder was renamed, moved or recreated, so VS Code no longer lists them.')
    : undefined
}

/** Until the person opens or closes it. */
export function isOpenAtFirst({ of }: Group): boolean {
  return of === 'pinned' || of === 'date' || of === 'here'
}

function spanName(span: Span): string {
  switch (span) {
    case 'today':
      return t('Today')
    case 'yesterday':
      return t('Yesterday')
    case 'week':
      return t('Last 7 Days')
    case 'month':
      return t('Last 30 Days')
    case 'older':
      return t('Older')
  }
}

/** From when, and before when. */
export function timesOf(span: Span, now: number): { updatedFrom?: number; updatedBefore?: number } {
  const today = startOfDay(now, 0)
  const from = { today, yesterday: startOfDay(now, 1), week: startOfDay(now, 7), month: startOfDay(now, 30) }
  switch (span) {
    case 'today':
      return { updatedFrom: from.today }
    case 'yesterday':
      return { updatedFrom: from.yesterday, updatedBefore: from.today }
    case 'week':
      return { updatedFrom: from.week, updatedBefore: from.yesterday }
    case 'month':
      return { updatedFrom: from.month, updatedBefore: from.week }
    case 'older':
      return { updatedBefore: from.month }
  }
}

/** By the calendar: a day is not always 24 hours long. */
function startOfDay(now: number, daysBack: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBack).getTime()
}

export function folderName(folder: string): string {
  return path.posix.basename(folder.replaceAll('\\', '/')) || folder
}

/** As every command and tool takes it. */
export function referenceOf({ source, id }: Pick<ArchivedChat, 'source' | 'id'>): string {
  return `${source}:${id}`
}
