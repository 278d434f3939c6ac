import * as vscode from 'vscode'
import type { ChatStatus } from '../../../src/model/chat.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import { type Filter, statusName } from '../dialogs/filter.ts'
import { t } from '../words.ts'

interface Choice extends vscode.QuickPickItem {
  adds?: (filter: Filter) => Filter
}

/** Narrows the view: what is typed is a part of the title, what is ticked the rest. */
export async function pickFilter(backend: Backend, dialogs: Dialogs): Promise<void> {
  const secretary = await backend.secretary()
  const reader = secretary.reader(backend.caller())
  const { sources } = await reader.overview()
  const origins = await reader.origins()
  const box = vscode.window.createQuickPick<Choice>()
  box.title = t('Filter Chats')
  box.placeholder = t('Part of the title; check more filters below')
  box.canSelectMany = true
  box.items = [
    choice(t('Only This Workspace'), (f) => ({ ...f, here: true })),
    heading(t('Status')),
    ...statuses(),
    heading(t('Last active')),
    ...[1, 7, 30].map((days) =>
      choice(days === 1 ? t('Today') : t('Last {0} days', days), (f) => ({ ...f, days })),
    ),
    heading(t('Assistant')),
    ...sources
      .filter(({ chats }) => chats > 0)
      .map(({ source }) =>
        choice(sourceName(source), (f) => ({ ...f, sources: [...(f.sources ?? []), source] })),
      ),
    ...(['repository', 'author', 'machine'] as const).flatMap((name) => originChoices(name, origins[name])),
  ]
  const filter = await new Promise<Filter | undefined>((resolve) => {
    box.onDidAccept(() => {
      const title = box.value.trim()
      const chosen = box.selectedItems.reduce<Filter>((all, { adds }) => adds?.(all) ?? all, {})
      resolve({ ...chosen, ...(title && { title }) })
      box.hide()
    })
    box.onDidHide(() => resolve(undefined))
    box.show()
  })
  box.dispose()
  if (filter) await dialogs.narrow(filter)
}

function statuses(): Choice[] {
  const all: ChatStatus[] = ['running', 'waiting', 'done', 'failed', 'cancelled']
  return all.map((status) =>
    choice(statusName(status), (f) => ({ ...f, statuses: [...(f.statuses ?? []), status] })),
  )
}

const ORIGINS = {
  repository: () => t('Repository'),
  author: () => t('Person'),
  machine: () => t('Machine'),
} as const

/** One of them at a time: the last that is ticked. */
function originChoices(name: keyof typeof ORIGINS, listed: { name: string }[]): Choice[] {
  if (listed.length === 0) return []
  return [
    heading(ORIGINS[name]()),
    ...listed.map((each) => choice(each.name, (f) => ({ ...f, [name]: each.name }))),
  ]
}

function choice(label: string, adds: (filter: Filter) => Filter): Choice {
  return { label, adds, alwaysShow: true }
}

function heading(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator }
}
