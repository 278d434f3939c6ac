/** For tests: session files with calls in them, as the assistants write them at this moment. */
import fs from 'node:fs'
import path from 'node:path'
import type { Call } from '../sources/source.ts'
import { firstRequest, type Refusal } from './requests.ts'
import type { Bench } from './test-kit.ts'

export const SHOP = '/home/me/shop'
export const ARGS = { index: 2 }
export const A = 'aaaaaaaa-1111-4111-8111-111111111111'
export const B = 'bbbbbbbb-2222-4222-8222-222222222222'
export const NONE = 'No active dialog found'

/** Of a client that began a minute ago. */
export const started = () => ({ startedUsAt: Date.now() - 60_000 })

/** A call of get_request that reached us just now. */
export function call(more: Partial<Call> = {}): Call {
  return { tool: 'get_request', args: ARGS, at: Date.now(), ...more }
}

/** Which dialog was taken, and how; or what it may be. */
export async function taken(
  at: Bench,
  caller: Bench['caller'],
  env: Record<string, string> = {},
): Promise<string> {
  const machine = { ...at.machine, env: { ...at.machine.env, ...env } }
  const asked = { ...at, machine, caller: { workspace: SHOP, ...caller } }
  const answer = await firstRequest(asked, {})
  if (answer.success) return `${answer.sessionId} ${answer.matched}`
  return unsure(answer)
}

export function unsure({ error, candidates = [] }: Refusal): string {
  return [error, ...candidates.map(({ sessionId }) => sessionId).sort()].join(' ')
}

