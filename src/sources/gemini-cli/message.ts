import crypto from 'node:crypto'
import path from 'node:path'
import type {
  Attachment,
  FileTouch,
  Message,
  MessageKind,
  ToolCall,
  ToolResult,
  Usage,
} from '../../model/chat.ts'
import { type Json, millis, number, object, objects, parsed, plain, string, words } from '../json.ts'

/** A record with what the person answered to questions of the assistant in it, as messages of their own. */
export function messagesOf(
  record: Json,
  order: number,
  subagent: boolean,
  workspace: string | undefined,
): Message[] {
  const message = messageOf(record, order, subagent, workspace)
  if (!message) return []
  const answers = message.toolCalls?.filter(({ tool }) => tool === 'ask_user') ?? []
  const said = answers.flatMap(({ id }) =>
    resultTexts(message.toolResults?.find((result) => result.callId === id)),
  )
  if (said.length === 0) return [message]
  const text = said.join('\n')
  const { id, createdAt } = message
  return [
    message,
    { id: `${id}:said`, order: order + 0.5, role: 'user', kind: 'request', via: 'answer', createdAt, text },
  ]
}

/** What was chosen or typed, one for each question. */
function resultTexts(result: ToolResult | undefined): string[] {
  if (!result || result.error !== undefined) return []
  const answers = object(object(parsed(result.text))?.answers)
  return Object.values(answers ?? {}).flatMap((answer) => words(answer) ?? [])
}

/** A record of the log or of a document as a message; nothing for those that only repeat tool results. */
function messageOf(
  record: Json,
  order: number,
  subagent: boolean,
  workspace: string | undefined,
): Message | undefined {
  const id = idOf(record.id)
  if (!id) return undefined
  const base = { id, order, createdAt: millis(record.timestamp) }
  switch (record.type) {
    case 'user':
      return promptOf(record, base, subagent)
    case 'gemini':
      return answerOf(record, base, workspace)
    case 'info':
    case 'warning':
    case 'error': {
      const { text } = contentOf(record.content)
      return text ? { ...base, role: 'system', kind: 'notice', text } : undefined
    }
    default:
      return undefined
  }
}

/** The CLI's ids are short; longer ones would fill the checkpoint. */
export function idOf(value: unknown): string | undefined {
  const id = words(value)
  return id && id.length > 64 ? crypto.createHash('sha1').update(id).digest('hex') : id
}

type Base = Pick<Message, 'id' | 'order' | 'createdAt'>

const REFERENCED = '--- Content from referenced files ---'

const SNAPSHOT = '<state_snapshot>'

/** How texts begin that stand under the user's name but were not typed. */
const NOT_TYPED: [opening: string, kind: MessageKind][] = [
  ['<session_context>', 'injected'],
  ['This is the Gemini CLI. We are setting up the context', 'injected'],
  ["Here is the user's editor context", 'injected'],
  ["Here is a summary of changes in the user's editor context", 'injected'],
  ['System: Please continue.', 'injected'],
  ['<hook_context>', 'injected'],
  ['I ran the following shell command:', 'command'],
]

/** What the CLI says to a sub-agent that must come to an end. */
const LAST_CALLS = [
  'You have stopped calling tools without finishing.',
  'You have exceeded the time limit.',
  'You have exceeded the maximum number of turns.',
  'Execution was interrupted. You have one final chance',
]

const ROLES: Partial<Record<MessageKind, Message['role']>> = { summary: 'assistant', command: 'user' }

