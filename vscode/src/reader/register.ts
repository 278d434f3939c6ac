import * as vscode from 'vscode'
import type { Backend } from '../backend.ts'

/** Dialogs that were open come back with the window. */
export function registerReader(context: vscode.ExtensionContext, backend: Backend): void {
  context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer('recollect.reader', {
      async deserializeWebviewPanel(panel, state) {
        const { restoreReader } = await import('./panels.ts')
        await restoreReader(backend, panel, state)
      },
    }),
  )
}
