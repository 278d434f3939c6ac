import type { ToolCall, ToolResult } from '../../../src/model/chat.ts'
import { dateTime } from '../../../src/model/day.ts'
import { statusNow } from '../../../src/model/status.ts'
import { commandOf } from '../../../src/recall/evidence-in.ts'
import { speakerIn, written } from '../../../src/recall/export/format.ts'
import { escaped } from '../../../src/recall/export/html.ts'
import { type LiveChat, type LiveMessage, requestsOf } from '../../../src/recall/live.ts'
import { preview } from '../../../src/recall/preview.ts'
import { statusName } from '../dialogs/filter.ts'
import { count, spoken, t } from '../words.ts'
import { markdown, plainText } from './markdown.ts'

export interface PageParts {
  cspSource: string
  nonce: string
  style: string
  script: string
}

/** A page that loads our style and our script and nothing else, whatever the dialog says. */
export function page(body: string, title: string, { cspSource, nonce, style, script }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src ${cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="${spoken()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<div id="dialog">${body}</div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`
}

/** The dialog itself; messages before the index `from` are left out. */
export function dialogBody({ chat, messages }: LiveChat, assistant: string, from: number): string {
  const results = new Map(
    messages.flatMap(({ toolResults = [] }) => toolResults.map((each) => [each.callId, each])),
  )
  const called = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  const told = messages.filter((message) => message.kind !== 'injected' && !isToldBefore(message, called))
  const shown = told.filter((message) => message.index >= from)
  const hidden = told.length - shown.length
  const requests = requestsOf(messages)
  const status = statusNow(chat)
  const facts = [
    assistant,
    status && statusName(status),
    dateTime(chat.updatedAt),
    count(chat.requestCount, 'request'),
    chat.models.join(', '),
    chat.workspace,
    chat.repository,
    chat.origin && t('{0} on {1}', chat.origin.author, chat.origin.machine),
    chat.branch,
  ]
  return `<header class="dialog">
<h1>${escaped(chat.title)}</h1>
<p class="facts">${facts
    .filter(Boolean)
    .map((fact) => escaped(String(fact)))
    .join(' · ')}</p>
<div class="actions" role="toolbar" aria-label="${escaped(t('Chat'))}">
${button('copyRequest', t('Copy Request…'))}${chat.resume ? button('copyResumeCommand', t('Copy Resume Command')) : ''}${button('exportToContext', t('Export to context.md'))}${button('exportMarkdown', t('Export as Markdown…'))}${button('openSource', t('Source File'))}${chat.pinned ? button('unpin', t('Unpin')) : button('pin', t('Pin'))}${button('rename', t('Rename…'))}
</div>
${outline(requests)}
<p class="keys"><kbd>n</kbd> <kbd>p</kbd> ${escaped(t('next, previous request'))} · <kbd>t</kbd> ${escaped(t('expand or collapse all tool calls'))}</p>
</header>
<main>
${hidden > 0 ? `<p>${button('showEarlier', t('Show {0}', count(hidden, 'earlier message')))}</p>` : ''}
${shown.map((message) => section(chat, message, results)).join('\n')}
</main>`
}

function button(action: string, label: string): string {
  return `<button type="button" data-do="${action}">${escaped(label)}</button>`
}

function outline(requests: LiveMessage[]): string {
  if (requests.length < 2) return ''
  const items = requests.map(
    ({ index, text }) => `<li><a href="#m${index}">${escaped(preview(text, 100) || t('(empty)'))}</a></li>`,
  )
  return `<details class="outline"><summary>${count(requests.length, 'request')}</summary><ol>${items.join('')}</ol></details>`
}

function section(chat: LiveChat['chat'], message: LiveMessage, results: Results): string {
  const { kind, index, undone, outcome, model, createdAt, thinking, attachments = [] } = message
  const speaker = escaped(speakerIn(chat, kind))
  const remarks = [dateTime(createdAt), kind === 'answer' && model, undone && t('undone'), outcome].filter(
    Boolean,
  )
  const isTyped = kind === 'request' || kind === 'delegated' || kind === 'command'
  const parts = [
    ...attachments.map(
      ({ type, path, url, name }) => `<p class="attached">${escaped(`${type}: ${path ?? url ?? name}`)}</p>`,
    ),
    thinking && folded(t('Thinking'), thinking, 'thinking'),
    isTyped ? plainText(message.text) : markdown(message.text),
    ...tools(message, results),
    ...(message.files ?? [])
      .filter(({ action }) => action !== 'read')
      .map(({ action, path }) => `<p class="attached">${escaped(`${action} ${path}`)}</p>`),
  ]
  return `<article id="m${index}" class="${kind}${undone ? ' undone' : ''}${outcome ? ` ${outcome}` : ''}" tabindex="-1" aria-label="${escaped([speaker, dateTime(createdAt)].join(', '))}">
<h2>${speaker} <small>${remarks.map((remark) => escaped(String(remark))).join(' · ')}</small></h2>
${parts.filter(Boolean).join('\n')}
</article>`
}

type Results = Map<string, ToolResult>

/** Some assistants write a tool's answer as a message of its own; here it stands with the call. */
function isToldBefore(message: LiveMessage, called: Set<string>): boolean {
  const { kind, text, toolCalls = [], toolResults = [] } = message
  if (kind !== 'tool' || text.trim() !== '' || toolCalls.length > 0) return false
  return toolResults.every(({ callId }) => called.has(callId))
}

/** Each call with its answer, and answers whose call is not known. */
function tools({ toolCalls = [], toolResults = [] }: LiveMessage, results: Results): string[] {
  const called = new Set(toolCalls.map(({ id }) => id))
  const rest = toolResults.filter(({ callId }) => !called.has(callId))
  return [
    ...toolCalls.map((call) => tool(call, results.get(call.id))),
    ...rest.map((result) => tool(undefined, result)),
  ]
}

function tool(call: ToolCall | undefined, result: ToolResult | undefined): string {
  const failed = result?.error !== undefined || Boolean(result?.exitCode)
  const name = call ? `${call.server ? `${call.server}/` : ''}${call.tool}` : t('Tool result')
  const mark = failed ? `failed${result?.exitCode ? ` (exit ${result.exitCode})` : ''}` : ''
  const title = [name, call && summaryOf(call), mark].filter(Boolean).join(' · ')
  const text = [written(call?.args), result && (result.error ?? result.text ?? written(result.json))]
  return folded(title, text.filter(Boolean).join('\n\n'), failed ? 'tool failed' : 'tool')
}

/** What a call is about, where one word of its arguments says so. */
function summaryOf(call: ToolCall): string {
  const { args } = call
  if (typeof args === 'string') return preview(args, 80)
  if (!args || typeof args !== 'object') return ''
  const telling = commandOf(call) ?? Object.values(args).find((value) => typeof value === 'string')
  return telling ? preview(telling, 80) : ''
}

function folded(title: string, text: string, kind: string): string {
  return `<details class="${kind}"><summary>${escaped(title)}</summary><pre tabindex="0">${escaped(text)}</pre></details>`
}
