import { hash } from 'node:crypto'
import type { Chat, Message, ToolCall, ToolResult } from '../model/chat.ts'

/** A file from which an assistant resumes a chat. */
export interface RevivedFile {
  path: string
  text: string
}

/** What is revived: the chat and what counts of it. */
export interface Revivable {
  chat: Chat
  /** In order, without what was taken back and what only the tool itself said. */
  messages: Message[]
  /** Files that told of it in the places where its assistant looks. */
  files: string[]
}

const KINDS = new Set(['request', 'answer', 'tool', 'summary', 'delegated'])

/** What a model is given again. A call without its result, or a result without its call, is refused by most. */
export function spokenIn(messages: Message[]): Message[] {
  const calls = new Set(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  const results = new Set(messages.flatMap(({ toolResults = [] }) => toolResults.map(({ callId }) => callId)))
  return messages.flatMap((message) => {
    if (message.undone || !KINDS.has(message.kind)) return []
    // What was said to a tool is in the tool's result.
    if (message.via === 'refusal' || message.via === 'answer') return []
    const toolCalls = message.toolCalls?.filter(({ id }) => results.has(id))
    const toolResults = message.toolResults?.filter(({ callId }) => calls.has(callId))
    const says =
      message.text.trim() !== '' || toolCalls?.length || toolResults?.length || message.attachments?.length
    return says ? [{ ...message, toolCalls, toolResults }] : []
  })
}

/** What a tool gave back, as text. */
export function resultText({ text, error, json }: ToolResult): string {
  return text || error || (json === undefined ? '' : JSON.stringify(json))
}

export function toolName({ server, tool }: ToolCall): string {
  return server ? `mcp__${server}__${tool}` : tool
}

/** The id itself where it is one, else always the same one for the same words. */
export function uuidOf(id: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) return id
  const h = hash('sha256', id)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`
}

/** The times of messages, none before the one before it. */
export function timesOf({ chat, messages }: Revivable): string[] {
  let last = chat.createdAt ?? messages.find(({ createdAt }) => createdAt)?.createdAt ?? chat.updatedAt ?? 0
  return messages.map(({ createdAt }) => {
    last = Math.max(last, createdAt ?? last)
    return new Date(last).toISOString()
  })
}

export function lines(records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
