import path from 'node:path'
import type { Attachment, MessageKind } from '../../model/chat.ts'

/** What Codex adds in the user's name or beside it, by the tag it is wrapped in. */
const TAGS: Record<string, MessageKind> = {
  environment_context: 'injected',
  user_instructions: 'injected',
  instructions: 'injected',
  permissions: 'injected',
  collaboration_mode: 'injected',
  multi_agent_mode: 'injected',
  personality_spec: 'injected',
  model_switch: 'injected',
  skills_instructions: 'injected',
  apps_instructions: 'injected',
  plugins_instructions: 'injected',
  recommended_plugins: 'injected',
  skill: 'injected',
  extension_context: 'injected',
  goal_context: 'injected',
  codex_internal_context: 'injected',
  token_budget: 'injected',
  hook_prompt: 'injected',
  subagent_notification: 'injected',
  realtime_conversation: 'injected',
  turn_aborted: 'notice',
  user_shell_command: 'command',
  user_action: 'command',
}

const OPENINGS: [opening: string, kind: MessageKind][] = [
  ['Warning: apply_patch was requested via', 'injected'],
  ['Warning: The maximum number of unified exec processes', 'injected'],
  ['Warning: Your account was flagged', 'injected'],
  ['Another language model started to solve this problem', 'summary'],
]

const REQUEST_HEADING = '## My request for Codex:'
const WRAPPED = /^# (?:Context from my IDE setup|Files mentioned by the user)/

export interface Prompt {
  kind: MessageKind
  text: string
  attachments: Attachment[]
}

/**
 * What a text under the user's name is, and what of it the person typed: blocks that Codex or an
 * editor put before the request are taken off.
 */
export function promptOf(raw: string): Prompt {
  let text = raw.trim()
  let found: MessageKind | undefined
  for (let block = blockAt(text); block; block = blockAt(text)) {
    found ??= block.kind
    text = text.slice(block.end).trimStart()
    if (text === '') return { kind: found, text: raw, attachments: [] }
  }
  const opening = OPENINGS.find(([start]) => text.startsWith(start))
  if (opening) return { kind: opening[1], text: raw, attachments: [] }
  return unwrapped(text)
}

/** Codex stands these around an attached image, as texts of their own. */
export function isImageTag(text: string): boolean {
  return text.length < 2000 && /^\s*<\/?image(?:\s[^>]*)?>\s*$/.test(text)
}

const INSTRUCTIONS = '# AGENTS.md instructions'
const INSTRUCTIONS_END = '</INSTRUCTIONS>'

/** A block is closed: a text that only begins with its tag asks about it. */
function blockAt(text: string): { kind: MessageKind; end: number } | undefined {
  if (text.startsWith(INSTRUCTIONS)) {
    // A prompt may follow in the same text.
    const close = text.indexOf(INSTRUCTIONS_END)
    return close < 0 ? undefined : { kind: 'injected', end: close + INSTRUCTIONS_END.length }
  }
  if (!text.startsWith('<')) return undefined
  const name = /^<([A-Za-z_]+)(?: [^>\n]{0,200})?>/.exec(text.slice(0, 300))?.[1]
  if (!name || !Object.hasOwn(TAGS, name.toLowerCase())) return undefined
  const kind = TAGS[name.toLowerCase()]!
  const close = text.indexOf(`</${name}`)
  const end = close < 0 ? -1 : text.indexOf('>', close)
  return end < 0 ? undefined : { kind, end: end + 1 }
}

/** The editor extension and the desktop app send open files and selections before the request. */
function unwrapped(text: string): Prompt {
  if (!WRAPPED.test(text)) return { kind: 'request', text, attachments: [] }
  const at = text.indexOf(REQUEST_HEADING)
  if (at < 0) return { kind: 'injected', text, attachments: [] }
  const active = /^## Active file: (.{1,1000})$/m.exec(text.slice(0, at))?.[1]
  return {
    kind: 'request',
    text: text.slice(at + REQUEST_HEADING.length).trim(),
    attachments: active ? [{ name: path.posix.basename(active), type: 'file', path: active }] : [],
  }
}
