import * as vscode from 'vscode'
import type { Overview } from '../../src/archive/archive.ts'
import type { BackgroundState } from '../../src/sync/background.ts'
import type { Backend } from './backend.ts'
import { ago, count, messageOf, spoken, t } from './words.ts'

const LOOK_MS = 2_000
/** VS Code has better things to do at its start. */
const AFTER_START_MS = 3_000

/** The state of the archive at a glance. Until it is used there is nothing to tell. */
export function registerStatus(context: vscode.ExtensionContext, backend: Backend): void {
  const item = vscode.window.createStatusBarItem('recollect.status', vscode.StatusBarAlignment.Right, 90)
  item.name = 'Recollect'
  item.command = 'recollect.showStatus'
  item.text = '$(comment-discussion) Recollect'
  let before = ''
  const look = async () => {
    if (!backend.settings.statusBar) return item.hide()
    item.show()
    const now = backend.isOpen ? await fingerprint(backend) : ''
    if (now === before) return
    before = now
    showStatus(item, await stateOf(backend))
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  const start = setTimeout(
    async () => (await import('./keep-up-to-date.ts')).keepUpToDate(backend),
    AFTER_START_MS,
  )
  context.subscriptions.push(
    item,
    { dispose: () => clearInterval(timer) },
    { dispose: () => clearTimeout(start) },
  )
  void look()
}

/** Changes when there is something new to tell; costs next to nothing. */
async function fingerprint(backend: Backend): Promise<string> {
  try {
    const secretary = await backend.secretary()
    if (!secretary.exists()) return 'none'
    const { mark } = await secretary.archive.changes()
    const minute = Math.floor(Date.now() / 60_000)
    return JSON.stringify([mark, secretary.state, minute])
  } catch (error) {
    return messageOf(error)
  }
}

export interface State {
  overview?: Overview
  syncing?: BackgroundState
  failure?: string
}

export async function stateOf(backend: Backend): Promise<State> {
  try {
    const secretary = await backend.secretary()
    if (!secretary.exists()) return {}
    return { overview: await secretary.reader(backend.caller()).overview(), syncing: secretary.state }
  } catch (error) {
    return { failure: messageOf(error) }
  }
}

function showStatus(item: vscode.StatusBarItem, state: State): void {
  const { text, problems } = statusLine(state)
  item.text = text
  item.tooltip = tooltip(state)
  item.backgroundColor = problems ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined
  item.accessibilityInformation = { label: `Recollect: ${text.replace(/\$\([^)]*\)\s*/g, '')}` }
}

function statusLine({ overview, syncing, failure }: State): { text: string; problems: boolean } {
  if (failure) return { text: '$(error) Recollect', problems: true }
  if (syncing?.state === 'failed') return { text: '$(warning) Recollect', problems: true }
  if (syncing?.state === 'reading' && syncing.total > 0) {
    const share = Math.floor((syncing.done / syncing.total) * 100)
    return { text: `$(sync~spin) Recollect ${share} %`, problems: false }
  }
  const chats = overview ? ` ${overview.chats.toLocaleString(spoken())}` : ''
  const mark = problemLine(overview) ? ' $(warning)' : ''
  return { text: `$(comment-discussion) Recollect${chats}${mark}`, problems: false }
}

function tooltip({ overview, syncing, failure }: State): vscode.MarkdownString {
  const lines = [
    failure ??
      (overview
        ? `${count(overview.chats, 'chat')}, ${count(overview.messages, 'message')}`
        : t('No archive yet')),
    syncLine(syncing, overview?.lastSyncAt),
    problemLine(overview),
  ]
  const text = new vscode.MarkdownString()
  for (const line of lines) {
    if (!line) continue
    text.appendText(line)
    text.appendMarkdown('  \n')
  }
  return text
}

export function syncLine(syncing: BackgroundState | undefined, lastSyncAt: number | undefined): string {
  if (syncing?.state === 'failed') return t('Sync failed: {0}', syncing.reason)
  if (syncing?.state === 'reading' || syncing?.state === 'starting') return t('Reading chats…')
  if (syncing?.state === 'in step') {
    return 'by' in syncing ? t('Up to date (synced by process {0})', String(syncing.by)) : t('Up to date')
  }
  return lastSyncAt ? t('Last sync {0}', ago(lastSyncAt)) : t('Never synced')
}

export function problemLine(overview: Overview | undefined): string | undefined {
  const problems = overview?.sources.reduce((sum, source) => sum + source.problems, 0) ?? 0
  return problems > 0 ? t('{0} could not be read', count(problems, 'record')) : undefined
}
