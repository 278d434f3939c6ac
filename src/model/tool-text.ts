import type { Message } from './chat.ts'
import { INJECTED, withoutRecall } from './injected.ts'
import { wordsOfJson } from './words.ts'

/** The most that is searched of what one message's tools were asked and answered. */
const SEARCHED_TOOL_TEXT = 48_000

/** What a message's tools were asked and answered, and what was attached, as text. */
export function toolText(
  { toolCalls, toolResults, attachments }: Message,
  most = SEARCHED_TOOL_TEXT,
): string {
  let text = ''
  for (const call of toolCalls ?? []) text += `${call.server ?? ''} ${call.tool} ${wordsOfJson(call.args)}\n`
  for (const result of toolResults ?? []) {
    if (result.own) continue
    text += `${withoutRecall(withoutRuns(result.text ?? ''))}\n${result.error ?? ''}\n${result.json === undefined ? '' : wordsOfJson(result.json)}`
    if (text.length > most) break
  }
  for (const attachment of attachments ?? [])
    if (attachment.type !== INJECTED)
      text += `${attachment.path ?? attachment.name} ${attachment.text ?? ''}\n`
  return text.length > most ? text.slice(0, most) : text
}

const RUN = 4096
const RUNS = /[\w+/=-]{4096,}/g

/**
 * A text without base64 and the like, in which there is nothing to find. Any run of RUN characters
 * covers a multiple of RUN/2, so a few looks tell whether there is one.
 */
function withoutRuns(text: string): string {
  for (let at = RUN / 2; at < text.length; at += RUN / 2) {
    if (isRun(text.slice(at, at + RUN / 2))) return text.replace(RUNS, ' ')
  }
  return text
}

function isRun(piece: string): boolean {
  return piece.length > 64 && /^[\w+/=-]+$/.test(piece)
}