function promptOf(record: Json, base: Base, subagent: boolean): Message | undefined {
  const sent = contentOf(record.content)
  // Tool results; the answer that called the tool has them too.
  if (sent.isReply) return undefined
  // What was typed, where the CLI expanded it before sending.
  const shown = contentOf(record.displayContent)
  const raw = (shown.text || sent.text).trim()
  const opening = raw.slice(0, 5000)
  const other =
    NOT_TYPED.find(([start]) => opening.startsWith(start) && isClosed(raw, start))?.[1] ??
    (opening.includes(SNAPSHOT) && isClosed(raw, SNAPSHOT) ? 'summary' : undefined) ??
    (subagent && LAST_CALLS.some((start) => opening.startsWith(start)) ? 'injected' : undefined)
  if (other) return { ...base, role: ROLES[other] ?? 'system', kind: other, text: raw }
  const media = sent.attachments.length > 0 ? sent.attachments : shown.attachments
  const attachments = [...media, ...referencedFiles(sent.text)]
  const text = withoutAdditions(raw)
  if (!text && attachments.length === 0) return undefined
  const [, command, args] = subagent ? [] : (/^\/([a-z][\w:-]{0,100})(?:\s+([\s\S]*))?$/i.exec(text) ?? [])
  if (command && !args) return { ...base, role: 'user', kind: 'command', text }
  return {
    ...base,
    role: 'user',
    kind: subagent ? 'delegated' : 'request',
    text: args ?? text,
    ...(command && { via: `/${command}` as const }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Whoever only names a tag does not close it. */
function isClosed(text: string, start: string): boolean {
  return !start.startsWith('<') || text.includes(`</${start.slice(1)}`)
}

/** The files' contents and what hooks had to add stand after the request. */
function withoutAdditions(text: string): string {
  const added = text.endsWith('</hook_context>') ? text.lastIndexOf('<hook_context>') : -1
  const typed = added < 0 ? text : text.slice(0, added)
  const files = typed.indexOf(REFERENCED)
  return (files < 0 ? typed : typed.slice(0, files)).trim()
}

function referencedFiles(text: string): Attachment[] {
  const at = text.indexOf(REFERENCED)
  if (at < 0) return []
  const names = [...text.slice(at).matchAll(/^Content from @(.{1,1000}):$/gm)].slice(0, 200)
  return names.map(([, file]) => ({ name: file!.split(/[\\/]/).at(-1)!, type: 'file', path: file }))
}

function answerOf(record: Json, base: Base, workspace: string | undefined): Message {
  const content = contentOf(record.content)
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  const files: FileTouch[] = []
  for (const call of objects(record.toolCalls)) {
    const made = callOf(call, toolCalls.length)
    toolCalls.push(made)
    const result = resultOf(call, made.id)
    if (result) toolResults.push(result)
    if (call.status !== 'error' && call.status !== 'cancelled') files.push(...filesOf(call, workspace))
  }
  const known = new Set(toolCalls.map((call) => call.id))
  for (const call of content.calls) {
    const made = callOf(call, toolCalls.length)
    if (!known.has(made.id)) toolCalls.push(made)
  }
  const thinking = thoughtsOf(record.thoughts) || content.thinking
  // What the CLI puts in the model's mouth after it compressed a chat.
  const isFiller = content.text === 'Got it. Thanks for the additional context!'
  return {
    ...base,
    role: 'assistant',
    kind: isFiller ? 'injected' : 'answer',
    text: content.text,
    ...(thinking && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolResults.length > 0 && { toolResults }),
    ...(content.attachments.length > 0 && { attachments: content.attachments }),
    ...(files.length > 0 && { files }),
    model: words(record.model),
    usage: usageOf(record.tokens),
  }
}

interface Content {
  text: string
  thinking: string
  calls: Json[]
  isReply: boolean
  attachments: Attachment[]
}

/** `content` is a text, or parts as they go to the model. */
function contentOf(value: unknown): Content {
  const content: Content = {
    text: string(value) ?? '',
    thinking: '',
    calls: [],
    isReply: false,
    attachments: [],
  }
  const parts = objects(Array.isArray(value) ? value : [value])
  const texts: string[] = []
  const thoughts: string[] = []
  for (const part of parts) {
    const text = string(part.text)
    if (text !== undefined) (part.thought === true ? thoughts : texts).push(text)
    const call = object(part.functionCall)
    if (call) content.calls.push(call)
    if (part.functionResponse !== undefined) content.isReply = true
    const file = object(part.inlineData) ?? object(part.fileData)
    if (file) content.attachments.push(attachmentOf(file))
  }
  if (texts.length > 0) content.text = texts.join('')
  content.thinking = thoughts.join('\n\n')
  return content
}

function attachmentOf(file: Json): Attachment {
  const mimeType = words(file.mimeType)?.slice(0, 200)
  const data = string(file.data)
  const cut = data && /\.\.\.\[(\d+) bytes of base64 left out\]/.exec(data.slice(0, 200))
  const length = cut ? cut.index + Number(cut[1]) : data?.length
  const url = words(file.fileUri)?.slice(0, 2000)
  return {
    name: words(file.displayName) ?? url?.split('/').at(-1) ?? 'attachment',
    type: mimeType?.split('/')[0] ?? 'file',
    mimeType,
    url,
    bytes: length === undefined ? undefined : Math.floor((length * 3) / 4),
    ...(data && !cut && { data }),
  }
}

function thoughtsOf(thoughts: unknown): string {
  return objects(thoughts)
    .map(({ subject, description }) =>
      [words(subject) && `**${subject}**`, words(description)].filter(Boolean).join('\n'),
    )
    .filter(Boolean)
    .join('\n\n')
}

function callOf(call: Json, at: number): ToolCall {
  const tool = words(call.name) ?? 'unknown'
  const server = /\((.{1,200}) MCP Server\)$/.exec(words(call.displayName)?.slice(-300) ?? '')?.[1]
  return { id: words(call.id) ?? `${tool}-${at}`, ...(server && { server }), tool, args: call.args }
}

function resultOf(call: Json, callId: string): ToolResult | undefined {
  const replies = objects(call.result).map((part) => object(object(part.functionResponse)?.response))
  const said = replies.map((reply) => reply && (reply.output ?? reply.error ?? reply))
  const text =
    said
      .filter((part) => part !== undefined)
      .map((part) => unwrapped(plain(part)))
      .join('\n') ||
    (words(call.result) ?? words(call.resultDisplay))
  if (text === undefined && call.status === undefined) return undefined
  const result: ToolResult = { callId, text: text ?? '' }
  if (call.status === 'error')
    result.error = plain(replies.find((reply) => reply?.error)?.error) || result.text
  if (call.status === 'cancelled') result.error = 'cancelled'
  const exitCode = /^Exit Code: (-?\d+)$/m.exec(result.text!.slice(-2000))?.[1]
  if (exitCode !== undefined) result.exitCode = Number(exitCode)
  return result
}

/** Newer versions wrap what comes from outside, as a warning to the model. */
function unwrapped(text: string): string {
  if (!text.startsWith('<untrusted_context>')) return text
  return text
    .slice('<untrusted_context>'.length)
    .replace(/<\/untrusted_context>\s*$/, '')
    .trim()
}

const READING = new Set(['read_file', 'read_many_files'])
const WRITING = new Set(['write_file', 'replace', 'edit'])

function filesOf(call: Json, workspace: string | undefined): FileTouch[] {
  const tool = string(call.name) ?? ''
  const args = object(call.args)
  if (!args || !(READING.has(tool) || WRITING.has(tool))) return []
  const named = words(args.file_path) ?? words(args.absolute_path) ?? words(args.path)
  if (!named) return []
  const shown = object(call.resultDisplay)
  const isNew = shown?.isNewFile === true || (shown !== undefined && shown.originalContent === null)
  const action = READING.has(tool) ? 'read' : isNew ? 'create' : 'edit'
  return [{ path: absolute(words(shown?.filePath) ?? named, workspace), action }]
}

/** In the manner of the machine that wrote it. */
function absolute(file: string, workspace: string | undefined): string {
  if (!workspace || path.posix.isAbsolute(file) || path.win32.isAbsolute(file)) return file
  return workspace.startsWith('/') ? path.posix.join(workspace, file) : path.win32.join(workspace, file)
}

/** Gemini counts thoughts beside the output, and what tools were fed beside the prompt. */
function usageOf(value: unknown): Usage | undefined {
  const tokens = object(value)
  if (!tokens) return undefined
  const sum = (a: number | undefined, b: number | undefined) =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
  return {
    input: sum(number(tokens.input), number(tokens.tool)),
    output: sum(number(tokens.output), number(tokens.thoughts)),
    cached: number(tokens.cached),
    reasoning: number(tokens.thoughts),
  }
}
