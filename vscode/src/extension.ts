import * as vscode from 'vscode'
import type { Api } from './api.ts'
import { registerCommands } from './commands/register.ts'
import { Desk } from './desk.ts'
import { registerDialogs } from './dialogs/register.ts'
import { registerMcpServer } from './mcp.ts'
import { registerParticipant } from './participant/register.ts'
import { registerReader } from './reader/register.ts'
import { registerStatus } from './status.ts'
import { registerTools } from './tools/register.ts'

/** Only registers: what a part needs is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): Api {
  const began = performance.now()
  const log = vscode.window.createOutputChannel('Recollect', { log: true })
  const desk = new Desk(context, log)
  context.subscriptions.push(log, desk)
  registerTools(context, desk)
  const dialogs = registerDialogs(context, desk)
  registerCommands(context, desk, dialogs)
  registerReader(context, desk)
  registerStatus(context, desk)
  registerMcpServer(context, desk)
  registerParticipant(context, desk)
  log.info(`activated in ${(performance.now() - began).toFixed(1)} ms`)
  return { secretary: () => desk.secretary(), dialogs }
}
