import { setTimeout as sleep } from 'node:timers/promises'
import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import type { Secretary } from '../secretary.ts'
import { count, t } from '../words.ts'

const LOOK_MS = 150

/** Reads what is new, and says what there is. */
export async function syncNow(backend: Backend, dialogs: Dialogs): Promise<void> {
  const secretary = await backend.secretary()
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t('Reading chats'),
    cancellable: true,
  }
  secretary.startSync()
  const isDone = await vscode.window.withProgress(options, (progress, token) =>
    inStep(secretary, progress, token),
  )
  // Where the settings say that this window does not sync, it does so only when asked.
  if (backend.settings.sync === 'off') await secretary.stopSync()
  dialogs.refresh()
  if (!isDone) return
  const { chats, sources } = await secretary.reader(backend.caller()).overview()
  const assistants = sources.filter((source) => source.chats > 0).length
  backend.log.info(`synced: ${chats} chats of ${assistants} assistants`)
  void vscode.window.showInformationMessage(
    chats > 0
      ? t('The archive has {0} from {1}.', count(chats, 'chat'), count(assistants, 'assistant'))
      : t('Recollect found no chats on this computer. “Recollect: Show Status” lists where it looked.'),
  )
}

/** Waits until all that is on disk is in the archive; false when the person does not want to. */
async function inStep(
  secretary: Secretary,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
  token: vscode.CancellationToken,
): Promise<boolean> {
  let shown = 0
  while (!token.isCancellationRequested) {
    const state = secretary.syncing()
    if (state?.state === 'failed') throw new Error(t('Chats could not be read: {0}', state.reason))
    if (state?.state === 'in step') return true
    if (state?.state === 'reading' && state.total > 0) {
      const share = Math.floor((state.done / state.total) * 100)
      progress.report({ message: `${share} %`, increment: share - shown })
      shown = share
    }
    await sleep(LOOK_MS)
  }
  return false
}
