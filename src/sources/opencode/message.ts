import type { Attachment, Chat, FileTouch, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, list, millis, number, object, plain, string, words } from '../json.ts'

/** A session as both storages tell of it. */
export interface Session {
  id: string
  title?: unknown
  directory?: unknown
  parentId?: unknown
  createdAt?: unknown
  updatedAt?: unknown
  format: string
  /** Messages from this one on were taken back; they go away with the next prompt. */
  revertedFrom?: string
}

/** Which assistant of the family wrote it. */
export interface Member {
  id: string
  /** The command that opens a session again. */
  command: string
}

export function toChat(session: Session, { id: source, command }: Member): Chat {
  const title = words(session.title)
  const parentId = words(session.parentId)
  return {
    source,
    id: session.id,
    title: title && !/^(New|Child) session - \d{4}-/.test(title) ? title : undefined,
    workspace: words(session.directory),
    createdAt: millis(session.createdAt),
    updatedAt: millis(session.updatedAt),
    format: session.format,
    ...(parentId && { parentId, subagent: true }),
    ...(!parentId && /^[\w-]+$/.test(session.id) && { resume: `${command} -s ${session.id}` }),
  }
}

export interface Part {
  id: string
  content: Json
}

/** Nothing where a message says nothing to anybody: the mark that a compaction was asked for. */
export function toMessage(
  id: string,
  info: Json,
  parts: Part[],
  session: Session | undefined,
): Message | undefined {
  parts.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const time = object(info.time)
  const createdAt = millis(time?.created)
  const message: Message = {
    id,
    order: (createdAt ?? 0) * 1000 + (counterOf(id) % 1000),
    role: 'user',
    kind: 'request',
    createdAt,
    text: '',
    ...(session?.revertedFrom && id >= session.revertedFrom && { undone: true }),
  }
  const contents = parts.map((part) => part.content)
  return info.role === 'user'
    ? requestOf(message, contents, session)
    : info.role === 'assistant'
      ? answerOf(message, info, contents)
      : undefined
}

const FEEDBACK = 'with the following feedback: '

/** What the person said to the calls of an answer: answers to its questions, and why one was refused. */
export function saidTo(message: Message, parts: Part[]): Message[] {
  if (message.role !== 'assistant') return []
  return parts.flatMap(({ content }, at): Message[] => {
    const state = object(content.state)
    const said = content.type === 'tool' ? spokenIn(content, state) : undefined
    if (!said) return []
    return [
      {
        id: `${message.id}:${callId(content)}`,
        order: message.order + 0.1 + at / 10_000,
        role: 'user',
        kind: 'request',
        createdAt: millis(object(state?.time)?.end) ?? message.createdAt,
        ...said,
        ...(message.undone && { undone: true }),
      },
    ]
  })
}

function spokenIn(part: Json, state: Json | undefined): Pick<Message, 'via' | 'text'> | undefined {
  const failure = state?.status === 'error' ? (string(state.error) ?? '') : ''
  const at = failure.startsWith('The user rejected permission') ? failure.indexOf(FEEDBACK) : -1
  const feedback = at < 0 ? undefined : words(failure.slice(at + FEEDBACK.length))
  if (feedback) return { via: 'refusal', text: feedback.trim() }
  if (part.tool !== 'question' || state?.status !== 'completed') return undefined
  const answers = list(object(state.metadata)?.answers).map((answer) =>
    list(answer)
      .flatMap((each) => words(each) ?? [])
      .join(', '),
  )
  const text = answers.filter((answer) => answer !== '').join('\n')
  return text ? { via: 'answer', text } : undefined
}

function requestOf(message: Message, parts: Json[], session: Session | undefined): Message | undefined {
  const typed = textsOf(parts, 'text', (part) => part.synthetic !== true && part.ignored !== true)
  const added = textsOf(parts, 'text', (part) => part.synthetic === true && part.ignored !== true)
  const commands = parts.filter((part) => part.type === 'subtask').flatMap((part) => words(part.prompt) ?? [])
  const attachments = parts.filter((part) => part.type === 'file').map(toAttachment)
  if (attachments.length > 0) message.attachments = attachments
  if (typed.length > 0 || attachments.length > 0) {
    message.text = typed.join('\n\n')
    message.kind = words(session?.parentId) ? 'delegated' : 'request'
  } else if (commands.length > 0) {
    message.text = commands.join('\n\n')
    message.kind = 'command'
  } else if (added.length > 0) {
    message.text = added.join('\n\n')
    message.kind = 'injected'
  } else return undefined
  return message
}

function answerOf(message: Message, info: Json, parts: Json[]): Message {
  const time = object(info.time)
  const [created, completed] = [number(time?.created), number(time?.completed)]
  const thinking = textsOf(parts, 'reasoning')
  const tools = parts.filter((part) => part.type === 'tool')
  const files = [...tools.flatMap(touchedBy), ...parts.filter((p) => p.type === 'patch').flatMap(patchedBy)]
  const failure = object(info.error)
  Object.assign(message, {
    role: 'assistant',
    kind: info.summary === true || info.mode === 'compaction' ? 'summary' : 'answer',
    text: textsOf(parts, 'text', (part) => part.ignored !== true).join('\n\n'),
    model: words(info.modelID),
    usage: usageOf(info) ?? stepsUsage(parts),
    ...(thinking.length > 0 && { thinking: thinking.join('\n\n') }),
    ...(tools.length > 0 && { toolCalls: tools.map(toCall), toolResults: tools.flatMap(toResult) }),
    ...(files.length > 0 && { files: unique(files) }),
    ...(created && completed && completed >= created && { latencyMs: completed - created }),
  } satisfies Partial<Message>)
  if (failure) {
    message.outcome = failure.name === 'MessageAbortedError' ? 'cancelled' : 'failed'
    if (message.text === '' && tools.length === 0) {
      message.kind = 'notice'
      message.text = words(object(failure.data)?.message) ?? words(failure.name) ?? ''
    }
  }
  return message
}

