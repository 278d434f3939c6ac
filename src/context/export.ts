import type { Clean } from '../model/clean.ts'
import { dateTime } from '../model/day.ts'
import { RecollectError } from '../model/errors.ts'
import { changeFile, fileFailure } from '../platform/change-file.ts'
import { redactJson } from '../platform/redact.ts'
import { type LiveChat, type LiveHeader, type LiveMessage, saidIn } from '../recall/live.ts'
import type { Provenance } from './entry.ts'
import { shortHash } from './entry.ts'
import { noContextFile, type Place, realFile } from './place.ts'
import { putEntry } from './put-entry.ts'
import { summarize, summaryText } from './summary.ts'

export interface Exported {
  success: true
  exported: { title: string; messageCount: number; timestamp: string }
  /** What became of the entry of an earlier export of the same chat. */
  entry: 'added' | 'updated' | 'unchanged'
  note: string
  path: string
}

export async function exportConversation(
  place: Place,
  live: LiveChat,
  { format = 'summary', clean = redactJson }: { format?: 'summary' | 'full'; clean?: Clean } = {},
  now = Date.now,
): Promise<Exported> {
  try {
    const { chat, messages: all } = live
    const real = realFile(place.file, place.workspace, 'EXPORT_ERROR')
    if (!real) throw noContextFile(place, 'CONTEXT_NOT_FOUND')
    const messages = all.filter((message) => !message.undone)
    // Before anything is cut: half a secret would not be known for one.
    const [header, said] = clean([chat, messages] as const, saidIn(live))
    const requests = messages.filter((message) => message.kind === 'request').length
    const entry = {
      title: header.title,
      content: entryContent(header, said, format),
      provenance: {
        chat: referenceOf(chat),
        ...(requests > 0 && { requests: [1, requests] as [number, number] }),
        format,
        hash: chatHash(messages, requests),
      },
    }
    const { outcome, timestamp, kept } = await changeFile(real, () => putEntry(real, entry, now))
    return {
      success: true,
      exported: { title: entry.title, messageCount: messages.length, timestamp },
      entry: outcome,
      note: NOTES[outcome] + (kept ? ' Its earlier entry was edited by hand and stays as it is.' : ''),
      path: place.file,
    }
  } catch (error) {
    if (error instanceof RecollectError && error.code === 'WRITE_ERROR') {
      throw new RecollectError('EXPORT_ERROR', error.message, error.hint)
    }
    throw fileFailure(error, 'EXPORT_ERROR', place.file)
  }
}

const NOTES = {
  added: 'A new entry was added.',
  updated: 'The chat had an entry already: it was updated and is now the last one.',
  unchanged: 'The chat has an entry already, and nothing was said in it since.',
}

function referenceOf(chat: { source: string; id: string }): string {
  return `${chat.source}:${chat.id}`
}

/** Of what was asked and answered, up to and with the answer to the last of so many requests. */
function chatHash(messages: LiveMessage[], requests: number): string {
  const said: string[] = []
  let asked = 0
  for (const { kind, text, undone } of messages) {
    if (undone || (kind !== 'request' && kind !== 'answer')) continue
    if (kind === 'request' && ++asked > requests) break
    said.push(`${kind}\n${text}`)
  }
  return shortHash(said.join('\n\0\n'))
}

export type SourceState = 'unchanged' | 'continued' | 'changed' | 'missing'

/** How the source of an entry compares with what the entry was made from. */
export function chatState(provenance: Provenance, messages: LiveMessage[]): SourceState {
  const last = provenance.requests?.[1] ?? 0
  const said = messages.filter((message) => !message.undone)
  if (chatHash(said, last) !== provenance.hash) return 'changed'
  return said.filter((message) => message.kind === 'request').length > last ? 'continued' : 'unchanged'
}

function entryContent(chat: LiveHeader, messages: LiveMessage[], format: 'summary' | 'full'): string {
  const facts = [
    chat.source,
    chat.workspace,
    chat.branch,
    chat.updatedAt && `last active ${dateTime(chat.updatedAt)}`,
    `${messages.length} messages`,
    chat.resume && `\`${chat.resume}\``,
  ]
  const head = `_${facts.filter(Boolean).join(' · ')}_`
  return `${head}\n\n${format === 'full' ? fullText(messages) : summaryText(summarize(chat, messages))}`
}

function fullText(messages: LiveMessage[]): string {
  let requests = 0
  const parts: string[] = []
  for (const { kind, text, toolCalls = [] } of messages) {
    if (kind === 'request') parts.push(`### Request ${++requests}\n\n${text.trim()}`)
    else if (kind === 'answer') {
      const tools = toolCalls.map((call) => call.tool)
      if (text.trim()) parts.push(`### Answer\n\n${text.trim()}`)
      if (tools.length > 0) parts.push(`_Tools: ${tools.join(', ')}_`)
    } else if (kind === 'summary') parts.push(`### Summary of what was before\n\n${text.trim()}`)
  }
  return parts.join('\n\n')
}
