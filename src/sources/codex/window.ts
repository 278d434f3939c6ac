import type { FileTouch, Message, ToolCall, ToolResult, Usage } from '../../model/chat.ts'
import { type Json, list, object, objects, parsed, string, words } from '../json.ts'
import {
  base64Bytes,
  callOf,
  commandTextOf,
  contentOf,
  resultOf,
  sumOf,
  wholeData,
  withoutAgentHead,
} from './items.ts'
import { filesOfPatch } from './patch.ts'
import { isImageTag, type Prompt, promptOf } from './prompt.ts'
import type { Thread } from './thread.ts'

export interface Line {
  type: string
  payload: Json
  at?: number
  stamp?: string
  ordinal?: number
  offset: number
  order: number
}

/**
 * The part of a rollout that later lines may still add to: a prompt waiting for its confirmation,
 * or one answer of the model with its tools' results, waiting for exit codes, tokens and duration.
 * A reading that goes on later begins where the last window did, so nothing of it is remembered.
 */
export interface Window {
  offset: number
  /** The thread as it was when the window opened. */
  start: Thread
  drafts: Draft[]
  /** The answer that further items of the same response belong to. */
  answer?: Message
  /** The answer that tokens and durations belong to. */
  lastAnswer?: Message
  /** Whether the model or a tool had a word in it. */
  answered: boolean
  /** The turn has ended. */
  over: boolean
  /** By call: what events tell about it. */
  touched: Map<string, FileTouch[]>
  runs: Map<string, Partial<ToolResult>>
}

export interface Draft {
  message: Message
  /** A prompt as it was sent. */
  raw?: string
  /** Told apart by its wording only, and not confirmed so far. */
  unsure?: boolean
  /** Known from an event, before the item that it repeats. */
  announced?: boolean
}

export function openWindow(thread: Thread, offset: number): Window {
  return {
    offset,
    start: { ...thread },
    drafts: [],
    answered: false,
    over: false,
    touched: new Map(),
    runs: new Map(),
  }
}

/** The messages of a window as they are known by now. */
export function settled({ drafts, touched, lastAnswer, runs }: Window, thread: Thread): Message[] {
  const files = uniqueFiles([...touched.values()].flat())
  if (lastAnswer && files.length > 0) lastAnswer.files = files
  return drafts
    .filter(({ message }) => hasContent(message))
    .map(({ message, unsure }) => {
      for (const result of message.toolResults ?? []) Object.assign(result, runs.get(result.callId))
      return unsure && thread.confirmsPrompts ? { ...message, role: 'system', kind: 'injected' } : message
    })
}

/** An answer of nothing but encrypted reasoning is kept only for its tokens. */
function hasContent({ kind, text, thinking, toolCalls, attachments, usage }: Message): boolean {
  return kind !== 'answer' || Boolean(text || thinking || toolCalls || attachments || usage)
}

export function takeItem(line: Line, window: Window, thread: Thread): void {
  const { payload } = line
  const type = string(payload.type) ?? 'message'
  if (type === 'message') {
    if (payload.role === 'assistant') takeAnswer(line, window, thread)
    else if (payload.role === 'user') takePrompt(line, window, thread)
    else if (payload.role === 'developer' || payload.role === 'system') {
      const text = contentOf(payload.content).texts.join('\n\n')
      if (text) window.drafts.push({ message: messageOf(line, 'system', 'injected', text) })
    }
  } else if (type === 'agent_message') takeAgentMessage(line, window, thread)
  else if (type === 'reasoning') takeReasoning(line, window, thread)
  else if (type.endsWith('_output')) takeOutput(line, window, thread)
  else {
    const call = callOf(payload, idOf(line))
    if (call) takeCall(line, call, window, thread)
  }
}

/** The text of a line that may be the person's, whichever of the formats says so. */
export function promptTextOf({ type, payload }: Line): string | undefined {
  if (type === 'response_item') {
    if (payload.role !== 'user' || (payload.type !== 'message' && payload.type !== undefined))
      return undefined
    const { raw, prompt } = promptIn(payload)
    return prompt.kind === 'request' ? raw : undefined
  }
  if (type !== 'event_msg') return undefined
  if (payload.type === 'user_message') return isPlain(payload) ? string(payload.message) : undefined
  const item = payload.type === 'item_completed' ? object(payload.item) : undefined
  return item?.type === 'UserMessage' ? textsOf(item.content) : undefined
}

/** For a while in 2025 events also announced the context, saying so. */
function isPlain({ kind }: Json): boolean {
  return kind === undefined || kind === null || kind === 'plain'
}

export function draftOf(window: Window, text: string): Draft | undefined {
  const wanted = text.trim()
  return window.drafts.findLast(({ raw, message }) => {
    if (raw === undefined || (message.kind !== 'request' && message.kind !== 'delegated')) return false
    return wanted === '' ? (message.attachments?.length ?? 0) > 0 : raw.includes(wanted)
  })
}

