import path from 'node:path'
import * as vscode from 'vscode'
import type { ArchivedChat } from '../../../src/archive/archive.ts'
import type { ChatStatus } from '../../../src/model/chat.ts'
import { sourceName } from '../../../src/sources/names.ts'
import { ago, count } from '../words.ts'
import { STATUS_NAMES, statusOf } from './filter.ts'
import { type ChatNode, type GroupNode, type MoreNode, nameOf, referenceOf } from './nodes.ts'

export function groupItem({ group, count: chats, newestAt }: GroupNode): vscode.TreeItem {
  const isOpen = group.of === 'here'
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState
  const label = labelOf(group)
  const facts = [chats, ago(newestAt)].filter(Boolean)
  const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed)
  item.id = nameOf(group)
  item.description = facts.join(' · ')
  // Without it a screen reader is given the tooltip alone.
  item.accessibilityInformation = { label: [label, ...facts].join(', ') }
  item.contextValue = 'group'
  item.iconPath = new vscode.ThemeIcon(ICONS[group.of])
  if (group.of === 'workspace' && group.path) item.tooltip = group.path
  if (group.of === 'orphans') {
    item.tooltip = 'Their folder was renamed, moved or made anew, so VS Code no longer lists them.'
  }
  return item
}

const ICONS: Record<GroupNode['group']['of'], string> = {
  here: 'root-folder',
  workspaces: 'files',
  assistants: 'organization',
  orphans: 'history',
  workspace: 'folder',
  assistant: 'robot',
}

function labelOf(group: GroupNode['group']): string {
  switch (group.of) {
    case 'here':
      return 'This Workspace'
    case 'workspaces':
      return 'All Workspaces'
    case 'assistants':
      return 'Other Assistants'
    case 'orphans':
      return 'Left Behind by a Moved Folder'
    case 'assistant':
      return sourceName(group.source)
    case 'workspace':
      return group.path ? path.basename(group.path.replaceAll('\\', '/')) || group.path : 'No Folder'
  }
}

export function chatItem(node: ChatNode): vscode.TreeItem {
  const { chat, group, orphan } = node
  const item = new vscode.TreeItem(chat.title, vscode.TreeItemCollapsibleState.None)
  const status = statusOf(chat)
  const who = group.of === 'assistant' || chat.source === 'vscode' ? '' : sourceName(chat.source)
  const facts = [ago(chat.updatedAt), count(chat.requestCount, 'request'), who].filter(Boolean)
  item.id = `${nameOf(group)}/${referenceOf(chat)}`
  item.description = facts.join(' · ')
  item.iconPath = iconOf(status)
  item.contextValue = [
    'dialog',
    chat.resume && 'resumable',
    chat.source === 'vscode' && 'importable',
    orphan && 'orphan',
  ]
    .filter(Boolean)
    .join(' ')
  item.accessibilityInformation = {
    label: [chat.title, status && STATUS_NAMES[status], ...facts].filter(Boolean).join(', '),
  }
  item.command = { command: 'recollect.openDialog', title: 'Open Dialog', arguments: [node] }
  return item
}

/** Titles and requests may hold any text: it is shown, not interpreted. */
export function chatTooltip(
  { chat, orphan }: ChatNode,
  firstRequest: string | undefined,
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString()
  tooltip.supportHtml = false
  tooltip.appendMarkdown('**')
  tooltip.appendText(chat.title)
  tooltip.appendMarkdown('**\n\n')
  if (firstRequest) {
    tooltip.appendText(firstRequest)
    tooltip.appendMarkdown('\n\n---\n\n')
  }
  const status = statusOf(chat)
  const facts: [string, string | undefined][] = [
    ['Status', status && STATUS_NAMES[status]],
    ['Assistant', sourceName(chat.source)],
    ['Folder', orphan ? `${orphan.folder} (${orphan.reason})` : chat.workspace],
    ['Repository', chat.repository],
    ['By', chat.origin && `${chat.origin.author} on ${chat.origin.machine}`],
    ['Model', chat.models.join(', ')],
    ['Requests', `${chat.requestCount} of ${chat.messageCount} messages`],
    ['Last', chat.updatedAt === undefined ? undefined : new Date(chat.updatedAt).toLocaleString()],
  ]
  for (const [name, value] of facts) {
    if (!value) continue
    tooltip.appendMarkdown(`${name}: `)
    tooltip.appendText(value)
    tooltip.appendMarkdown('  \n')
  }
  return tooltip
}

export function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem('Show more…', vscode.TreeItemCollapsibleState.None)
  item.id = `${nameOf(node.group)}/more`
  item.iconPath = new vscode.ThemeIcon('ellipsis')
  item.command = { command: 'recollect.loadMore', title: 'Show More', arguments: [node] }
  return item
}

function iconOf(status: ChatStatus | undefined): vscode.ThemeIcon {
  const [icon, colour] = status ? STATUS_ICONS[status] : ['comment-discussion', undefined]
  return new vscode.ThemeIcon(icon, colour ? new vscode.ThemeColor(colour) : undefined)
}

const STATUS_ICONS: Record<ChatStatus, [icon: string, colour: string]> = {
  running: ['loading~spin', 'charts.blue'],
  waiting: ['bell-dot', 'charts.yellow'],
  done: ['pass', 'charts.green'],
  failed: ['error', 'charts.red'],
  cancelled: ['circle-slash', 'disabledForeground'],
}

/** The first request of a chat, for its tooltip. */
export function previewed(chat: ArchivedChat, request: string | undefined): string | undefined {
  const text = request?.trim()
  return text && text !== chat.title ? text : undefined
}
