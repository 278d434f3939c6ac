import { type ModelMessage, modelMessageSchema } from 'ai'
import { type Compacted, compactedIn, shortened } from './compacted.ts'
import type { ProviderKind } from './providers.ts'
import { type Round, roundsIn } from './rounds.ts'
import type { EventOf, RunEvent } from './run-event.ts'

/** What was said so far, as a model of this kind is told it. */
export function messagesFrom(
  events: RunEvent[],
  kind: ProviderKind,
  takes: Takes = mediaFor(kind),
): ModelMessage[] {
  const messages: unknown[] = []
  const { kept, summary, isShort } = compactedIn(events)
  const entries = roundsIn(kept)
  const turn = entries.findLastIndex((entry) => 'text' in entry)
  for (const [at, entry] of entries.entries()) {
    if ('text' in entry) messages.push({ role: 'user', content: contentOf(entry) })
    else {
      messages.push(...saidIn(entry, kind, isShort))
      // Of what was asked before, the words must do.
      if (at > turn) messages.push(...shownIn(entry, takes))
    }
  }
  if (summary) {
    const told = `<summary of the earlier part of this chat>\n${summary}\n</summary>`
    messages.unshift({ role: 'user', content: told }, { role: 'assistant', content: 'I see.' })
  }
  return messages.flatMap((message) => {
    const parsed = modelMessageSchema.safeParse(message)
    return parsed.success ? [parsed.data] : []
  })
}

/** Whether a model takes what a tool gave back, by its kind. */
export type Takes = (mimeType: string) => boolean

/** Of one that is only like OpenAI nobody knows, unless it is said; documents have no place there. */
export function mediaFor(kind: ProviderKind, images?: boolean): Takes {
  if (kind !== 'openai-compatible') return () => images !== false
  return (mimeType) => images === true && mimeType.startsWith('image/')
}

/** What goes with a message comes before its words, as the providers advise for pictures. */
function contentOf({ text, attachments = [] }: EventOf<'request'>): unknown {
  if (attachments.length === 0) return text
  const parts = attachments.map(({ name, mimeType, data, url, text: written }) => {
    if (written !== undefined)
      return { type: 'text', text: `<file name=${JSON.stringify(name)}>\n${written}\n</file>` }
    const mediaType = mimeType || 'image'
    return { type: 'file', filename: name, mediaType, data: url ? new URL(url) : (data ?? '') }
  })
  return [...parts, ...(text ? [{ type: 'text', text }] : [])]
}

/** Pictures and documents that tools gave: as a message, since only some APIs have a place for them in a result. */
function shownIn({ answer: { calls = [] }, results }: Round, takes: Takes): unknown[] {
  const parts = calls.flatMap(({ id, name }) =>
    (results.get(id)?.media ?? []).flatMap(({ mimeType, data }) =>
      takes(mimeType)
        ? [
            { type: 'text', text: `What ${name} gave back:` },
            { type: 'file', mediaType: mimeType, data },
          ]
        : [],
    ),
  )
  return parts.length === 0 ? [] : [{ role: 'user', content: parts }]
}

/** Results stand in the order of their calls, whichever came first; all calls have one. */
function saidIn({ answer, results }: Round, kind: ProviderKind, isShort: Compacted['isShort']): unknown[] {
  const content = answer.content ?? (answer.text ? [{ type: 'text', text: answer.text }] : [])
  if (content.length === 0) return []
  const said = [{ role: 'assistant', content }]
  const { calls = [] } = answer
  if (calls.length === 0) return said
  const answered = calls.map(({ id, name }) => {
    const result = results.get(id)
    const text = result?.text ?? 'Error: It was not run.'
    const value = result && isShort(result) ? shortened(text) : text
    // OpenAI has no mark for what failed: the words must do.
    const output = { type: result?.ok || kind === 'openai' ? 'text' : 'error-text', value }
    return { type: 'tool-result', toolCallId: id, toolName: name, output }
  })
  return [...said, { role: 'tool', content: answered }]
}