export function takeSummary(line: Line, window: Window, thread: Thread): void {
  const text = words(line.payload.message)
  if (!text) return
  const message = messageOf(line, 'assistant', 'summary', text)
  message.usage = thread.spareUsage
  thread.spareUsage = undefined
  window.drafts.push({ message })
}

/** What agents say to each other: a sub-agent's orders, or what it reports back. */
export function takeAgentMessage(line: Line, window: Window, thread: Thread): void {
  const raw = textsOf(line.payload.content)
  // Some versions write the same message in two kinds of lines.
  if (!raw.trim() || window.drafts.some((draft) => draft.raw === raw)) return
  const text = withoutAgentHead(raw, line.payload.content)
  window.drafts.push({ message: agentMessage(line, text, thread), raw })
}

function agentMessage(line: Line, text: string, thread: Thread): Message {
  if (!thread.subagent) return messageOf(line, 'tool', 'tool', text)
  const author = string(line.payload.author)
  const recipient = string(line.payload.recipient)
  const isOwn = author !== undefined && (author === thread.agentPath || author.startsWith(`${recipient}/`))
  return isOwn
    ? { ...messageOf(line, 'assistant', 'answer', text), model: thread.model }
    : messageOf(line, 'user', 'delegated', text)
}

/** What was typed into a turn in which the model has spoken was typed while it worked. */
export function promptMessage(line: Line, kind: Message['kind'], text: string, thread: Thread): Message {
  const message = messageOf(line, kind === 'injected' || kind === 'notice' ? 'system' : 'user', kind, text)
  return kind === 'request' && thread.inTurn && thread.spoke ? { ...message, via: 'queued' } : message
}

const MOST_CALLS = 64

export function isKnownCall({ calls }: Thread, id: string): boolean {
  return calls?.includes(id) === true
}

/** Never in place: the window keeps the thread as it was. */
export function noteCall(thread: Thread, id: string): void {
  if (id.length <= 200) thread.calls = [...(thread.calls ?? []), id].slice(-MOST_CALLS)
}

export function takeUsage(window: Window, thread: Thread, usage: Usage | undefined): void {
  if (!usage) return
  const total = sumOf(thread.spareUsage, usage)
  const answer = window.lastAnswer
  window.answer = undefined
  if (answer && !answer.usage) {
    answer.usage = total
    thread.spareUsage = undefined
  } else thread.spareUsage = total
}

export function messageOf(line: Line, role: Message['role'], kind: Message['kind'], text: string): Message {
  return { id: idOf(line), order: line.order, role, kind, createdAt: line.at, text }
}

function idOf({ payload, stamp, offset }: Line): string {
  return words(payload.id)?.slice(0, 200) ?? `${stamp ?? ''}@${offset}`
}

function textsOf(content: unknown): string {
  return contentOf(content)
    .texts.filter((text) => !isImageTag(text))
    .join('\n\n')
}

function takePrompt(line: Line, window: Window, thread: Thread): void {
  const { raw, prompt, sure } = promptIn(line.payload)
  if (prompt.text.trim() === '' && prompt.attachments.length === 0) return
  const announced = window.drafts.find((draft) => draft.announced && draft.raw?.trim() === raw.trim())
  if (announced) {
    announced.announced = false
    return
  }
  const kind = prompt.kind === 'request' && thread.subagent ? 'delegated' : prompt.kind
  const message = promptMessage(line, kind, prompt.text, thread)
  if (prompt.attachments.length > 0) message.attachments = prompt.attachments
  if (!thread.workspace) noteFolder(raw, thread)
  if (kind === 'notice' && window.lastAnswer) window.lastAnswer.outcome = 'cancelled'
  window.drafts.push({ message, raw, unsure: !sure && prompt.kind === 'request' })
}

/** Newer versions mark what each part is; before, only its wording tells. */
function promptIn(payload: Json): { raw: string; prompt: Prompt; sure: boolean } {
  const parts = list(payload.content)
  const kinds = list(object(payload.internal_chat_message_metadata_passthrough)?.content_item_kinds)
  const sure = kinds.length > 0 && kinds.length === parts.length
  const texts: string[] = []
  const typed: Prompt[] = []
  const added: Prompt[] = []
  for (const [at, part] of (typeof payload.content === 'string' ? [payload.content] : parts).entries()) {
    const text = contentOf(typeof part === 'string' ? part : [part]).texts[0]
    if (text === undefined || isImageTag(text)) continue
    texts.push(text)
    const found = promptOf(text)
    const isUsers = sure ? string(kinds[at])?.startsWith('user.') === true : found.kind === 'request'
    if (isUsers) typed.push(found.kind === 'request' ? found : { ...found, kind: 'request', text })
    else added.push(found.kind === 'request' ? { ...found, kind: 'injected' } : found)
  }
  const images = contentOf(payload.content).attachments
  const said = typed.length > 0 || (images.length > 0 && added.length === 0) ? typed : added
  const prompt: Prompt = {
    kind: said === typed ? 'request' : (added[0]?.kind ?? 'injected'),
    text: said.map(({ text }) => text).join('\n\n'),
    attachments: [...said.flatMap(({ attachments }) => attachments), ...images],
  }
  return { raw: texts.join('\n\n'), prompt, sure: sure || prompt.kind !== 'request' }
}

