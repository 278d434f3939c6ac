import * as vscode from 'vscode'
import { dateTime } from '../../../src/model/day.ts'
import type { AgentMessage } from '../../../src/recall/agent-message.ts'
import type { SeveralChats } from '../../../src/recall/gather.ts'
import { preview } from '../../../src/recall/preview.ts'
import type { Caller } from '../../../src/service/caller.ts'
import type { Backend } from '../backend.ts'
import type { Secretary } from '../secretary.ts'
import { count, t } from '../words.ts'

/** A document is still pleasant to scroll through. */
const MOST_CHARS = 2_000_000
const MOST_CHATS = 20

/** Dialogs in one document: merged in time order, with what they share and where they differ. */
export async function gatherInDocument(backend: Backend, references: string[]): Promise<void> {
  const secretary = await backend.secretary()
  const content = await gatheredText(secretary, backend.caller(), references.slice(0, MOST_CHATS))
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content })
  await vscode.window.showTextDocument(document)
}

async function gatheredText(secretary: Secretary, caller: Caller, chatIds: string[]): Promise<string> {
  if (chatIds.length === 1) {
    const { text = '' } = await secretary.ask(
      'export_chats',
      { chatIds, format: 'markdown' },
      { ...caller, budget: MOST_CHARS },
    )
    // The mark by which an exported file is known is of no use in a document.
    return text.replace(/^<!--.*-->\n/, '')
  }
  const answer = await secretary.ask(
    'gather_chats',
    { chatIds, includeTools: false, max_chars: MOST_CHARS },
    caller,
  )
  return 'meta' in answer ? asMarkdown(answer as SeveralChats) : ''
}

function asMarkdown({
  meta,
  narrative,
  commonAlignment = [],
  differences = [],
  leftOut,
}: SeveralChats): string {
  const lines = [`# ${t('Gathered chats')}`, '']
  for (const { chatIdx, title, source, id } of meta)
    lines.push(`- **[${chatIdx}]** ${preview(title, 120)} (${source}, \`${id}\`)`)
  if (commonAlignment.length > 0) lines.push('', `## ${t('What they share')}`, '')
  for (const { content, refs } of commonAlignment)
    lines.push(
      `- ${preview(content, 200)} (${refs.map(({ chatIdx, index }) => `[${chatIdx}] ${index}`).join(', ')})`,
    )
  for (const { chatIdx, only } of differences) {
    if (only.length > 0) lines.push('', `## ${t('Only in {0}', `[${chatIdx}]`)}`, '')
    for (const { content } of only) lines.push(`- ${preview(content, 200)}`)
  }
  lines.push('', `## ${t('In chronological order')}`)
  for (const message of narrative) {
    lines.push('', heading(message), '', message.content.trim())
    for (const { type, name } of message.attachments ?? [])
      lines.push(`- ${preview(`${type}: ${name}`, 200)}`)
  }
  if (leftOut)
    lines.push('', `_${t('{0} more did not fit. Gather fewer chats.', count(leftOut.messages, 'message'))}_`)
  return `${lines.join('\n')}\n`
}

function heading({ chatIdx, role, kind, createdAt }: AgentMessage & { chatIdx: number }): string {
  return `### [${chatIdx}] ${kind ?? role} ${dateTime(createdAt ?? undefined)}`.trimEnd()
}
