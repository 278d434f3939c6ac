import type { Message } from './chat.ts'
import { INJECTED, withoutRecall } from './injected.ts'
import { wordsOfJson } from './words.ts'

/** The most that is searched of what one message's tools were asked and answered. */
const SEARCHED_TOOL_TEXT = 48_000

/** What a message's tools were asked and answered, and what was attached, as text. */
export function toolText({ toolCalls, toolResults, attachments }: Message): string {
  let text = ''
  for (const call of toolCalls ?? []) text += `${call.server ?? ''} ${call.tool} ${wordsOfJson(call.args)}\n`
  for (const result of toolResults ?? []) {
    if (result.own) continue
    text += `${withoutRecall(result.text ?? '')}\n${result.error ?? ''}\n${result.json === undefined ? '' : wordsOfJson(result.json)}`
    if (text.length > SEARCHED_TOOL_TEXT) break
  }
  for (const attachment of attachments ?? [])
    if (attachment.type !== INJECTED)
      text += `${attachment.path ?? attachment.name} ${attachment.text ?? ''}\n`
  return text.slice(0, SEARCHED_TOOL_TEXT)
}