function write(at: Bench, file: string, records: object[]): void {
  const full = path.join(at.home, file)
  fs.mkdirSync(path.dirname(full), { recursive: true })
  fs.appendFileSync(full, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

const now = (ago = 0) => new Date(Date.now() - ago).toISOString()

/** Ids are unique in a file: what was written before counts. */
let written = 0

const PROJECT = '.claude/projects/-home-me-shop'

export function claude(at: Bench, id: string, agent?: string) {
  const file = agent ? `${PROJECT}/${id}/subagents/agent-${agent}.jsonl` : `${PROJECT}/${id}.jsonl`
  const record = (type: string, content: unknown, more: object = {}) => ({
    parentUuid: null,
    isSidechain: agent !== undefined,
    ...(agent && { agentId: agent }),
    cwd: SHOP,
    sessionId: id,
    version: '2.1.325',
    type,
    message: { role: type, content },
    uuid: `${id}-${++written}`,
    timestamp: now(),
    ...more,
  })
  const session = {
    file: path.join(at.home, file),
    says: (text: string, more: object = {}) => {
      write(at, file, [record('user', text, more)])
      return session
    },
    calls: (callId: string, args: object = ARGS, ago = 0) => {
      const use = { type: 'tool_use', id: callId, name: 'mcp__recollect__get_request', input: args }
      write(at, file, [record('assistant', [use], { timestamp: now(ago) })])
      return session
    },
    hears: (callId: string) => {
      write(at, file, [record('user', [{ type: 'tool_result', tool_use_id: callId, content: '{}' }])])
      return session
    },
  }
  return session
}

export function copilot(at: Bench, id: string) {
  const file = `.copilot/session-state/${id}/events.jsonl`
  const event = (type: string, data: object, ago = 0) => {
    write(at, file, [{ type, data, id: `${id}-${++written}`, timestamp: now(ago), parentId: null }])
    return session
  }
  const session = {
    begins: () => event('session.start', { sessionId: id, context: { cwd: SHOP }, startTime: now() }),
    says: (content: string) => event('user.message', { content, interactionId: `i${written}` }),
    event,
    calls: (toolCallId: string, args: object = ARGS, more: object = {}) =>
      event('tool.execution_start', {
        ...{ toolCallId, toolName: 'recollect-get_request', arguments: args },
        ...{ mcpServerName: 'recollect', mcpToolName: 'get_request', ...more },
      }),
    hears: (toolCallId: string) =>
      event('tool.execution_complete', { toolCallId, success: true, result: { content: '{}' } }),
  }
  session.begins()
  return session
}

export function codex(at: Bench, id: string, meta: object = {}) {
  const file = `.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${id}.jsonl`
  const item = (type: string, payload: object) => {
    write(at, file, [{ timestamp: now(), type, payload }])
    return session
  }
  const session = {
    says: (text: string) => {
      item('event_msg', { type: 'user_message', message: text })
      return item('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    },
    item,
    calls: (callId: string, args: object = ARGS) =>
      item('response_item', {
        ...{ type: 'function_call', name: 'mcp__recollect__get_request' },
        ...{ arguments: JSON.stringify(args), call_id: callId },
      }),
    hears: (callId: string) =>
      item('response_item', { type: 'function_call_output', call_id: callId, output: '{}' }),
  }
  item('session_meta', {
    ...{ id, session_id: id, timestamp: now(), cwd: SHOP, originator: 'codex_exec' },
    ...{ cli_version: '0.166.0', source: 'exec', ...meta },
  })
  return session
}

export function qwen(at: Bench, id: string, folder = SHOP) {
  const file = `.qwen/projects/${folder.replaceAll('/', '-')}/chats/${id}.jsonl`
  let last: string | null = null
  const row = (type: string, role: string, part: object, ago = 0) => {
    const about = { uuid: `${id}-${++written}`, parentUuid: last, sessionId: id, timestamp: now(ago), type }
    last = about.uuid
    const provenance = type === 'user' ? 'real_user' : 'assistant_output'
    const message = { role, parts: [part] }
    write(at, file, [{ ...about, provenance, cwd: folder, version: '0.15.10', message }])
    return session
  }
  const session = {
    says: (text: string) => row('user', 'user', { text }),
    calls: (callId: string, ago = 0) => {
      const functionCall = { id: callId, name: 'mcp__recollect__get_request', args: ARGS }
      return row('assistant', 'model', { functionCall }, ago)
    },
  }
  return session
}

export function gemini(at: Bench, id: string, parent?: string) {
  const name = parent ? `${parent}/${id}` : `session-2026-11-15T12-00-${id.slice(0, 8)}`
  write(at, '.gemini/tmp/shop/.project_root', [])
  fs.writeFileSync(path.join(at.home, '.gemini/tmp/shop/.project_root'), SHOP)
  const put = (record: object) => {
    write(at, `.gemini/tmp/shop/chats/${name}.jsonl`, [record])
    return session
  }
  const session = {
    put,
    says: (text: string) => put({ id: `u${++written}`, timestamp: now(), type: 'user', content: [{ text }] }),
    answers: (content: string, ago = 0, more: object = {}) => {
      put({ id: `g${++written}`, timestamp: now(ago), type: 'gemini', content, model: 'gemini-3', ...more })
      return put({ $set: { lastUpdated: now(ago) } })
    },
    /** The model wants a tool: which, is written down after its answer. */
    waits: () => session.answers(''),
  }
  put({ sessionId: id, startTime: now(), lastUpdated: now(), kind: parent ? 'subagent' : 'main' })
  return session
}

/** Copilot's own transcript of a dialog in VS Code. */
export function vscode(at: Bench, id: string) {
  const storage = '.config/Code/User/workspaceStorage/ws'
  fs.mkdirSync(path.join(at.home, storage), { recursive: true })
  fs.writeFileSync(
    path.join(at.home, storage, 'workspace.json'),
    JSON.stringify({ folder: `file://${SHOP}` }),
  )
  const event = (type: string, data: object) => {
    const file = `${storage}/GitHub.copilot-chat/transcripts/${id}.jsonl`
    write(at, file, [{ type, data, id: `${id}-${++written}`, timestamp: now(), parentId: null }])
    return session
  }
  const session = {
    says: (content: string) => event('user.message', { content }),
    calls: (toolCallId: string, args: object = ARGS) =>
      event('tool.execution_start', { toolCallId, toolName: 'mcp_recollect_get_request', arguments: args }),
  }
  event('session.start', { sessionId: id, version: 1, producer: 'copilot-agent', startTime: now() })
  return session
}
