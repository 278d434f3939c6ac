import type { ToolCall, ToolResult } from '../../model/chat.ts'
import { dateTime } from '../../model/day.ts'
import { closed } from '../../model/markdown.ts'
import type { LiveChat, LiveMessage } from '../live.ts'
import { type Format, factsOf, speakerIn, written } from './format.ts'

const MARK = '<!-- Exported by Recollect -->'

/** To be read by people and by whatever renders Markdown. */
export const markdown: Format = {
  extension: 'md',
  mark: MARK,
  begin: `${MARK}\n`,
  *chat({ chat, messages }: LiveChat, number) {
    if (number > 0) yield '\n---\n\n'
    yield `# ${inline(chat.title)}\n\n`
    yield `${factsOf(chat).map(inline).join(' · ')}  \n\`${chat.id.replaceAll('`', '')}\`\n`
    for (const message of messages) if (message.kind !== 'injected') yield* messageMarkdown(chat, message)
  },
  end: '',
}

function* messageMarkdown(chat: LiveChat['chat'], message: LiveMessage): Generator<string> {
  const results = message.toolResults ?? []
  if (message.kind !== 'tool' || message.text) {
    const facts = [dateTime(message.createdAt), message.model, message.undone && 'undone', message.outcome]
    yield `\n## ${inline(speakerIn(chat, message.kind))}${facts.some(Boolean) ? ` · ${facts.filter(Boolean).join(' · ')}` : ''}\n\n`
  }
  for (const { type, path, url, name } of message.attachments ?? [])
    yield `- ${inline(type)}: ${inline(path ?? url ?? name)}\n`
  if (message.text) yield `${closed(message.text.trimEnd())}\n`
  for (const call of message.toolCalls ?? []) yield toolCall(call)
  for (const result of results) yield toolResult(result)
  for (const { path, action } of message.files ?? [])
    if (action !== 'read') yield `\n*${action}* \`${path.replaceAll('`', '')}\`\n`
  for (const { url, title } of message.citations ?? [])
    if (url && /^https?:/.test(url))
      yield `\n- [${inline(title ?? url)}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)\n`
}

function toolCall({ server, tool, args }: ToolCall): string {
  const name = inline(server ? `${server}/${tool}` : tool)
  const text = written(args)
  return `\n**→ ${name}**\n${text ? `\n${fenced(text, typeof args === 'string' ? '' : 'json')}` : ''}`
}

function toolResult({ text, json, error, exitCode }: ToolResult): string {
  const output = error ?? text ?? written(json)
  const mark = error !== undefined ? ' failed' : exitCode ? ` exit ${exitCode}` : ''
  return `\n**←${mark}**\n${output.trim() ? `\n${fenced(output)}` : ''}`
}

/** In a fence longer than any in the text, so that the text cannot end it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}\n`
}

/** On one line, without the signs that Markdown and HTML would act upon. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|]/g, '\\$&')
}
