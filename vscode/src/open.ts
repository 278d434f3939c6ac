import type * as vscode from 'vscode'
import { RecollectError } from '../../src/model/errors.ts'
import { machineOf, noteFolder, type Places } from './places.ts'
import type { Secretary } from './secretary.ts'
import type { Settings } from './settings.ts'
import { hasSqlite } from './sqlite.ts'

interface Backend {
  readonly places: Places
  readonly settings: Settings
  readonly leftOut: string[]
  readonly log: vscode.LogOutputChannel
}

/** Opens the archive that the settings name, on an editor that can. */
export async function openSecretary(backend: Backend, context: vscode.ExtensionContext): Promise<Secretary> {
  if (!hasSqlite()) {
    throw new RecollectError(
      'ARCHIVE_UNSUPPORTED',
      `This VS Code runs extensions on Node ${process.versions.node}, which has no SQLite.`,
      'Update VS Code (on a remote machine: its server); Recollect needs Node 22.16 or newer inside of it.',
    )
  }
  noteFolder(context)
  const { Secretary } = await import('./secretary.ts')
  return new Secretary({
    machine: machineOf(backend.places, backend.settings),
    leftOut: backend.leftOut,
    syncs: backend.settings.sync !== 'off',
    onProblem: (reason) => backend.log.warn(`sync: ${reason}`),
  })
}
