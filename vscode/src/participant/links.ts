import * as vscode from 'vscode'

/** Markdown in which links may open dialogs and do nothing else. */
export function trusted(): vscode.MarkdownString {
  const text = new vscode.MarkdownString()
  text.isTrusted = { enabledCommands: ['recollect.openDialog'] }
  return text
}

/** A link that opens a dialog in the reader, where a message is given at that message. */
export function dialogLink(reference: string, title: string, index?: number): string {
  const given = encodeURIComponent(JSON.stringify(index === undefined ? [reference] : [reference, index]))
  return `[${plain(title)}](command:recollect.openDialog?${given})`
}

/** Said by someone else: to be read, not to be markup. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, '\\$&').replace(/\s+/g, ' ')
}
