import type { ToolResult } from '../../model/chat.ts'
import type { LiveMessage } from '../live.ts'
import { written } from './format.ts'

/** A conversation as models are trained on one: who said what, and each tool call with its answer. */
export type Step = { role: 'user'; text: string } | { role: 'assistant'; text: string; calls: AnsweredCall[] }

interface AnsweredCall {
  /** Letters, digits, `_` and `-`, as both providers want it. */
  name: string
  args: Record<string, unknown>
  result: string
  failed: boolean
}

const MOST_NAME = 64

/**
 * The steps of a chat or a part of it: from the person's first words to the assistant's last. What
 * was taken back, and what no model said or heard, is left out, and so are calls without an answer.
 */
export function stepsOf(messages: LiveMessage[]): Step[] {
  const answers = new Map<string, ToolResult>()
  for (const { toolResults } of messages)
    for (const result of toolResults ?? []) answers.set(result.callId, result)
  const steps: Step[] = []
  for (const message of messages) {
    if (message.undone || message.outcome === 'failed') continue
    const text = message.text.trim()
    if (message.kind === 'request' || message.kind === 'delegated' || message.kind === 'summary') {
      if (text) steps.push({ role: 'user', text })
    } else if (message.kind === 'answer') {
      const calls = (message.toolCalls ?? []).flatMap(({ id, server, tool, args }) => {
        const answer = answers.get(id)
        return answer ? [{ name: nameOf(server, tool), args: argsOf(args), ...resultOf(answer) }] : []
      })
      if (text || calls.length > 0) steps.push({ role: 'assistant', text, calls })
    }
  }
  const first = steps.findIndex((step) => step.role === 'user')
  const last = steps.findLastIndex((step) => step.role === 'assistant' && step.calls.length === 0)
  return first < 0 || last < first ? [] : steps.slice(first, last + 1)
}

/** A part for each request. */
export function turnsOf(messages: LiveMessage[]): LiveMessage[][] {
  const turns: LiveMessage[][] = []
  for (const message of messages) {
    if (message.kind === 'request' && !message.undone) turns.push([message])
    else turns.at(-1)?.push(message)
  }
  return turns
}

/** Every tool that was called, with the arguments it was given: the only schema a chat tells. */
export function toolsIn(steps: Step[]): { name: string; parameters: object }[] {
  const tools = new Map<string, Map<string, Set<string>>>()
  for (const step of steps) {
    if (step.role !== 'assistant') continue
    for (const { name, args } of step.calls) {
      const known = tools.get(name) ?? new Map<string, Set<string>>()
      tools.set(name, known)
      for (const [arg, value] of Object.entries(args)) {
        known.set(arg, (known.get(arg) ?? new Set<string>()).add(typeNamed(value)))
      }
    }
  }
  return [...tools].map(([name, args]) => ({
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        [...args].map(([arg, types]) => [arg, types.size === 1 ? { type: [...types][0] } : {}]),
      ),
    },
  }))
}

function typeNamed(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function nameOf(server: string | undefined, tool: string): string {
  const name = (server ? `${server}__${tool}` : tool).replace(/[^a-zA-Z0-9_-]/g, '_')
  return name.slice(-MOST_NAME) || 'tool'
}

function argsOf(args: unknown): Record<string, unknown> {
  if (args && typeof args === 'object' && !Array.isArray(args)) return args as Record<string, unknown>
  return args === undefined ? {} : { input: args }
}

function resultOf({ text, json, error }: ToolResult): { result: string; failed: boolean } {
  return { result: error ?? text ?? written(json), failed: error !== undefined }
}
