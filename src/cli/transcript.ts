import type { Answers } from '../capabilities/index.ts'
import { INJECTED } from '../model/injected.ts'
import { count, dateTime, tilde } from './format.ts'
import { fit, oneLine, paint, printable, type Stream } from './paint.ts'

type ReadChat = Answers['read_chat']
type ReadMessage = ReadChat['messages'][number]
type ToolCall = NonNullable<ReadMessage['toolCalls']>[number]
type ToolResult = NonNullable<ReadMessage['toolResults']>[number]

export interface TranscriptOptions {
  tools?: boolean
  thinking?: boolean
  stream?: Stream
  /** Whose chat it is, where it is not of this machine. */
  author?: string
}

/** A chat to read from top to bottom. */
export function* transcript(
  chat: ReadChat['chat'],
  messages: ReadMessage[],
  options: TranscriptOptions = {},
): Generator<string> {
  const { stream = process.stdout } = options
  const { bold, dim } = paint(stream)
  yield bold(printable(chat.title))
  const facts = [
    chat.source,
    chat.workspace && tilde(chat.workspace),
    chat.repository && printable(chat.repository),
    chat.branch,
    chat.models.join(', '),
    dateTime(chat.createdAt),
    count(chat.messageCount, 'message'),
  ]
  yield dim(facts.filter(Boolean).join(' · '))
  yield dim(`id ${chat.id}`)
  if (chat.author) yield dim(printable(`by ${chat.author} on ${chat.machine ?? '?'}`))
  if (chat.parentId) yield dim(`started by ${chat.parentId}`)
  if (chat.forkOf) yield dim(`forked from ${chat.forkOf}`)
  if (chat.resume) yield dim(`resume with: ${chat.resume}`)
  for (const message of messages) yield* messageLines(message, { ...options, author: chat.author }, stream)
}

const NAMES: Record<string, string> = {
  request: 'You',
  answer: 'Assistant',
  tool: 'Tool',
  delegated: 'Task for the sub-agent',
  summary: 'Summary',
  command: 'Command',
  injected: 'Added context',
  notice: 'Notice',
}

/** What others asked is told as theirs. */
function speaker({ kind, role }: ReadMessage, { author }: TranscriptOptions): string {
  return kind === 'request' && author ? oneLine(author) : (NAMES[kind] ?? role)
}

function* messageLines(message: ReadMessage, options: TranscriptOptions, stream: Stream): Generator<string> {
  const { bold, dim, green, cyan, red, yellow } = paint(stream)
  const calls = message.toolCalls ?? []
  const results = message.toolResults ?? []
  if (message.kind === 'tool' && message.text === '') {
    for (const result of results) yield* toolResult(result, options, stream)
    return
  }
  // Context that no person wrote is only named, unless all is asked for.
  if (message.kind === 'injected' && !options.tools) return
  const colour = message.kind === 'request' ? green : message.role === 'assistant' ? cyan : dim
  const remarks = [
    message.undone && 'undone',
    message.outcome,
    message.copy && 'from the original chat',
  ].filter(Boolean)
  yield ''
  yield `${colour(bold(speaker(message, options)))} ${dim(`#${message.index}  ${dateTime(message.createdAt)}  ${message.model ?? ''}`.trimEnd())}${remarks.length > 0 ? yellow(` (${remarks.join(', ')})`) : ''}`
  if (message.thinking && options.thinking) yield dim(indented(printable(message.thinking)))
  for (const attachment of message.attachments ?? []) {
    yield dim(`  + ${attachment.type}: ${oneLine(attachment.path ?? attachment.url ?? attachment.name)}`)
    if (attachment.type === INJECTED && options.tools) yield dim(indented(printable(attachment.text ?? '')))
  }
  if (message.text) yield printable(message.text).trimEnd()
  const answered = new Map(results.map((result) => [result.callId, result]))
  for (const call of calls) {
    yield toolCall(call, options, stream)
    const result = answered.get(call.id)
    if (result) yield* toolResult(result, options, stream)
    answered.delete(call.id)
  }
  for (const result of answered.values()) yield* toolResult(result, options, stream)
  for (const file of message.files ?? [])
    if (file.action !== 'read') yield dim(`  ${file.action} ${tilde(oneLine(file.path))}`)
  for (const { url, title } of message.citations ?? [])
    if (url) yield dim(`  [${oneLine(title ?? '')}](${oneLine(url)})`)
  if (message.outcome === 'failed' && !message.text) yield red('  (failed)')
}

function toolCall(call: ToolCall, { tools }: TranscriptOptions, stream: Stream): string {
  const { yellow, dim } = paint(stream)
  const name = call.server ? `${call.server}/${call.tool}` : call.tool
  const args =
    call.args === undefined
      ? ''
      : typeof call.args === 'string'
        ? call.args
        : JSON.stringify(call.args, null, tools ? 2 : 0)
  return `${yellow(`  → ${oneLine(name)}`)} ${dim(tools ? `\n${indented(printable(args))}` : fit(oneLine(args), 100))}`.trimEnd()
}

function* toolResult(result: ToolResult, { tools }: TranscriptOptions, stream: Stream): Generator<string> {
  const { dim, red } = paint(stream)
  const text =
    result.error ?? result.text ?? (result.json === undefined ? '' : JSON.stringify(result.json, null, 2))
  if (result.own) {
    yield dim(`  ← answered by Recollect: ${count(text.length, 'character')}, not searched`)
    if (tools) yield dim(indented(printable(text.trimEnd())))
    return
  }
  const colour = result.error !== undefined || (result.exitCode ?? 0) !== 0 ? red : dim
  const code = result.exitCode ? ` (exit ${result.exitCode})` : ''
  if (tools) yield colour(indented(printable(text.trimEnd()) + code))
  else {
    const lines = text.trim().split('\n')
    const rest = lines.length > 1 ? ` … ${lines.length - 1} more lines` : ''
    yield colour(`  ← ${fit(oneLine(lines[0] ?? ''), 100)}${rest}${code}`)
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
