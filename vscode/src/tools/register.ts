import * as vscode from 'vscode'
import type { Backend } from '../backend.ts'
import { CapabilityTool } from './capability-tool.ts'

/** One tool for each entry of the manifest, which is made from the list of capabilities. */
export function registerTools(context: vscode.ExtensionContext, backend: Backend): void {
  for (const name of contributedTools(context)) {
    context.subscriptions.push(vscode.lm.registerTool(name, new CapabilityTool(name, backend)))
    backend.log.info(`MCP tool registered: ${name}`)
  }
}

function contributedTools({ extension }: vscode.ExtensionContext): string[] {
  const { languageModelTools } = extension.packageJSON.contributes as {
    languageModelTools: { name: string }[]
  }
  return languageModelTools.map(({ name }) => name)
}
