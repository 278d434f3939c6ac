import * as vscode from 'vscode'
import type { Api } from './api.ts'
import { Backend } from './backend.ts'
import { registerCommands } from './commands/register.ts'
import { registerDialogs } from './dialogs/register.ts'
import { registerMcpServer } from './mcp.ts'
import { registerParticipant } from './participant/register.ts'
import { registerReader } from './reader/register.ts'
import { hasSqlite } from './sqlite.ts'
import { registerStatus } from './status.ts'
import { registerTools } from './tools/register.ts'

/** Only registers: what a part needs is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): Api {
  const began = performance.now()
  // Before anything loads it: what an older Node remarks then would be shown as an error.
  hasSqlite()
  const log = vscode.window.createOutputChannel('Recollect', { log: true })
  const backend = new Backend(context, log)
  context.subscriptions.push(log, backend)
  registerTools(context, backend)
  const dialogs = registerDialogs(context, backend)
  registerCommands(context, backend, dialogs)
  registerReader(context, backend)
  registerStatus(context, backend)
  registerMcpServer(context, backend)
  registerParticipant(context, backend)
  log.info(`activated in ${(performance.now() - began).toFixed(1)} ms`)
  return { secretary: () => backend.secretary(), dialogs }
}