/** Rollouts of mid-2025 name their folder only here. */
function noteFolder(raw: string, thread: Thread): void {
  if (!raw.trimStart().startsWith('<environment_context>')) return
  const named = /<cwd>([^<\n]{1,2000})<\/cwd>|^Current working directory: (.{1,2000})$/m.exec(
    raw.slice(0, 8000),
  )
  const folder = named?.[1] ?? named?.[2]
  if (folder) {
    thread.workspace = folder
    thread.cwd ??= folder
  }
}

export function openAnswer(line: Line, window: Window, thread: Thread): Message {
  thread.spoke = true
  if (!window.answer) {
    window.answer = { ...messageOf(line, 'assistant', 'answer', ''), model: thread.model }
    window.lastAnswer = window.answer
    window.answered = true
    window.drafts.push({ message: window.answer })
  }
  return window.answer
}

function takeAnswer(line: Line, window: Window, thread: Thread): void {
  const { texts, attachments, citations } = contentOf(line.payload.content)
  const text = texts.join('\n\n')
  const order = text.startsWith('{"author"') ? object(parsed(text)) : undefined
  if (order && typeof order.content === 'string') {
    takeAgentMessage({ ...line, payload: { ...line.payload, content: order.content } }, window, thread)
    return
  }
  if (text === '' && attachments.length === 0) return
  const answer = openAnswer(line, window, thread)
  answer.text = answer.text ? `${answer.text}\n\n${text}` : text
  if (attachments.length > 0) answer.attachments = (answer.attachments ?? []).concat(attachments)
  if (citations.length > 0) answer.citations = (answer.citations ?? []).concat(citations)
}

function takeReasoning(line: Line, window: Window, thread: Thread): void {
  const { summary, content } = line.payload
  const text = [...objects(summary), ...objects(content)]
    .map((part) => words(part.text))
    .filter((part) => part !== undefined)
    .join('\n\n')
  const answer = openAnswer(line, window, thread)
  if (text) answer.thinking = answer.thinking ? `${answer.thinking}\n\n${text}` : text
}

function takeCall(line: Line, call: ToolCall, window: Window, thread: Thread): void {
  const answer = openAnswer(line, window, thread)
  answer.toolCalls ??= []
  answer.toolCalls.push(call)
  noteCall(thread, call.id)
  if (call.tool === QUESTION && call.id.length <= 200) {
    thread.asked = [...(thread.asked ?? []), call.id].slice(-MOST_CALLS)
    thread.status = 'waiting'
  }
  const files = filesOfPatch(commandTextOf(call), thread.cwd ?? thread.workspace)
  if (files.length > 0) window.touched.set(call.id, files)
  const image = string(line.payload.result)
  if (line.payload.type === 'image_generation_call' && image) {
    const attachment = {
      name: 'image',
      type: 'image',
      mimeType: 'image/png',
      bytes: base64Bytes(image),
      ...wholeData(image),
    }
    answer.attachments ??= []
    answer.attachments.push(attachment)
  }
}

function takeOutput(line: Line, window: Window, thread: Thread): void {
  const { payload } = line
  const callId = words(payload.call_id) ?? idOf(line)
  const { result, attachments } = resultOf(callId, payload.output ?? payload.tools)
  const message: Message = { ...messageOf(line, 'tool', 'tool', ''), toolResults: [result] }
  if (attachments.length > 0) message.attachments = attachments
  window.drafts.push({ message })
  if (thread.asked?.includes(callId)) takeAnswered(line, callId, result.text ?? '', window, thread)
  window.answered = true
  window.answer = undefined
}

const QUESTION = 'request_user_input'

/** What the person chose or typed, a line for each question. */
function takeAnswered(line: Line, callId: string, text: string, window: Window, thread: Thread): void {
  thread.asked = thread.asked?.filter((id) => id !== callId)
  if (thread.status === 'waiting') thread.status = 'running'
  const answers = Object.values(object(object(parsed(text))?.answers) ?? {}).map((answer) =>
    list(object(answer)?.answers ?? answer)
      .flatMap((each) => words(each)?.replace(/^user_note: /, '') ?? [])
      .join(', '),
  )
  const said = answers.filter((answer) => answer !== '').join('\n')
  if (!said) return
  const message = messageOf(line, 'user', 'request', said)
  const id = `${message.id}:said`
  window.drafts.push({ message: { ...message, id, order: message.order + 0.25, via: 'answer' } })
}

function uniqueFiles(files: FileTouch[]): FileTouch[] {
  return [...new Map(files.map((file) => [`${file.action} ${file.path}`, file])).values()]
}
