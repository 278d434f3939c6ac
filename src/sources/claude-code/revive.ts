import path from 'node:path'
import type { Message } from '../../model/chat.ts'
import type { Machine } from '../../platform/machine.ts'
import { lines, type Revivable, type RevivedFile, resultText, timesOf, toolName, uuidOf } from '../revived.ts'
import { roots } from './roots.ts'

/** A chat as Claude Code resumes it. Thoughts are left out: they count only with a signature. */
export function revive(revivable: Revivable, machine: Machine): RevivedFile[] {
  const { chat, messages, files } = revivable
  const times = timesOf(revivable)
  const version = /^\d+\.\d+\.\d+/.exec(chat.format ?? '')?.[0] ?? VERSION
  let parentUuid: string | null = null
  const records: object[] = messages.map((message, i) => {
    const uuid = uuidOf(message.role === 'assistant' ? `${message.id}:line` : message.id)
    const record = {
      parentUuid,
      isSidechain: false,
      ...said(message),
      uuid,
      timestamp: times[i],
      userType: 'external',
      cwd: chat.workspace ?? machine.home,
      sessionId: chat.id,
      version,
      ...(chat.branch && { gitBranch: chat.branch }),
    }
    parentUuid = uuid
    return record
  })
  if (chat.title) records.push({ type: 'custom-title', customTitle: chat.title, sessionId: chat.id })
  const folder = (chat.workspace ?? machine.home).replace(/[^A-Za-z0-9]/g, '-')
  const place =
    files.find((file) => SESSION.test(file)) ?? path.join(roots(machine)[0]!.path, folder, `${chat.id}.jsonl`)
  return [{ path: place, text: lines(records) }]
}

const VERSION = '2.1.325'
/** Files that hold sessions. */
export const SESSION = /\.jsonl$/
const REFUSED = /^The user doesn't want to (?:proceed|take this action)/

function said(message: Message): object {
  const { role, kind, text, toolResults = [], attachments = [], via } = message
  if (role === 'assistant' && kind !== 'summary') return assistantRecord(message)
  const results = toolResults.map((result) => ({
    type: 'tool_result',
    tool_use_id: result.callId,
    content: resultText(result),
    is_error: result.error !== undefined || REFUSED.test(result.text ?? ''),
  }))
  const pictures = attachments.flatMap(({ data, mimeType }) =>
    data && mimeType?.startsWith('image/')
      ? [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }]
      : [],
  )
  const words = via?.startsWith('/') ? asCommand(via, text) : text
  const content =
    results.length + pictures.length > 0
      ? [...results, ...(words ? [{ type: 'text', text: words }] : []), ...pictures]
      : words
  return {
    type: 'user',
    message: { role: 'user', content },
    ...(kind === 'summary' && { isCompactSummary: true }),
    ...(kind === 'delegated' && { origin: { kind: 'peer' } }),
  }
}

function assistantRecord({ id, text, toolCalls = [], model = 'unknown', usage }: Message): object {
  const content = [
    ...(text ? [{ type: 'text', text }] : []),
    ...toolCalls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: toolName(call),
      input: typeof call.args === 'object' && call.args !== null ? call.args : { input: call.args },
    })),
  ]
  const cached = usage?.cached ?? 0
  return {
    type: 'assistant',
    message: {
      ...{ id, type: 'message', role: 'assistant', model, content },
      stop_reason: toolCalls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: Math.max(0, (usage?.input ?? 0) - cached - (usage?.cacheWrite ?? 0)),
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: usage?.cacheWrite ?? 0,
        output_tokens: usage?.output ?? 0,
      },
    },
  }
}

/** A slash command that is a prompt, as it is written down. */
function asCommand(name: string, args: string): string {
  const word = name.slice(1)
  return `<command-message>${word}</command-message>\n<command-name>${name}</command-name>\n<command-args>${args}</command-args>`
}
