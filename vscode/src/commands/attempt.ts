import * as vscode from 'vscode'
import type { Backend } from '../backend.ts'
import { messageOf, t } from '../words.ts'

/** Does `work`; what goes wrong is said to the person, with what to do next. */
export async function attempt<T>(backend: Backend, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof vscode.CancellationError) return undefined
    const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : ''
    backend.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
    void vscode.window
      .showErrorMessage([`Recollect: ${messageOf(error)}`, hint].filter(Boolean).join(' '), t('Show Log'))
      .then((chosen) => chosen && backend.log.show())
    return undefined
  }
}
