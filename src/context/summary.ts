import path from 'node:path'
import type { FileTouch, ToolCall, ToolResult } from '../model/chat.ts'
import type { LiveHeader, LiveMessage } from '../recall/live.ts'
import { preview } from '../recall/preview.ts'
import { decisionsIn } from './decisions.ts'
import { lineOf } from './entry.ts'
import { openItemsIn } from './open-items.ts'

/** What a chat came to, told from its structure alone: no model is asked. */
export interface ChatSummary {
  requests: string[]
  decisions: string[]
  files: { path: string; actions: FileTouch['action'][] }[]
  commands: { command: string; failed?: string }[]
  outcome?: string
  openItems: string[]
}

const MAX_LISTED = 30

export function summarize(chat: LiveHeader, messages: LiveMessage[]): ChatSummary {
  const said = messages.filter((message) => !message.undone)
  const commands = commandsIn(said)
  const outcome = said.findLast((message) => message.kind === 'answer' && message.text.trim() !== '')
  return {
    requests: said.filter((message) => message.kind === 'request').map(({ text }) => preview(text, 300)),
    decisions: decisionsIn(said),
    files: filesIn(said, chat.workspace),
    commands,
    ...(outcome && { outcome: firstParagraphs(outcome.text, 600) }),
    openItems: openItemsIn(said, commands),
  }
}

/** As the text of an entry. */
export function summaryText(summary: ChatSummary): string {
  const files = summary.files.map(({ path: file, actions }) => `\`${file}\` (${actions.join(', ')})`)
  const commands = summary.commands.map(
    ({ command, failed }) => `\`${command.replaceAll('`', "'")}\`${failed ? ` (${failed})` : ''}`,
  )
  return [
    section('Requests', summary.requests, true),
    section('Decisions', summary.decisions),
    section('Files touched', files),
    section('Commands run', commands),
    summary.outcome && `### Where it ended\n\n${summary.outcome}`,
    section('Open', summary.openItems),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function section(title: string, items: string[], numbered = false): string {
  if (items.length === 0) return ''
  // The end of a long list says more about where the work stands than its beginning.
  const left = Math.max(0, items.length - MAX_LISTED)
  const lines = items.map((item, index) => `${numbered ? `${index + 1}.` : '-'} ${lineOf(item)}`).slice(left)
  return [`### ${title}`, '', ...(left > 0 ? [`(${left} earlier ones left out)`, ''] : []), ...lines].join(
    '\n',
  )
}

function filesIn(messages: LiveMessage[], workspace: string | undefined): ChatSummary['files'] {
  const touched = new Map<string, Set<FileTouch['action']>>()
  for (const { path: file, action } of messages.flatMap((message) => message.files ?? [])) {
    if (action === 'read') continue
    const name = workspace && isBelow(file, workspace) ? path.relative(workspace, file) : file
    touched.set(name, (touched.get(name) ?? new Set()).add(action))
  }
  return [...touched].map(([name, actions]) => ({ path: name, actions: [...actions] }))
}

function commandsIn(messages: LiveMessage[]): ChatSummary['commands'] {
  const results = new Map(
    messages.flatMap((message) => message.toolResults ?? []).map((each) => [each.callId, each]),
  )
  const run = new Map<string, ChatSummary['commands'][number]>()
  for (const call of messages.flatMap((message) => message.toolCalls ?? [])) {
    const command = commandOf(call)
    if (!command) continue
    const failed = failureOf(results.get(call.id))
    run.delete(command)
    run.set(command, { command, ...(failed && { failed }) })
  }
  return [...run.values()]
}

/** Editors have a `command` as well ("create"): only what runs commands counts. */
function commandOf({ tool, args }: ToolCall): string | undefined {
  if (!/bash|shell|terminal|exec|command/i.test(tool) || typeof args !== 'object' || args === null)
    return undefined
  const { command, cmd } = args as { command?: unknown; cmd?: unknown }
  const given = command ?? cmd
  if (typeof given === 'string') return preview(given, 200)
  // ["bash", "-lc", "npm test"]
  if (Array.isArray(given) && given.every((each) => typeof each === 'string'))
    return preview(/^-\w*c$/.test(String(given[1])) ? given.slice(2).join(' ') : given.join(' '), 200)
  return undefined
}

function failureOf(result: ToolResult | undefined): string | undefined {
  if (result?.exitCode) return `exit code ${result.exitCode}`
  return result?.error === undefined ? undefined : 'failed'
}

/** Whole paragraphs as far as they fit, so that no code block or list is cut open. */
function firstParagraphs(text: string, most: number): string {
  const kept: string[] = []
  let used = 0
  for (const paragraph of text.trim().split(/\n{2,}/)) {
    used += paragraph.length
    if (used > most && kept.length > 0) return `${kept.join('\n\n')}\n\n…`
    if (/^ {0,3}(```|~~~)/.test(paragraph) && used > most) break
    kept.push(used > most ? preview(paragraph, most) : paragraph.replace(/^#{1,6} +(.*)$/gm, '**$1**'))
  }
  return kept.join('\n\n')
}

function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative)
}
