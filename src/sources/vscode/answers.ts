import type { Via } from '../../model/chat.ts'
import { type Json, list, object, objects, plain, string, words } from '../json.ts'

/** What the person said to a question in the middle of a turn. */
export interface PersonsAnswer {
  text: string
  via: Via
  /** Where in the response the question is. */
  place: number
}

/** The person's answers to questions, forms and plans of a response; a pressed button is none. */
export function answersIn(response: unknown): PersonsAnswer[] {
  const answers: PersonsAnswer[] = []
  list(response).forEach((part, place) => {
    const fields = object(part)
    const said = fields?.kind === undefined ? undefined : answerOf(fields)
    if (said) answers.push({ ...said, place })
  })
  return answers
}

function answerOf(part: Json): Omit<PersonsAnswer, 'place'> | undefined {
  switch (part.kind) {
    case 'questionCarousel': {
      const answers = object(part.data) ?? {}
      const said = objects(part.questions).map(({ id }) =>
        Object.hasOwn(answers, string(id) ?? '') ? answerText(answers[string(id) ?? '']) : undefined,
      )
      return answer(said.filter((text) => text !== undefined).join('\n'))
    }
    case 'planReview': {
      const { rejected, feedback } = object(part.data) ?? {}
      return answer(words(feedback), rejected === true ? 'refusal' : 'answer')
    }
    case 'elicitation':
    case 'elicitationSerialized':
      return answer(
        Object.values(object(part.acceptedResult) ?? {})
          .map(plain)
          .join('\n'),
      )
    default:
      return undefined
  }
}

function answer(text: string | undefined, via: Via = 'answer'): Omit<PersonsAnswer, 'place'> | undefined {
  const said = words(text?.trim())
  return said ? { text: said, via } : undefined
}

/** One answer of a question carousel: what was chosen, and what was typed. */
export function answerText(given: unknown): string | undefined {
  const { selectedValue, selectedValues, freeformValue } = object(given) ?? { freeformValue: given }
  const chosen = [selectedValue, ...list(selectedValues), freeformValue].map(plain)
  return words(chosen.filter((text) => text !== '').join(', '))
}
