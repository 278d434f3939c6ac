import type { Via } from '../../model/chat.ts'
import { type Json, list, object, string, words } from '../json.ts'
import { blocksOf } from './content.ts'

/** What the person said to a tool's call instead of typing a prompt. */
export interface Spoken {
  via: Via
  text: string
}

/** The comment of a refusal and the answers to questions, in the results of one record. */
export function spokenIn(record: Json, blocks: Json[]): Spoken[] {
  const results = blocks.filter((block) => block.type === 'tool_result')
  const details = results.length === 1 ? object(record.toolUseResult) : undefined
  return results.flatMap((result): Spoken[] => {
    const failed = result.is_error === true
    const opening = failed ? '' : openingOf(result.content)
    // Hot path: hardly any result was said by a person.
    if (!failed && details?.answers === undefined && !ANSWERED.test(opening)) return []
    const text = blocksOf(result.content)
      .flatMap((part) => string(part.text) ?? [])
      .join('\n')
    const said = failed ? refusalIn(text) : answersIn(details, text)
    return said ? [{ via: failed ? 'refusal' : 'answer', text: said }] : []
  })
}

function openingOf(content: unknown): string {
  return (string(content) ?? string(object(list(content)[0])?.text) ?? '').slice(0, 100)
}

const REFUSED = /^(?:Error: )?(?:The user doesn't want to proceed|Permission for this tool use was denied)/
const SAID = /\bthe user said:\s*\n/i
/** What Claude Code itself adds behind the comment. */
const ADDED = /\n\n(?:Note: The user's next message|<system-reminder>)/

function refusalIn(text: string): string | undefined {
  if (!REFUSED.test(text)) return undefined
  const said = SAID.exec(text)
  if (!said) return undefined
  const comment = text.slice(said.index + said[0].length)
  const added = ADDED.exec(comment)
  return words(comment.slice(0, added ? added.index : undefined))?.trim()
}

const ANSWERED = /^User has answered your questions?: /

/** What was chosen or typed, one line for each question. */
function answersIn(details: Json | undefined, text: string): string | undefined {
  const answers = object(details?.answers)
  if (answers && Array.isArray(details?.questions)) {
    const notes = object(details.annotations)
    const lines = Object.entries(answers).map(([question, answer]) =>
      [
        words(answer) ??
          list(answer)
            .filter((each) => words(each))
            .join(', '),
        words(object(notes?.[question])?.notes),
      ]
        .filter(Boolean)
        .join(': '),
    )
    return words([...lines, words(details.response)].filter(Boolean).join('\n'))
  }
  if (!ANSWERED.test(text)) return undefined
  // Before the record held them: "question"="answer", …
  const told = [...text.matchAll(/"="(.{1,20000}?)"(?=, "|\. You can now|[ .]*$)/gs)].map(
    (found) => found[1]!,
  )
  return words(told.join('\n'))
}
