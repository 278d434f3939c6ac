import type { ChatStatus, Citation, FileTouch, Message, Usage } from '../../model/chat.ts'
import { type Json, millis, number, object, objects, string, words } from '../json.ts'
import { answersIn } from './answers.ts'
import { attachmentsOf } from './attachments.ts'
import { readResponse } from './response.ts'
import { toolUse } from './tools.ts'
import { placeOf } from './uri.ts'

/** The messages of one request of a session: what was asked, what came back, and what was noted on the way. */
export function turnMessages(request: Json, index: number): Message[] {
  const id = words(request.requestId) ?? `request/${index}`
  const answerId = words(request.responseId) ?? `${id}/response`
  const asked = requestMessage(request, id, index)
  const answer = answerMessage(request, answerId, index)
  return [
    asked,
    ...summaries(request, answerId, index),
    answer,
    ...personsAnswers(request, answerId, index),
    failure(request, answerId, index),
  ].filter((message) => message !== undefined)
}

/** Where the turn stands; nothing when the session does not say. */
export function turnStatus(request: Json): ChatStatus | undefined {
  const state = STATES[number(object(request.modelState)?.value) ?? -1]
  if (state) return state
  if (request.isCanceled === true) return 'cancelled'
  if (errorOf(request)) return 'failed'
  return object(request.result) ? 'done' : undefined
}

/** VS Code does not touch a request again once it is complete, cancelled or failed. */
export function isSealed(request: Json): boolean {
  const value = object(request.modelState)?.value
  return value === 1 || value === 2 || value === 3
}

/** The states of a response, as VS Code numbers them. */
export const STATES: (ChatStatus | undefined)[] = ['running', 'done', 'cancelled', 'failed', 'waiting']

/** When the turn began and when it last moved. */
export function turnTimes(request: Json): { began?: number; ended?: number } {
  const began = millis(request.timestamp)
  const elapsed = latencyOf(request)
  const ended =
    millis(object(request.modelState)?.completedAt) ?? (began && elapsed ? began + elapsed : began)
  return { began, ended }
}

/** What is ours to read of a request, so that an open one can be remembered between readings. */
export function slim(request: Json): Json {
  const kept = pick(request, REQUEST_FIELDS)
  const message = object(request.message)
  if (message) kept.message = { text: message.text }
  const command = commandOf(request)
  if (command) kept.slashCommand = { name: command }
  if (Array.isArray(request.response)) kept.response = request.response.map(slimPart)
  const result = object(request.result)
  if (result) {
    kept.result = pick(result, ['errorDetails', 'timings'])
    const metadata = object(result.metadata)
    if (metadata) object(kept.result)!.metadata = pick(metadata, METADATA_FIELDS)
  }
  return kept
}

const REQUEST_FIELDS = [
  'requestId responseId message timestamp responseTimestamp modelId confirmation isHidden',
  'shouldBeRemovedOnSend isSystemInitiated hiddenFromTranscript variableData response result',
  'responseErrorDetails isCanceled modelState contentReferences codeCitations promptTokens',
  'completionTokens modelTotals elapsedMs $queued',
].flatMap((names) => names.split(' '))

const METADATA_FIELDS =
  'toolCallRounds toolCallResults summaries summary resolvedModel cacheKey promptTokens outputTokens'.split(
    ' ',
  )

function slimPart(part: unknown): unknown {
  const fields = object(part)
  if (fields?.kind === 'textEditGroup' || fields?.kind === 'notebookEditGroup') {
    return pick(fields, ['kind', 'uri'])
  }
  return part
}

function pick(from: Json, names: string[]): Json {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]),
  )
}

function requestMessage(request: Json, id: string, index: number): Message | undefined {
  const text = string(request.message) ?? string(object(request.message)?.text)
  const attachments = attachmentsOf(request.variableData)
  if (text === undefined && attachments.length === 0) return undefined
  return {
    id,
    order: index * 2,
    role: 'user',
    ...askedAs(request, text ?? ''),
    createdAt: turnTimes(request).began,
    attachments: some(attachments),
    undone: isUndone(request),
  }
}

/**
 * What the person wrote. The words behind a slash command are the request and the command the way it
 * took; a command alone, with or without the participant it is for, is only a command.
 */
function askedAs(request: Json, text: string): Pick<Message, 'kind' | 'via' | 'text'> {
  if (!isTyped(request)) return { kind: 'injected', text }
  const via = request.$queued === true ? 'queued' : undefined
  const command = commandOf(request)
  const at = command ? ` ${text} `.search(new RegExp(`\\s/${escaped(command)}\\s`, 'u')) : -1
  if (!command || at < 0) return { kind: 'request', via, text }
  const rest = `${text.slice(0, at)}${text.slice(at + command.length + 1).trimStart()}`
  if (rest.replace(/@[\w.-]+/g, '').trim() === '') return { kind: 'command', text }
  return { kind: 'request', via: `/${command}`, text: rest.trim() }
}

/** The slash command of a participant, of VS Code itself, or of a prompt file. */
function commandOf(request: Json): string | undefined {
  const own = words(object(request.slashCommand)?.name)
  if (own) return own
  for (const part of objects(object(request.message)?.parts)) {
    if (part.kind === 'subcommand') return words(object(part.command)?.name)
    if (part.kind === 'slash') return words(object(part.slashCommand)?.command)
    if (part.kind === 'prompt') return words(part.name)
  }
  return undefined
}

function escaped(text: string): string {
  return text.replace(/[^\w-]/gu, '\\$&')
}

