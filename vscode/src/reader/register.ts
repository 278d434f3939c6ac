import * as vscode from 'vscode'
import type { Desk } from '../desk.ts'

/** Dialogs that were open come back with the window. */
export function registerReader(context: vscode.ExtensionContext, desk: Desk): void {
  context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer('recollect.reader', {
      async deserializeWebviewPanel(panel, state) {
        const { restoreReader } = await import('./panels.ts')
        await restoreReader(desk, panel, state)
      },
    }),
  )
}