/** An id is a prefix, milliseconds and a counter in 12 hex digits, and chance; the counter orders a millisecond. */
function counterOf(id: string): number {
  const hex = /^[a-z]+_[0-9a-f]{9}([0-9a-f]{3})/.exec(id)
  return hex ? Number.parseInt(hex[1]!, 16) : 0
}

function textsOf(parts: Json[], type: string, wanted: (part: Json) => boolean = () => true): string[] {
  return parts.filter((part) => part.type === type && wanted(part)).flatMap((part) => words(part.text) ?? [])
}

function callId(part: Json): string {
  return words(part.callID) ?? words(part.id) ?? ''
}

function toCall(part: Json): ToolCall {
  return { id: callId(part), tool: words(part.tool) ?? 'unknown', args: object(part.state)?.input }
}

function toResult(part: Json): ToolResult[] {
  const state = object(part.state)
  if (state?.status !== 'completed' && state?.status !== 'error') return []
  const time = object(state.time)
  const [start, end] = [number(time?.start), number(time?.end)]
  const output = state.output === undefined ? undefined : plain(state.output)
  const failed = state.status === 'error' || part.tool === 'invalid'
  return [
    {
      callId: callId(part),
      ...(failed ? { error: words(state.error) ?? output ?? 'failed' } : { text: output }),
      exitCode: number(object(state.metadata)?.exit),
      ...(part.tool === 'task' && { chat: words(object(state.metadata)?.sessionId) }),
      ...(start && end && end >= start && { durationMs: end - start }),
    },
  ]
}

const ACTIONS: Record<string, FileTouch['action'] | undefined> = Object.assign(Object.create(null), {
  read: 'read',
  write: 'create',
  edit: 'edit',
  multiedit: 'edit',
})

function touchedBy(part: Json): FileTouch[] {
  const state = object(part.state)
  const action = ACTIONS[string(part.tool) ?? '']
  const file = words(object(state?.input)?.filePath)
  if (!action || !file || state?.status !== 'completed') return []
  return [
    { path: file, action: action === 'create' && object(state.metadata)?.exists === true ? 'edit' : action },
  ]
}

function patchedBy(part: Json): FileTouch[] {
  return list(part.files).flatMap((file) => (words(file) ? [{ path: file as string, action: 'edit' }] : []))
}

/** A patch repeats what the writing tool of the same step has told. */
function unique(files: FileTouch[]): FileTouch[] {
  const byKey = new Map<string, FileTouch>()
  for (const file of files) {
    const key = file.action === 'read' ? `read ${file.path}` : file.path
    if (!byKey.has(key)) byKey.set(key, file)
  }
  return [...byKey.values()]
}

function toAttachment(part: Json): Attachment {
  const url = string(part.url) ?? ''
  const source = object(part.source)
  const mimeType = words(part.mime)
  return {
    name: words(part.filename) ?? words(source?.path) ?? 'file',
    type: mimeType?.startsWith('image/') ? 'image' : 'file',
    path: words(source?.path),
    ...(url && !url.startsWith('data:') && { url }),
    mimeType,
    bytes: embeddedBytes(url),
    ...embeddedData(url),
  }
}

/** What a data URL holds, where nothing of it was left out while reading. */
function embeddedData(url: string): { data?: string } {
  const start = url.startsWith('data:') ? url.slice(0, 200).indexOf(';base64,') : -1
  if (start < 0 || url.slice(-60).includes(' bytes of base64 left out')) return {}
  return { data: url.slice(start + ';base64,'.length) }
}

/** The size of what a data URL holds, also when most of it has been left out while reading. */
function embeddedBytes(url: string): number | undefined {
  const start = url.startsWith('data:') ? url.slice(0, 200).indexOf(';base64,') : -1
  if (start < 0) return undefined
  const cut = /\.\.\.\[(\d+) bytes of base64 left out\]$/.exec(url.slice(-60))
  const length = url.length - start - ';base64,'.length + (cut ? Number(cut[1]) - cut[0].length : 0)
  return Math.floor((length * 3) / 4)
}

/** Where only the steps of an answer tell what they cost. */
function stepsUsage(parts: Json[]): Usage | undefined {
  const sum: Usage = {}
  for (const step of parts.filter((part) => part.type === 'step-finish').map(usageOf)) {
    for (const [field, count] of Object.entries(step ?? {}) as [keyof Usage, number | undefined][])
      if (count !== undefined) sum[field] = (sum[field] ?? 0) + count
  }
  return Object.keys(sum).length > 0 ? sum : undefined
}

/** `input` leaves out what came from a cache; `output` counts reasoning in old versions, and not in new ones. */
function usageOf(info: Json): Usage | undefined {
  const tokens = object(info.tokens)
  if (!tokens) return undefined
  const cache = object(tokens.cache)
  const cached = number(cache?.read) ?? 0
  const cacheWrite = number(cache?.write) ?? 0
  const input = (number(tokens.input) ?? 0) + cached + cacheWrite
  const total = number(tokens.total)
  const output = total === undefined ? (number(tokens.output) ?? 0) : Math.max(0, total - input)
  if (input + output === 0) return undefined
  return { input, output, cached, cacheWrite, reasoning: number(tokens.reasoning), cost: number(info.cost) }
}
