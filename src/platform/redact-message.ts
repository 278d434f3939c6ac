import type { Attachment, Chat, Message } from '../model/chat.ts'
import { redactJsonIn } from './redact-json.ts'
import type { Seen } from './secrets/seen.ts'

/** A message without secrets. Ids stay: by them calls and their results belong together, and messages are known again. */
export function redactMessage<M extends Message>(message: M, seen: Seen): M {
  const clean = <T>(value: T): T => redactJsonIn(value, seen)
  const { text, thinking, toolCalls, toolResults, citations, attachments, files } = message
  const one = clean({ text, thinking, citations, files, toolCalls, toolResults, ...named(attachments) })
  return {
    ...message,
    text: one.text,
    ...(thinking !== undefined && { thinking: one.thinking }),
    ...(citations && { citations: one.citations }),
    ...(files && { files: one.files }),
    ...(toolCalls && { toolCalls: toolCalls.map((call, i) => ({ ...one.toolCalls![i], id: call.id })) }),
    ...(toolResults && {
      toolResults: toolResults.map((result, i) => ({ ...one.toolResults![i], callId: result.callId })),
    }),
    ...(attachments && { attachments: attachments.map((each, i) => ({ ...each, ...one.attached![i] })) }),
  }
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
