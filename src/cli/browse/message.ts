import type { ToolCall, ToolResult } from '../../model/chat.ts'
import { SPEAKERS, written } from '../../recall/export/format.ts'
import type { ReadMessage } from '../../recall/reader.ts'
import { count, dateTime, tilde } from '../format.ts'
import { markdown, type Paragraph } from './markdown.ts'
import { plain, plainLine } from './plain.ts'
import { cut, type Line, marked, type Range, span, type Tone, textOf, wrapped } from './spans.ts'

/** How messages are laid out; `name` tells one way from another. */
export interface Look {
  columns: number
  /** With all that tools were asked and answered, and what was added to prompts. */
  tools: boolean
  /** Where the words that were searched for stand. */
  words?: { text: string; in(text: string): Range[] }
  /** What find looks for. */
  find?: string
  /** Whose chat it is, where it is not of this machine. */
  author?: string
}

/** One line on the screen. */
export interface Row {
  line: Line
  /** Holds words that were searched for. */
  hit?: true
  /** Holds what find looks for. */
  found?: true
}

/** What is beyond is left to an export. */
const LONGEST = 100_000
const MOST_TOOL_LINES = 300

/** A message as rows of the screen. Laid out once for each look. */
export function rowsOf(message: ReadMessage, look: Look): Row[] {
  const name = `${look.columns} ${look.tools} ${look.words?.text ?? ''}\n${look.find ?? ''}`
  const known = layouts.get(message)
  if (known?.name === name) return known.rows
  const all = [...paragraphs(message, look)]
  const hits = hitsIn(
    all.map(({ line }) => textOf(line)),
    look,
  )
  const rows = all.flatMap((paragraph, at) => laidOut(paragraph, look, hits[at] ?? []))
  layouts.set(message, { name, rows })
  return rows
}

const layouts = new WeakMap<ReadMessage, { name: string; rows: Row[] }>()

/** A glance at the source of what is shown, which is faster than to lay it out. */
export function mayHold(message: ReadMessage, needle: string): boolean {
  const { text, toolCalls = [], toolResults = [], attachments = [], files = [], citations = [] } = message
  const source = [
    // What is bold on the screen stands between stars here.
    text.replaceAll('**', ''),
    ...toolCalls.map(({ server, tool, args }) => `${server}/${tool} ${written(args)}`),
    ...toolResults.map(answerOf),
    ...[...attachments, ...files, ...citations].map((each) => Object.values(each).join(' ')),
  ]
  return placesOf(needle).test(plain(source.join('\n')))
}

