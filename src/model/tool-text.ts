import type { Message } from './chat.ts'
import { firstPart, LONGEST_SECRET } from './clean.ts'
import { INJECTED, withoutRecall } from './injected.ts'
import { wordsOfJson } from './words.ts'

/** The most that is searched of what one message's tools were asked and answered. */
export const SEARCHED_TOOL_TEXT = 48_000

export type ToolsOf = Pick<Message, 'toolCalls' | 'toolResults' | 'attachments'>

/**
 * What is searched of a message's tools and of what was attached, by its names: by these secrets are known, which must be
 * taken out before it is made a text.
 */
export function toolsOf(
  { toolCalls, toolResults, attachments }: ToolsOf,
  most = SEARCHED_TOOL_TEXT,
): ToolsOf {
  return {
    ...(toolCalls && { toolCalls }),
    ...(toolResults && {
      toolResults: toolResults
        .filter(({ own }) => !own)
        .map((result) =>
          (result.text?.length ?? 0) > most + LONGEST_SECRET
            ? { ...result, text: firstPart(withoutRecall(withoutRuns(result.text!)), most) }
            : result,
        ),
    }),
    ...(attachments && {
      attachments: attachments
        .filter(({ type }) => type !== INJECTED)
        .map(({ name, type, path, text = '' }) => ({ name, type, path, text: firstPart(text, most) })),
    }),
  }
}

/** What a message's tools were asked and answered, and what was attached, as text. */
export function toolText(
  { toolCalls, toolResults, attachments }: ToolsOf,
  most = SEARCHED_TOOL_TEXT,
): string {
  let text = ''
  const wordsOf = (json: unknown) => wordsOfJson(json, most < Number.POSITIVE_INFINITY ? undefined : most)
  for (const call of toolCalls ?? []) text += `${call.server ?? ''} ${call.tool} ${wordsOf(call.args)}\n`
  for (const result of toolResults ?? []) {
    if (result.own) continue
    text += `${withoutRecall(withoutRuns(result.text ?? ''))}\n${result.error ?? ''}\n${result.json === undefined ? '' : wordsOf(result.json)}`
    if (text.length > most) break
  }
  for (const attachment of attachments ?? [])
    if (attachment.type !== INJECTED)
      text += `${attachment.path ?? attachment.name} ${attachment.text ?? ''}\n`
  return text.length > most ? text.slice(0, most) : text
}

/** Something that was said, thought, done by tools or is a title: as it is cleaned, by its names. `heldText` tells its text. */
export type Held = { text: string } | { title: string } | ToolsOf

export function heldText(held: Held, mostOfTools = Number.POSITIVE_INFINITY): string {
  if ('title' in held) return held.title
  return 'text' in held ? held.text : toolText(held, mostOfTools)
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
