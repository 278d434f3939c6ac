import type { ToolCall, ToolResult } from '../model/chat.ts'
import { fenceAfter, languageIn } from '../model/markdown.ts'
import type { LiveMessage } from './live.ts'

export const EVIDENCE_KINDS = ['citation', 'web', 'link', 'attachment', 'file', 'command', 'code'] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** One thing that a message shows or did. Those of one kind with the same `value` are the same thing. */
export interface Piece {
  kind: EvidenceKind
  /** A URL, a path, a command, or code. */
  value: string
  title?: string
  language?: string
  /** What was done to a file. */
  action?: string
  exitCode?: number
  failed?: boolean
}

const MOST_PER_RESULT = 50
const MOST_SCANNED = 200_000

/** What a message shows. `answers` are the results of the chat's tool calls by the id of the call. */
export function* evidenceIn(message: LiveMessage, answers: Map<string, ToolResult>): Generator<Piece> {
  for (const { url, path, title } of message.citations ?? []) {
    const value = url ?? path
    if (value) yield { kind: 'citation', value, ...(title && { title }) }
  }
  for (const { name, path, url, type } of message.attachments ?? []) {
    yield { kind: 'attachment', value: path ?? url ?? name, title: `${type}: ${name}` }
  }
  for (const { path, action } of message.files ?? []) yield { kind: 'file', value: path, action }
  for (const call of message.toolCalls ?? []) yield* inCall(call, answers.get(call.id))
  if (message.kind !== 'injected' && message.text) {
    const { prose, blocks } = parted(message.text)
    for (const value of urlsIn(prose)) yield { kind: 'link', value }
    for (const { language, code } of blocks)
      yield { kind: 'code', value: code, ...(language && { language }) }
  }
}

function* inCall(call: ToolCall, answer: ToolResult | undefined): Generator<Piece> {
  const command = commandOf(call)
  if (command) {
    const failed = answer?.error !== undefined || (answer?.exitCode ?? 0) !== 0
    yield {
      kind: 'command',
      value: command,
      ...(answer?.exitCode !== undefined && { exitCode: answer.exitCode }),
      ...(failed && { failed }),
    }
    return
  }
  if (!WEB_TOOL.test(call.tool) && !WEB_TOOL.test(call.server ?? '')) return
  const title = textArg(call.args, 'query') ?? textArg(call.args, 'prompt')
  for (const value of urlsIn(flat(call.args))) yield { kind: 'web', value }
  if (!answer || answer.error !== undefined) return
  let left = MOST_PER_RESULT
  for (const value of urlsIn(answer.text ?? flat(answer.json))) {
    if (left-- === 0) return
    yield { kind: 'web', value, ...(title && { title }) }
  }
}

const SHELL_TOOL =
  /(?:^|[_./-])(?:bash|zsh|sh|shell|local_shell|powershell|pwsh|cmd|terminal|exec|exec_command|execute_command|run_command|run_in_terminal|run_shell_command|run_terminal_cmd|run_terminal_command)$/i
const WEB_TOOL = /web|fetch|brows|https?|search_?online|tavily|firecrawl|(?:^|_)url/i

/** The command line that a tool call ran, whatever its assistant calls the tool. */
export function commandOf({ tool, args }: ToolCall): string | undefined {
  if (!SHELL_TOOL.test(tool)) return undefined
  if (typeof args === 'string') return args.trim() || undefined
  for (const name of ['command', 'cmd', 'script', 'commandLine', 'input']) {
    const given = textArg(args, name)
    if (given) return given.trim()
  }
  const list = (args as { command?: unknown } | undefined)?.command
  if (!Array.isArray(list)) return undefined
  // `["bash", "-lc", "npm test"]`: the last is what was meant.
  const words = list.filter((word) => typeof word === 'string')
  return /^(?:\S*\/)?(?:ba|z)?sh$/.test(words[0] ?? '') && words.length === 3 ? words[2] : words.join(' ')
}

function textArg(args: unknown, name: string): string | undefined {
  const value = args && typeof args === 'object' ? (args as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function flat(value: unknown): string {
  if (value === undefined) return ''
  // A slash may be written as `\/` in JSON; a quote always ends a URL.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\\n', ' ')
}

const URLS = /\bhttps?:\/\/[^\s<>"'`\\{}|^\u0000-\u001f]{3,2000}/g

/** URLs without the punctuation of the sentence around them. */
export function urlsIn(text: string): string[] {
  const found = new Set<string>()
  for (const [raw] of text.slice(0, MOST_SCANNED).matchAll(URLS)) {
    let url = raw.replace(/[.,;:!?*_]+$/, '')
    // A bracket that was opened before the URL does not belong to it.
    while (/[)\]]$/.test(url) && count(url, url.at(-1) === ')' ? '(' : '[') < count(url, url.at(-1)!))
      url = url.slice(0, -1).replace(/[.,;:!?*_]+$/, '')
    found.add(url)
  }
  return [...found]
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** The fenced code blocks of a text, and the text without them. */
export function parted(text: string): { prose: string; blocks: { language?: string; code: string }[] } {
  const blocks: { language?: string; code: string }[] = []
  const prose: string[] = []
  let fence: string | undefined
  let language: string | undefined
  let code: string[] = []
  const end = () => code.length > 0 && blocks.push({ language, code: code.join('\n') })
  for (const line of text.slice(0, MOST_SCANNED).split('\n')) {
    const before = fence
    fence = fenceAfter(line, before)
    if (fence === undefined) before === undefined ? prose.push(line) : end()
    else if (before === undefined) {
      language = languageIn(line)
      code = []
    } else code.push(line)
  }
  if (fence !== undefined) end()
  return { prose: prose.join('\n'), blocks }
}