/** Where a text holds another, whatever the case. */
function placesOf(needle: string): RegExp {
  return new RegExp(needle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu')
}

/** Where the words that were searched for are in each text: asked for all of them at once, which a pattern takes its time to begin with. */
function hitsIn(texts: string[], { words }: Look): Range[][] {
  if (!words) return []
  const hits = words.in(texts.join('\n'))
  let from = 0
  return texts.map((text) => {
    const [start, end] = [from, from + text.length]
    from = end + 1
    return hits
      .filter((hit) => hit[0] < end && hit[1] > start)
      .map((hit): Range => [Math.max(hit[0], start) - start, Math.min(hit[1], end) - start])
  })
}

function laidOut({ line, first = '', rest = first }: Paragraph, look: Look, hits: Range[]): Row[] {
  const text = textOf(line)
  const found = look.find
    ? [...text.matchAll(placesOf(look.find))].map(
        ({ index, 0: { length } }): Range => [index, index + length],
      )
    : []
  const shown = marked(marked(line, hits, 'hit'), found, 'found')
  return wrapped(shown, Math.max(8, look.columns - Math.max(first.length, rest.length))).map((part, i) => {
    const lead = i === 0 ? first : rest
    return {
      line: lead ? [span(lead, 'faint'), ...part] : part,
      ...(part.some(({ tone }) => tone === 'hit') && { hit: true }),
      ...(part.some(({ tone }) => tone === 'found') && { found: true }),
    }
  })
}

function* paragraphs(message: ReadMessage, look: Look): Generator<Paragraph> {
  const results = message.toolResults ?? []
  if (message.kind === 'tool' && message.text === '') {
    for (const result of results) yield* toolResult(result, look)
    return
  }
  // Context that no person wrote is shown only where all is asked for.
  if (message.kind === 'injected' && !look.tools) return
  if (message.index > 0) yield { line: [] }
  yield { line: cut(heading(message, look), look.columns) }
  for (const { type, path, url, name } of message.attachments ?? [])
    yield faint(`+ ${plainLine(type)}: ${plainLine(path ?? url ?? name)}`)
  if (message.text) yield* markdown(plain(message.text.slice(0, LONGEST)).trim(), toneOf(message))
  const left = message.text.length - LONGEST
  if (left > 0) yield faint(`… ${count(left, 'more character')}: an export has them all`)
  const answered = new Map(results.map((result) => [result.callId, result]))
  for (const call of message.toolCalls ?? []) {
    yield* toolCall(call, look)
    const result = answered.get(call.id)
    if (result) yield* toolResult(result, look)
    answered.delete(call.id)
  }
  for (const result of answered.values()) yield* toolResult(result, look)
  for (const { action, path } of message.files ?? [])
    if (action !== 'read') yield faint(`${action} ${tilde(plainLine(path))}`)
  for (const { url, title } of message.citations ?? [])
    if (url) yield faint(`[${plainLine(title ?? '')}](${plainLine(url)})`)
}

function heading(message: ReadMessage, { author }: Look): Line {
  const speaker = message.kind === 'request' ? 'you' : message.role === 'assistant' ? 'assistant' : 'strong'
  const facts = [`#${message.index}`, dateTime(message.createdAt), plainLine(message.model ?? '')]
  const remarks = [
    message.undone && 'undone',
    message.outcome,
    message.copy && 'from the original chat',
  ].filter(Boolean)
  return [
    span(message.kind === 'request' && author ? plainLine(author) : SPEAKERS[message.kind], speaker),
    span(`  ${facts.filter(Boolean).join(' · ')}`, 'faint'),
    ...(remarks.length > 0 ? [span(`  ${remarks.join(', ')}`, 'tool')] : []),
  ]
}

function toneOf({ kind, undone }: ReadMessage): Tone {
  return undone || kind === 'injected' || kind === 'notice' ? 'faint' : 'text'
}

function* toolCall({ server, tool, args }: ToolCall, { tools, columns }: Look): Generator<Paragraph> {
  const name = span(`→ ${plainLine(server ? `${server}/${tool}` : tool)}`, 'tool')
  const text = written(args)
  if (!tools) {
    yield { line: cut([name, span(` ${plainLine(text.slice(0, 1_000))}`, 'faint')], columns) }
    return
  }
  yield { line: [name] }
  yield* quoted(text, 'faint')
}

function* toolResult(result: ToolResult, { tools, columns }: Look): Generator<Paragraph> {
  const text = answerOf(result).trimEnd()
  const failed = result.error !== undefined || (result.exitCode ?? 0) !== 0
  const tone: Tone = failed ? 'bad' : 'faint'
  const code = result.exitCode ? ` (exit ${result.exitCode})` : ''
  if (result.own && !tools) {
    yield faint(`← answered by Recollect: ${count(text.length, 'character')}, not searched`)
  } else if (tools) {
    yield { line: [span(`←${code}`, tone)] }
    yield* quoted(text, tone)
  } else {
    const more = text.trim().split('\n').length - 1
    const rest = `${more > 0 ? ` … ${count(more, 'more line')}` : ''}${code}`
    const first = plainLine(text.trim().slice(0, 1_000).split('\n', 1)[0] ?? '')
    yield { line: [...cut([span(`← ${first}`, tone)], columns - rest.length), span(rest, tone)] }
  }
}

function answerOf({ error, text, json }: ToolResult): string {
  return error ?? text ?? written(json)
}

function* quoted(text: string, tone: Tone): Generator<Paragraph> {
  if (text === '') return
  const lines = plain(text.slice(0, LONGEST)).split('\n')
  for (const line of lines.slice(0, MOST_TOOL_LINES))
    yield { line: [span(line, tone)], first: '  ', rest: '  ' }
  const left = lines.length - MOST_TOOL_LINES
  if (left > 0) yield faint(`  … ${count(left, 'more line')}: an export has them all`)
}

function faint(text: string): Paragraph {
  return { line: [span(text, 'faint')] }
}
