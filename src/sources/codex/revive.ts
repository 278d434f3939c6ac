import path from 'node:path'
import type { Message } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { lines, type Revivable, type RevivedFile, resultText, timesOf, toolName, uuidOf } from '../revived.ts'
import { rolloutNameOf } from './rollout-files.ts'

/** A chat as Codex resumes it. Thoughts are left out: they count only encrypted. */
export function revive(revivable: Revivable, machine: Machine): RevivedFile[] {
  const { chat, messages, files } = revivable
  // A thread's first file: later ones only tell what came after it was reverted.
  const file = files.find(
    (each) => each.endsWith('.jsonl') && SESSION.test(each) && rolloutNameOf(each)?.after === 0,
  )
  const times = timesOf(revivable)
  const started = times[0] ?? new Date(chat.createdAt ?? 0).toISOString()
  const cwd = chat.workspace ?? machine.home
  const model = messages.find((message) => message.model)?.model ?? 'gpt-5.5'
  const records: object[] = []
  const record = (timestamp: string, type: string, payload: object) =>
    records.push({ timestamp, type, payload })
  record(started, 'session_meta', {
    ...{ id: chat.id, session_id: chat.id, timestamp: started, cwd, originator: 'codex_cli_rs' },
    ...{ cli_version: versionOf(chat.format), source: 'cli', thread_source: 'user' },
    ...(chat.branch && { git: { branch: chat.branch } }),
  })
  let turn = ''
  const turnEnds = (at: string) => {
    if (turn) record(at, 'event_msg', { type: 'task_complete', turn_id: turn, last_agent_message: null })
    turn = ''
  }
  for (const [i, message] of messages.entries()) {
    const at = times[i]!
    if (message.role === 'user' && message.kind === 'request') {
      turnEnds(at)
      turn = uuidOf(`${message.id}:turn`)
      record(at, 'event_msg', { type: 'task_started', turn_id: turn, model_context_window: null })
      record(at, 'turn_context', {
        ...{ turn_id: turn, cwd, approval_policy: 'on-request', sandbox_policy: { type: 'read-only' } },
        ...{ model, summary: 'auto' },
      })
      record(at, 'response_item', prompt(message))
      record(at, 'event_msg', { type: 'user_message', message: message.text, images: [] })
      continue
    }
    for (const item of itemsOf(message)) record(at, 'response_item', item)
    if (message.role === 'assistant' && message.kind === 'answer' && message.text)
      record(at, 'event_msg', { type: 'agent_message', message: message.text })
  }
  turnEnds(times.at(-1) ?? started)
  return [{ path: file ?? placeOf(chat.id, started, machine), text: lines(records) }]
}

const VERSION = '0.166.0'
/** Files that hold threads. */
export const SESSION = /rollout-[^/\\]+\.(?:jsonl|jsonl\.zst|json)$/

function versionOf(format: string | undefined): string {
  return /\d+\.\d+\.\d+/.exec(format ?? '')?.[0] ?? VERSION
}

function prompt({ id, text, attachments = [] }: Message): object {
  const pictures = attachments.flatMap(({ data, mimeType }) =>
    data && mimeType ? [{ type: 'input_image', image_url: `data:${mimeType};base64,${data}` }] : [],
  )
  return { type: 'message', id, role: 'user', content: [{ type: 'input_text', text }, ...pictures] }
}

function itemsOf(message: Message): object[] {
  const { id, role, kind, text, toolCalls = [], toolResults = [] } = message
  if (role === 'assistant' && kind !== 'summary')
    return [
      ...(text
        ? [{ type: 'message', id: `msg_${uuidOf(id)}`, role, content: [{ type: 'output_text', text }] }]
        : []),
      ...toolCalls.map((call) => ({
        ...{ type: 'function_call', name: toolName(call), call_id: call.id },
        arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {}),
      })),
    ]
  const outputs = toolResults.map((result) => ({
    ...{
      type: 'function_call_output',
      call_id: result.callId,
      output: framed(resultText(result), result.exitCode),
    },
  }))
  if (outputs.length > 0 || !text) return outputs
  const said = kind === 'summary' ? `Summary of what was said before:\n\n${text}` : text
  return [{ type: 'message', id, role: 'user', content: [{ type: 'input_text', text: said }] }]
}

/** As Codex frames what a command gave. */
function framed(text: string, exitCode: number | undefined): string {
  return exitCode === undefined ? text : `Exit code: ${exitCode}\nWall time: 0 seconds\nOutput:\n${text}`
}

function placeOf(id: string, started: string, { home, env }: Machine): string {
  const root = env.CODEX_HOME || path.join(home, '.codex')
  const [year, month, day] = started.slice(0, 10).split('-')
  const moment = started.slice(0, 19).replaceAll(':', '-')
  return path.join(root, 'sessions', year!, month!, day!, `rollout-${moment}-${id}.jsonl`)
}
