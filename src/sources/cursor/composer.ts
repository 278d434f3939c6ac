import type { Attachment, Chat, FileTouch, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import {
  type Json,
  list,
  millis,
  number,
  object,
  objects,
  parsed,
  plain,
  string,
  version,
  words,
} from '../json.ts'
import { behindCommand } from '../slash.ts'

/** Where the bubbles of a chat stand, and whose chat it is. */
export interface Composer {
  chat: Chat
  /** Bubble ids in the order of the conversation: keys in the database have none. */
  order: Map<string, number>
  /** When the header of each bubble says it was made. */
  times: Map<string, unknown>
  /** Bubbles kept inside (2024); later ones have rows of their own. */
  inline: Json[]
  /** What tools did in inline bubbles, by bubble id. */
  tools: Map<string, Json>
  model?: string
}

export function toComposer(id: string, data: Json, head: Json | undefined): Composer {
  const origin = object(head?.subagentInfo) ?? object(data.subagentInfo)
  const parentId = words(origin?.parentComposerId)
  const model = words(object(data.modelConfig)?.modelName)
  const inline = objects(data.conversation)
  const headers = objects(data.fullConversationHeadersOnly)
  const order = new Map<string, number>()
  const times = new Map<string, unknown>()
  for (const header of headers.length > 0 ? headers : inline) {
    const bubble = words(header.bubbleId)
    if (!bubble || order.has(bubble)) continue
    order.set(bubble, order.size + 1)
    times.set(bubble, header.createdAt)
  }
  return {
    chat: {
      source: 'cursor',
      id,
      title: words(data.name) ?? words(head?.name),
      workspace: folderOf(data.workspaceIdentifier) ?? folderOf(head?.workspaceIdentifier),
      createdAt: millis(data.createdAt) ?? millis(head?.createdAt),
      updatedAt: millis(data.lastUpdatedAt) ?? millis(head?.lastUpdatedAt) ?? millis(data.createdAt),
      format: `composer ${version(data._v) ?? ''}`.trimEnd(),
      ...(origin && { subagent: true }),
      ...(parentId && { parentId }),
    },
    order,
    times,
    inline,
    tools: toolsOf(data.capabilities),
    model: model === 'default' ? undefined : model,
  }
}

export function toMessage(id: string, bubble: Json, composer: Composer): Message | undefined {
  const isUser = bubble.type === 1
  if (!isUser && bubble.type !== 2) return undefined
  const timing = object(bubble.timingInfo)
  const [start, end] = [number(timing?.clientStartTime), number(timing?.clientEndTime)]
  const text = string(bubble.text) ?? ''
  const attachments = isUser ? attachmentsOf(bubble) : []
  const model = words(object(bubble.modelInfo)?.modelName)
  const thinking = words(object(bubble.thinking)?.text) ?? words(bubble.thinking)
  const tool = object(bubble.toolFormerData) ?? composer.tools.get(id)
  const failure = object(bubble.errorDetails)
  const message: Message = {
    id,
    order: composer.order.get(id) ?? 0,
    role: isUser ? 'user' : 'assistant',
    kind: isUser ? 'delegated' : 'answer',
    // Times of a process that began at 0 are not points in time.
    createdAt:
      millis(bubble.createdAt) ??
      millis(composer.times.get(id)) ??
      (start && start > 1e12 ? millis(start) : undefined),
    text,
    ...(attachments.length > 0 && { attachments }),
    ...(thinking && { thinking }),
  }
  if (isUser) {
    if (!composer.chat.subagent) Object.assign(message, behindCommand(text))
    return text.trim() || attachments.length > 0 ? message : undefined
  }
  if (bubble.capabilityType === COMPACTION) message.kind = 'summary'
  message.model = model === 'default' ? composer.model : (model ?? composer.model)
  message.usage = usageOf(bubble)
  if (start && end && start > 1e12 && end >= start) message.latencyMs = Math.round(end - start)
  if (tool) addTool(message, tool)
  if (failure) {
    message.outcome = 'failed'
    if (!text) {
      message.kind = 'notice'
      message.text = words(failure.message) ?? words(failure.error) ?? plain(failure)
    }
  }
  return message.text.trim() || thinking || tool ? message : undefined
}

/** What the person answered where the assistant asked with a tool: the options chosen, and the words typed. */
export function answerIn(message: Message, bubble: Json, composer: Composer): Message | undefined {
  const tool = object(bubble.toolFormerData) ?? composer.tools.get(message.id)
  if (!tool || !/^ask_?(?:user_?)?questions?/i.test(words(tool.name) ?? '')) return undefined
  const asked = objects((object(parsed(tool.params)) ?? object(parsed(tool.rawArgs)))?.questions)
  const said = objects(object(parsed(tool.result))?.answers).flatMap((answer) => {
    const question = asked.find(({ id }) => id === answer.questionId)
    const labels = new Map(objects(question?.options).map((option) => [option.id, words(option.label)]))
    const chosen = list(answer.selectedOptionIds).map((id) => labels.get(id) ?? words(id))
    return [...chosen, words(answer.freeformText) ?? words(answer.text)].filter((text) => text !== undefined)
  })
  if (said.length === 0) return undefined
  return {
    id: `${message.id}/answer`,
    order: message.order + 0.5,
    role: 'user',
    kind: 'request',
    via: 'answer',
    createdAt: message.createdAt,
    text: said.join('\n'),
  }
}

/** The mark left where the conversation was summarized. */
const COMPACTION = 22

function addTool(message: Message, tool: Json) {
  const name = words(tool.name) ?? (typeof tool.tool === 'number' ? `tool ${tool.tool}` : words(tool.tool))
  if (!name) return
  const id = words(tool.toolCallId) ?? message.id
  const args = parsed(words(tool.rawArgs) ?? tool.params)
  const mcp = objects(object(parsed(tool.params))?.tools)[0]
  const call: ToolCall = { id, tool: name, args: args === '' ? undefined : args }
  if (mcp && words(mcp.serverName)) {
    call.server = words(mcp.serverName)
    call.tool = words(mcp.name) ?? name
    call.args = parsed(mcp.parameters) ?? args
  }
  message.toolCalls = [call]
  const result = resultOf(id, tool)
  if (result) message.toolResults = [result]
  const file = touchedBy(name, object(args), object(parsed(tool.params)))
  if (file && !result?.error) message.files = [file]
}

function resultOf(callId: string, tool: Json): ToolResult | undefined {
  const result = parsed(tool.result)
  const status = words(tool.status)
  const told = object(result)
  const text = words(told?.output) ?? words(told?.contents) ?? (result ? plain(result) : undefined)
  const failed = status === 'error' || status === 'cancelled' || tool.userDecision === 'rejected'
  if (failed || tool.error) {
    const error = object(parsed(tool.error))
    const reason = words(error?.clientVisibleErrorMessage) ?? words(error?.message) ?? words(tool.error)
    return { callId, text, error: reason ?? words(tool.userDecision) ?? status ?? 'error' }
  }
  return text === undefined ? undefined : { callId, text, exitCode: number(told?.exitCode) }
}

const ACTIONS: [RegExp, FileTouch['action']][] = [
  [/^read_file/, 'read'],
  [/^(edit_file|search_replace|write|apply_patch|reapply|multi_edit|edit_notebook)/, 'edit'],
  [/^delete_file/, 'delete'],
]

function touchedBy(tool: string, args: Json | undefined, params: Json | undefined): FileTouch | undefined {
  const action = ACTIONS.find(([names]) => names.test(tool))?.[1]
  if (!action) return undefined
  for (const source of [args, params])
    for (const key of ['target_file', 'targetFile', 'file_path', 'path', 'relativeWorkspacePath']) {
      const file = words(source?.[key])
      if (file) return { path: file, action }
    }
  return undefined
}

function usageOf(bubble: Json): Message['usage'] {
  const count = object(bubble.tokenCount)
  const [input, output] = [number(count?.inputTokens) ?? 0, number(count?.outputTokens) ?? 0]
  return input + output > 0 ? { input, output } : undefined
}

function attachmentsOf(bubble: Json): Attachment[] {
  const context = object(bubble.context)
  const named = (entry: Json, type: string): Attachment[] => {
    const where = pathOf(entry.uri) ?? words(entry.path) ?? words(entry.relativePath)
    return where ? [{ name: where.split(/[\\/]/).at(-1) || where, type, path: where }] : []
  }
  return [
    ...objects(context?.fileSelections).flatMap((entry) => named(entry, 'file')),
    ...objects(context?.folderSelections).flatMap((entry) => named(entry, 'folder')),
    ...objects(context?.selections).flatMap((entry) =>
      named(entry, 'selection').map((selection) => ({
        ...selection,
        text: words(entry.rawText) ?? words(entry.text),
      })),
    ),
    ...objects(bubble.images).map((image) => ({
      name: words(image.name) ?? words(image.uuid) ?? 'image',
      type: 'image',
      path: words(image.path),
    })),
  ]
}

/** Inline bubbles keep what their tools did in the composer, as JSON in JSON. */
function toolsOf(capabilities: unknown): Map<string, Json> {
  const tools = new Map<string, Json>()
  for (const capability of objects(capabilities)) {
    const byBubble = object(parsed(object(capability.data)?.bubbleDataMap))
    for (const [id, value] of Object.entries(byBubble ?? {})) {
      const tool = object(value)
      if (tool && (words(tool.name) || tool.tool !== undefined)) tools.set(id, tool)
    }
  }
  return tools
}

function folderOf(identifier: unknown): string | undefined {
  return pathOf(object(identifier)?.uri)
}

function pathOf(uri: unknown): string | undefined {
  const parts = object(uri)
  return words(parts?.fsPath) ?? words(parts?.path)
}