/** What the person answered to questions, forms and plans in the middle of the turn. */
function personsAnswers(request: Json, answerId: string, index: number): Message[] {
  return answersIn(request.response).map(({ text, via, place }, each) => ({
    id: `${answerId}/answer/${place}`,
    order: index * 2 + 1 + (each + 1) / 1000,
    role: 'user',
    kind: 'request',
    via,
    createdAt: turnTimes(request).ended,
    text,
    undone: isUndone(request),
  }))
}

/** A pressed button ("Continue to iterate?") and what the tool sent by itself have text nobody typed. */
function isTyped(request: Json): boolean {
  return (
    request.isSystemInitiated !== true &&
    request.hiddenFromTranscript !== true &&
    words(request.confirmation) === undefined
  )
}

function isUndone(request: Json): true | undefined {
  return request.isHidden === true || object(request.shouldBeRemovedOnSend) ? true : undefined
}

function answerMessage(request: Json, id: string, index: number): Message | undefined {
  const metadata = object(object(request.result)?.metadata)
  const { text, thinking, thinkingMs, invocations, files, citations, model } = readResponse(request.response)
  const tools = toolUse(invocations, metadata)
  const status = turnStatus(request)
  const outcome = status === 'failed' || status === 'cancelled' ? status : undefined
  const isEmpty = !text && !thinking && tools.toolCalls.length === 0 && files.length === 0
  if (isEmpty && !outcome) return undefined
  return {
    id,
    order: index * 2 + 1,
    role: 'assistant',
    kind: 'answer',
    createdAt: turnTimes(request).ended,
    text,
    thinking,
    thinkingMs,
    toolCalls: some(tools.toolCalls),
    toolResults: some(tools.toolResults),
    citations: some([...citations, ...citationsOf(request)]),
    files: some(distinct([...files, ...tools.files])),
    model: model ?? words(metadata?.resolvedModel) ?? withoutVendor(request.modelId),
    usage: usageOf(request, metadata),
    latencyMs: latencyOf(request),
    undone: isUndone(request),
    outcome,
  }
}

/** What the conversation was condensed to when it no longer fitted. */
function summaries(request: Json, answerId: string, index: number): Message[] {
  const metadata = object(object(request.result)?.metadata)
  const told = new Map<string, string>()
  const add = (id: unknown, text: unknown) => {
    const said = words(text)
    if (said && ![...told.values()].includes(said)) told.set(words(id) ?? String(told.size), said)
  }
  for (const summary of objects(metadata?.summaries)) add(summary.toolCallRoundId, summary.text)
  add(object(metadata?.summary)?.toolCallRoundId, object(metadata?.summary)?.text ?? metadata?.summary)
  for (const round of objects(metadata?.toolCallRounds)) add(round.id, round.summary)
  return [...told].map(([round, text]) => ({
    id: `${answerId}/summary/${round}`,
    order: index * 2 + 1,
    role: 'system',
    kind: 'summary',
    createdAt: turnTimes(request).ended,
    text,
    undone: isUndone(request),
  }))
}

function failure(request: Json, answerId: string, index: number): Message | undefined {
  const text = words(errorOf(request)?.message)
  if (!text || turnStatus(request) !== 'failed') return undefined
  return {
    id: `${answerId}/error`,
    order: index * 2 + 1,
    role: 'system',
    kind: 'notice',
    createdAt: turnTimes(request).ended,
    text: withoutStack(text),
    undone: isUndone(request),
  }
}

function errorOf(request: Json): Json | undefined {
  return object(object(request.result)?.errorDetails) ?? object(request.responseErrorDetails)
}

function withoutStack(text: string): string {
  return text.replace(/\n\s+at .*/s, '').trimEnd()
}

function citationsOf(request: Json): Citation[] {
  const citations: Citation[] = []
  for (const { reference } of objects(request.contentReferences)) {
    const place = placeOf(reference) ?? placeOf(object(reference)?.value)
    if (place) citations.push({ path: place.path, url: place.url })
  }
  for (const { value, license, snippet } of objects(request.codeCitations)) {
    const place = placeOf(value)
    citations.push({ path: place?.path, url: place?.url, title: words(license), text: words(snippet) })
  }
  return citations
}

function distinct(files: FileTouch[]): FileTouch[] {
  const created = new Set(files.filter((file) => file.action === 'create').map((file) => file.path))
  const byKey = new Map<string, FileTouch>()
  for (const file of files) {
    if (file.action === 'edit' && created.has(file.path)) continue
    byKey.set(`${file.action} ${file.path}`, file)
  }
  return [...byKey.values()]
}

/** `copilot/claude-sonnet-4.5` is the vendor's name for what others call `claude-sonnet-4.5`. */
function withoutVendor(modelId: unknown): string | undefined {
  return words(words(modelId)?.replace(/^[^/]*\//, ''))
}

function usageOf(request: Json, metadata: Json | undefined): Usage | undefined {
  const totals = objects(request.modelTotals)
  const sum = (name: string) => totals.reduce((total, item) => total + (number(item[name]) ?? 0), 0)
  const usage =
    totals.length > 0
      ? { input: sum('inputTokens'), output: sum('outputTokens'), cached: sum('cachedTokens') }
      : {
          input: number(request.promptTokens) ?? number(metadata?.promptTokens),
          output: number(request.completionTokens) ?? number(metadata?.outputTokens),
        }
  return Object.values(usage).some((count) => count) ? usage : undefined
}

function latencyOf(request: Json): number | undefined {
  return number(request.elapsedMs) ?? number(object(object(request.result)?.timings)?.totalElapsed)
}

function some<T>(items: T[]): T[] | undefined {
  return items.length > 0 ? items : undefined
}
