import type { Message, Via } from '../../model/chat.ts'
import { object, parsed, words } from '../json.ts'

/** Tags that Cline and Roo Code put around what the person typed. */
const TYPED = ['task', 'feedback', 'user_message', 'answer', 'user_input']

/** How text begins that was added by the tool; such a block is nobody's request. */
const ADDED = [
  '<environment_details',
  '<file_content',
  '<folder_content',
  '<url_content',
  '<explicit_instructions',
  '<custom_instructions',
  '<hook_context',
  '<hook_message',
  '<user_metadata',
  '<system-reminder',
  '[ERROR]',
  '[NOTE]',
  '[TASK RESUMPTION]',
  'New instructions for task continuation',
  'New message to respond to',
  '# task_progress',
  '# TODO LIST',
  'The user has not provided',
  'You did not use a tool',
  'This task was interrupted',
  '[The user',
  '[Tool ',
  'Tool [',
  'The tool execution failed',
  'The user denied',
  '(No tool result',
  'The previous conversation',
]

/** What a slash command stands for: put before the words behind it. */
const INSTRUCTIONS = /^\s*<explicit_instructions\b[^>]*>[\s\S]*?<\/explicit_instructions>/

/** How Cline begins what it tells the model in place of a conversation that grew too long. */
const SUMMARY = 'This session is being continued from a previous conversation'

/** What the person typed in this block of a user message, or nothing where all of it was added by the tool. */
export function typedText(block: string): string | undefined {
  const text = block.replace(INSTRUCTIONS, '').trim()
  const tag = TYPED.find((name) => opens(text, name))
  if (tag) return inside(text, tag)
  if (ADDED.some((start) => text.startsWith(start))) return inside(text, 'user_message')
  if (oldResult(text)) return undefined
  return withoutAddedTail(text) || undefined
}

export function isSummary(text: string): boolean {
  return text.trimStart().startsWith(SUMMARY)
}

/** How a result begins, or ends, that carries words of the person; a file that was read may hold any of these. */
const DENIED = /^(?:The user denied this operation|The user rejected)[^<]{0,300}/
const GIVEN = /^(?:The user (?:approved|has provided|provided)|\[The user)[^<]{0,400}/
const MEANWHILE = 'The user provided the following feedback:\n<feedback>'

/** What the person wrote into a tool's result: why it was refused, the answer to a question, or the next request. */
export function typedInResult(result: string, tool?: string): Pick<Message, 'text' | 'via'> | undefined {
  const text = result.trimStart()
  const noted = feedbackIn(text)
  if (noted) return noted
  const via = tool === 'ask_followup_question' ? 'answer' : undefined
  for (const name of ['answer', 'user_message', 'feedback']) {
    if (!opens(text, name)) continue
    return said(inside(text, name), name === 'answer' ? 'answer' : via)
  }
  if (DENIED.test(text)) return said(wrapped(text), 'refusal')
  if (GIVEN.test(text)) return said(wrapped(text), via)
  const last = text.lastIndexOf(MEANWHILE)
  return last < 0 ? undefined : said(inside(text.slice(last), 'feedback'), 'queued')
}

/** Newer versions of Roo Code answer a native tool call with JSON. */
function feedbackIn(text: string): Pick<Message, 'text' | 'via'> | undefined {
  if (!text.startsWith('{"status":')) return undefined
  const { status, feedback } = object(parsed(text)) ?? {}
  return said(words(feedback), status === 'denied' ? 'refusal' : undefined)
}

function wrapped(text: string): string | undefined {
  return inside(text, 'feedback') ?? inside(text, 'user_message')
}

function said(text: string | undefined, via: Via | undefined): Pick<Message, 'text' | 'via'> | undefined {
  return text ? { text, via } : undefined
}

/**
 * Before native tool calls a result came as text: `[execute_command for 'npm test'] Result:`, in the
 * same block or in those that follow.
 */
export function oldResult(block: string): { tool: string; text: string } | undefined {
  const head = /^\s*\[([a-z_]{3,40})(?: for '[^\n]{0,2000}')?\] Result:/.exec(block.slice(0, 2200))
  return head ? { tool: head[1]!, text: block.slice(head[0].length).trim() } : undefined
}

function opens(text: string, tag: string): boolean {
  if (!text.startsWith(`<${tag}`)) return false
  const next = text[tag.length + 1]
  return next === '>' || next === ' '
}

function inside(text: string, tag: string): string | undefined {
  const open = text.indexOf(`<${tag}`)
  if (open < 0) return undefined
  const start = text.indexOf('>', open)
  if (start < 0) return undefined
  const end = text.lastIndexOf(`</${tag}>`)
  return withoutAddedTail(text.slice(start + 1, end > start ? end : undefined).trim()) || undefined
}

/** The tool hangs open files and the like behind the prompt in the same block. */
function withoutAddedTail(text: string): string {
  // It is closed, and the last: the prompt may name it too.
  const tail = text.includes('</environment_details>') ? text.lastIndexOf('<environment_details>') : -1
  return tail < 0 ? text : text.slice(0, tail).trimEnd()
}
