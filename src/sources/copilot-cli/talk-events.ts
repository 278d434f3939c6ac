import type { Message, MessageKind } from '../../model/chat.ts'
import { number, object, plain, string, words } from '../json.ts'
import { attachments, citations } from './attached.ts'
import { callKey, type Moment, modelName, say } from './moment.ts'
import { remember } from './state.ts'
import { openTool, promptMark, saidToTool, toolArguments, toolCalls, toolMessage } from './tools.ts'
import { addTold, modelCall } from './usage.ts'

export function userSaid(moment: Moment): void {
  const { state, chat, data } = moment
  const text = string(data.content) ?? plain(data.content)
  const attached = attachments(data.attachments, state.assets, moment.assetData)
  state.awaiting.delete(callKey(chat, chat.call))
  chat.thought = undefined
  chat.status = 'running'
  if (text.trim() === '' && !attached) return
  const kind = userKind(moment, text)
  const waited = data.delivery === 'queued' || data.delivery === 'steering'
  const via = kind === 'request' && waited ? 'queued' : undefined
  say(moment, { role: 'user', kind, via, text, attachments: attached })
}

function userKind({ state, chat, data }: Moment, text: string): MessageKind {
  const source = words(data.source) ?? ''
  if (chat !== state.session || source.startsWith('agent') || object(data.crossSession)) return 'delegated'
  if (data.isAutopilotContinuation === true || text.trimStart().startsWith('<skill-context'))
    return 'injected'
  if (/^(skill|system|jit|schedule|autopilot|notification|hook)/.test(source)) return 'injected'
  if (source.startsWith('command')) return 'command'
  // In VS Code a sub-agent's prompt stands in its parent's transcript, unmarked.
  const mark = promptMark(text)
  return state.tools.values().some((tool) => tool.prompt === mark) ? 'delegated' : 'request'
}

export function turnStarted({ chat, data, at }: Moment): void {
  chat.turnAt = at
  chat.thought = undefined
  chat.model = modelName(data.model) ?? chat.model
}

/** Longer answers than this do not wait for their usage: they would not fit into the saved state. */
const AWAITING_LENGTH = 8 * 1024

export function assistantSaid(moment: Moment): void {
  const { state, chat, data, at } = moment
  const text = string(data.content) ?? ''
  const calls = toolCalls(data.toolRequests)
  const cited = citations(data.citations)
  const reasoning = words(data.reasoningText)
  const thinking = reasoning && chat.thought === `r${thoughtMark(reasoning)}` ? undefined : reasoning
  if (reasoning) chat.thought = `m${thoughtMark(reasoning)}`

  const call = words(data.apiCallId)?.slice(0, 200)
  const sameCall = call !== undefined && call === chat.call
  if (!sameCall) state.awaiting.delete(callKey(chat, chat.call))
  chat.call = call
  const key = callKey(chat, call)
  const known = state.calls.get(key)
  state.calls.delete(key)
  const output = number(data.outputTokens)
  // An answer cut in pieces repeats the count of the whole with each of them.
  const firstPiece = !sameCall && (number(data.chunkIndex) ?? 0) === 0

  chat.status = calls.length > 0 || chat !== state.session ? 'running' : 'waiting'
  if (text.trim() === '' && calls.length === 0 && !thinking && !known && !cited) return
  const model = modelName(data.model) ?? chat.model ?? state.endModel
  if (!model) state.unnamed = true
  const message = say(moment, {
    role: 'assistant',
    kind: 'answer',
    text,
    thinking,
    toolCalls: calls.length > 0 ? calls : undefined,
    citations: cited,
    model,
    usage: known?.usage ?? (firstPiece && output !== undefined ? { output } : undefined),
    latencyMs: known?.latencyMs ?? elapsed(chat.turnAt, at),
  })
  addTold(state.told, model, message.usage)
  chat.turnAt = undefined
  const json = known || !call || sameCall ? undefined : shortJson(message)
  if (json) remember(state.awaiting, 'awaiting', key, json)
}

export function assistantThought(moment: Moment): void {
  const { chat, data } = moment
  const thinking = words(data.content)
  if (!thinking || chat.thought === `m${thoughtMark(thinking)}`) return
  chat.thought = `r${thoughtMark(thinking)}`
  const model = chat.model ?? moment.state.endModel
  if (!model) moment.state.unnamed = true
  say(moment, { role: 'assistant', kind: 'answer', text: '', thinking, model })
}

/** Usually told just before the message it belongs to. */
export function modelCalled({ state, chat, data, found }: Moment): void {
  const usage = object(data.usage)
  const call = words(usage?.apiCallId)?.slice(0, 200)
  if (!usage || !call) return
  state.usageRecords = true
  const told = modelCall(usage)
  const key = callKey(chat, call)
  const awaiting = state.awaiting.get(key)
  if (awaiting) {
    const message = JSON.parse(awaiting) as Message
    state.awaiting.delete(key)
    found.push({
      chatId: chat.id,
      message: { ...message, usage: told.usage, latencyMs: told.latencyMs ?? message.latencyMs },
    })
  } else remember(state.calls, 'calls', key, told)
}

export function toolRequested(moment: Moment): void {
  const { data } = moment
  const tool = words(data.toolName)
  if (!tool) return
  const args = toolArguments(data.arguments)
  const text = words(object(args)?.command) ?? `${tool} ${plain(args)}`.trim()
  const toolCalls = [{ id: string(data.toolCallId) ?? '', tool, args }]
  say(moment, { role: 'user', kind: 'command', text, toolCalls })
}

export function toolStarted({ state, data, at }: Moment): void {
  const call = words(data.toolCallId)
  if (call && call.length <= 200) remember(state.tools, 'tools', call, openTool(data, at))
}

export function toolEnded(moment: Moment): void {
  const { state, data, at } = moment
  const call = words(data.toolCallId)
  if (!call) return
  const open = state.tools.get(call)
  state.tools.delete(call)
  const message = say(moment, { role: 'tool', kind: 'tool', text: '', ...toolMessage(data, open, at) })
  const said = saidToTool(message.toolResults?.[0], open)
  if (!said) return
  const place = { ...moment, id: `${moment.id}:said`, offset: moment.offset + 0.25 }
  say(place, { role: 'user', kind: 'request', ...said })
}

function thoughtMark(text: string): string {
  return `${text.length}:${text.slice(0, 40)}`
}

function elapsed(from: number | undefined, to: number | undefined): number | undefined {
  return from !== undefined && to !== undefined && to >= from ? to - from : undefined
}

function shortJson(message: Message): string | undefined {
  if (message.text.length + (message.thinking?.length ?? 0) > AWAITING_LENGTH) return undefined
  const json = JSON.stringify(message)
  return json.length <= AWAITING_LENGTH ? json : undefined
}
