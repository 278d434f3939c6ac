import * as vscode from 'vscode'
import type { Backend } from '../backend.ts'
import { type Side, sideOf } from '../side.ts'
import { t } from '../words.ts'

const ID = 'recollect.recollect-vscode'

/** In a remote window: shows the archive of the other machine instead, from the next start of the window on. */
export async function showOtherSide(backend: Backend): Promise<void> {
  const side = sideOf(backend)
  if (!side) {
    void vscode.window.showInformationMessage(
      t('This is not a remote window: you see the archive on this computer.'),
    )
    return
  }
  if (!side.other) {
    void vscode.window.showInformationMessage(
      t(
        'You see the chats on {0}. A browser has no chats of its own; open VS Code for the desktop to see those on your computer.',
        side.name,
      ),
    )
    return
  }
  const yes = t('Switch and Reload')
  const answer = await vscode.window.showInformationMessage(
    t('You see the chats on {0}. Show the chats on {1} instead?', side.name, side.other),
    { modal: true, detail: detailOf(side, side.other) },
    yes,
  )
  if (answer !== yes) return
  await runOn(side.of === 'local' ? 'workspace' : 'ui')
  await vscode.commands.executeCommand('workbench.action.reloadWindow')
}

function detailOf({ of }: Side, other: string): string {
  return of === 'local'
    ? t(
        'Recollect will run on {0}: VS Code installs it there. The setting (remote.extensionKind) applies to all remote windows; run the command again to switch back.',
        other,
      )
    : t('Recollect will run on {0} again.', other)
}

/** VS Code's own setting; other extensions in it are left alone. */
async function runOn(kind: 'ui' | 'workspace'): Promise<void> {
  const remote = vscode.workspace.getConfiguration('remote')
  const before = remote.get<Record<string, string[]>>('extensionKind', {})
  const { [ID]: _, ...others } = before
  // By our manifest it runs on the person's side.
  const kinds = kind === 'ui' ? others : { ...others, [ID]: ['workspace'] }
  await remote.update('extensionKind', kinds, vscode.ConfigurationTarget.Global)
}
