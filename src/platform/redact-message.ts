import type { Attachment, Chat, Message } from '../model/chat.ts'
import { redactJsonIn } from './redact-json.ts'
import type { Seen } from './secrets/seen.ts'

/** A message without secrets. Its own id stays, by which it is known again when its file is read. */
export function redactMessage<M extends Message>(message: M, seen: Seen): M {
  const { text, thinking, via, model, toolCalls, toolResults, citations, attachments, files } = message
  const said = { text, thinking, via, model, citations, files, toolCalls, toolResults }
  const one = redactJsonIn({ ...said, ...named(attachments) }, seen)
  return {
    ...message,
    text: one.text,
    ...(thinking !== undefined && { thinking: one.thinking }),
    ...(via !== undefined && { via: one.via }),
    ...(model !== undefined && { model: one.model }),
    ...(citations && { citations: one.citations }),
    ...(files && { files: one.files }),
    ...(toolCalls && {
      toolCalls: toolCalls.map((call, i) => ({ ...one.toolCalls![i], id: callName(call.id, seen) })),
    }),
    ...(toolResults && {
      toolResults: toolResults.map((result, i) => ({
        ...one.toolResults![i],
        callId: callName(result.callId, seen),
      })),
    }),
    ...(attachments && { attachments: attachments.map((each, i) => ({ ...each, ...one.attached![i] })) }),
  }
}

/** The id of a call; where it holds a secret another one, by which the call and its result still belong together. */
function callName(id: string, seen: Seen): string {
  return redactJsonIn(id, seen) === id ? id : `call-${seen.markOf(id).toString(36)}`
}

/** What is known of a chat, without secrets. */
export function redactHeader<C extends Partial<Chat>>(chat: C, seen: Seen): C {
  const { source, id, parentId, forkOf, ...said } = chat
  return { ...chat, ...redactJsonIn(said, seen) }
}

/** What an attachment holds in base64 is no text. */
function named(attachments: Attachment[] | undefined): { attached?: Omit<Attachment, 'data'>[] } {
  return attachments ? { attached: attachments.map(({ data: _, ...rest }) => rest) } : {}
}
