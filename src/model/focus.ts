/**
 * What is left of a chat without the work in between: what was asked, and the last answer before the next request.
 * Takes messages in their order, those that say nothing left out; gives their indexes.
 */
export function focusOf(messages: Iterable<{ index: number; kind: string }>): number[] {
  const focus: number[] = []
  let answer: number | undefined
  for (const { index, kind } of messages) {
    if (kind === 'answer') answer = index
    else if (kind === 'request' || kind === 'delegated') {
      if (answer !== undefined) focus.push(answer)
      answer = undefined
      focus.push(index)
    }
  }
  return answer === undefined ? focus : [...focus, answer]
}
