import type { Attachment, Message } from '../../model/chat.ts'
import { type Json, list, millis, object, objects, plain, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import type { Import } from './import.ts'
import { labelled } from './labels.ts'
import { newest, placed, type Twig } from './tree.ts'

/** What grok.com exports: a zip in which one file holds all chats. */
export const grok: Import = {
  ...labelled('grok'),
  looksFor: "Grok's data export (prod-grok-backend.json, or the zip with it)",
  recognise: ({ conversations }) =>
    objects(conversations).some(
      ({ conversation, responses }) => object(conversation) !== undefined && Array.isArray(responses),
    ),
  *read(elements) {
    for (const { value, problem } of elements) {
      if (problem) yield { problem }
      for (const [at, entry] of list(object(value)?.conversations).entries()) {
        try {
          yield* readConversation(object(entry) ?? {})
        } catch (error) {
          yield { problem: { reason: `chat ${at} could not be read: ${(error as Error).message}` } }
        }
      }
    }
  },
}

interface Said extends Twig {
  entry: Json
}

function* readConversation({ conversation, responses }: Json): Generator<Found> {
  const about = object(conversation)
  const id = words(about?.id)?.slice(0, 200)
  if (!about || !id) {
    yield { problem: { reason: 'a chat without an id' } }
    return
  }
  yield {
    chat: {
      source: 'grok',
      id,
      title: words(about.title)?.slice(0, 500),
      createdAt: timeOf(about.create_time),
      updatedAt: timeOf(about.modify_time),
      format: 'export',
    },
  }
  const twigs = twigsOf(objects(responses))
  for (const { twig, order, active } of placed(twigs, newest(twigs))) {
    const message = messageOf(twig, order)
    if (message) yield { chatId: id, message: active ? message : { ...message, undone: true } }
  }
}

/** Where no answer says what it follows, one follows the other. */
function twigsOf(responses: Json[]): Said[] {
  const entries = responses.map((each) => object(each.response) ?? each)
  const hasParents = entries.some(({ parent_response_id }) => words(parent_response_id))
  let before: string | undefined
  return entries.map((entry, place) => {
    const id = words(entry._id) ?? words(entry.id) ?? String(place)
    const parent = words(entry.parent_response_id) ?? (hasParents ? undefined : before)
    before = id
    return { id, parent, at: timeOf(entry.create_time), entry }
  })
}

function messageOf({ id, at, entry }: Said, order: number): Message | undefined {
  const text = string(entry.message) ?? ''
  const attachments = list(entry.file_attachments).map(attachmentOf)
  const thinking = words(thoughtsIn(entry.agent_thinking_traces))
  if (!words(text) && attachments.length === 0 && !thinking) return undefined
  const about = {
    id,
    order,
    text,
    ...(at !== undefined && { createdAt: at }),
    ...(attachments.length > 0 && { attachments }),
  }
  if (/^(human|user)$/i.test(string(entry.sender) ?? '')) return { ...about, role: 'user', kind: 'request' }
  const model = words(entry.model)?.slice(0, 200)
  return {
    ...about,
    role: 'assistant',
    kind: 'answer',
    ...(thinking && { thinking }),
    ...(model && { model }),
  }
}

function thoughtsIn(traces: unknown): string {
  return list(traces)
    .map((trace) => words(object(trace)?.thinking_trace) ?? words(object(trace)?.text) ?? words(trace) ?? '')
    .filter(Boolean)
    .join('\n\n')
}

function attachmentOf(file: unknown): Attachment {
  const told = object(file)
  return { name: words(told?.file_name) ?? words(told?.name) ?? words(file) ?? 'file', type: 'file' }
}

/** ISO text, or as a database of theirs writes it: `{"$date":{"$numberLong":"…"}}`. */
function timeOf(value: unknown): number | undefined {
  const date = object(value)?.$date
  const long = object(date)?.$numberLong
  return millis(long === undefined ? (date ?? value) : Number(plain(long)))
}
