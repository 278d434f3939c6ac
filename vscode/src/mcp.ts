import path from 'node:path'
import * as vscode from 'vscode'
import type { Backend } from './backend.ts'
import { machineOf, openFolder } from './places.ts'

/**
 * Offers our MCP server to the agents of VS Code, where a person prefers it to the language-model tools: both
 * would be the same tools twice in every request.
 */
export function registerMcpServer(context: vscode.ExtensionContext, backend: Backend): void {
  const changed = new vscode.EventEmitter<void>()
  const { version } = context.extension.packageJSON as { version: string }
  const code = path.join(context.extensionUri.fsPath, 'dist', 'mcp-server.js')
  context.subscriptions.push(
    changed,
    backend.onDidChange(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('recollect.mcpServer')) changed.fire()
    }),
    vscode.lm.registerMcpServerDefinitionProvider('recollect', {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        backend.settings.mcpServer ? [definition(backend, code, version)] : [],
      resolveMcpServerDefinition: (server) => server,
    }),
  )
}

/** Runs on whatever runs this extension, so that nothing has to be installed. */
function definition(backend: Backend, code: string, version: string): vscode.McpStdioServerDefinition {
  const { env } = machineOf(backend.places, backend.settings)
  const server = new vscode.McpStdioServerDefinition(
    'Recollect',
    process.execPath,
    [code],
    {
      RECOLLECT_VSCODE_USER: env.RECOLLECT_VSCODE_USER ?? null,
      ...(env.RECOLLECT_HOME && { RECOLLECT_HOME: env.RECOLLECT_HOME }),
      // The desktop's runtime is an application that has to be told to be Node.
      ...(process.versions.electron && { ELECTRON_RUN_AS_NODE: '1' }),
    },
    version,
  )
  const folder = openFolder()
  if (folder?.uri.scheme === 'file') server.cwd = folder.uri
  return server
}
