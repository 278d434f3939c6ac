import * as vscode from 'vscode'

export interface Settings {
  /** Empty: as the environment says. */
  archiveFolder: string
  sync: 'always' | 'whenUsed' | 'off'
  /** `false` leaves an assistant out. */
  sources: Record<string, boolean>
  redact: boolean
  /** Instead of the language-model tools, whose `when` in the manifest says so. */
  mcpServer: boolean
  statusBar: boolean
}

export function settings(): Settings {
  const configuration = vscode.workspace.getConfiguration('recollect')
  const get = <K extends keyof Settings>(name: K, otherwise: Settings[K]): Settings[K] =>
    configuration.get<Settings[K]>(name, otherwise)
  return {
    archiveFolder: get('archiveFolder', '').trim(),
    sync: get('sync', 'whenUsed'),
    sources: get('sources', {}),
    redact: get('redact', true),
    mcpServer: get('mcpServer', false),
    statusBar: get('statusBar', true),
  }
}
