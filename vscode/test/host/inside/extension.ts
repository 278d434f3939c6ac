import * as vscode from 'vscode'
import { scriptedModel } from './model.ts'
import { runTests } from './tests.ts'

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('scripted', scriptedModel))
  void runTests()
}
