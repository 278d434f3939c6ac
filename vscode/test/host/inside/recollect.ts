import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import * as vscode from 'vscode'
import type { Api } from '../../../src/api.ts'

export type { Api }

export const run = vscode.commands.executeCommand

/** The extension that is tested, as it was installed from its package. */
export function recollect(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('recollect.recollect-vscode')
  assert.ok(extension, 'the packed extension is installed')
  return extension
}

/** VS Code keeps names that begin with `copilot_` to itself; people still write them after a `#`. */
export const toolNamed = (capability: string) => `chat_secretary_${capability}`
export const referenceTo = (capability: string) => `copilot_chat_secretary_${capability}`

export type Answer = Record<string, unknown>

/** Calls a tool as any extension may, outside of a chat. */
export async function call(
  capability: string,
  input: unknown,
  token?: vscode.CancellationToken,
): Promise<Answer> {
  const options = { input: input as object, toolInvocationToken: undefined }
  const result = await vscode.lm.invokeTool(toolNamed(capability), options, token)
  return JSON.parse(textOf(result))
}

export function textOf(result: vscode.LanguageModelToolResult): string {
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('')
}

export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath
  assert.ok(folder, 'a folder is open')
  return folder
}

export function fileInWorkspace(name: string): string {
  const file = path.join(workspaceFolder(), name)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

/** What dialogs are handed over through, where no test before made it. */
export function startContext(): void {
  const file = path.join(workspaceFolder(), 'context.md')
  if (!fs.existsSync(file)) fs.writeFileSync(file, '# Todo\n')
}

/** A test of what old versions do not show, or not to the driver of a smoke test, such as a dialog. */
export const testSince133 = Number(vscode.version.split('.')[1]) >= 133 ? test : test.skip
