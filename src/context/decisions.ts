import type { LiveMessage } from '../recall/live.ts'
import { preview } from '../recall/preview.ts'

const MAX_DECISIONS = 10

/**
 * What was decided: where the assistant asked and the person answered, and sentences which say so
 * themselves.
 */
export function decisionsIn(messages: LiveMessage[]): string[] {
  const found: string[] = []
  let question: string | undefined
  for (const { kind, text } of messages) {
    if (kind === 'request') {
      if (question && text.length <= 200) found.push(`“${question}” — “${preview(text, 160)}”`)
      else found.push(...sentencesThatDecide(text))
      question = undefined
    } else if (kind === 'answer' && text.trim() !== '') {
      found.push(...sentencesThatDecide(text))
      question = closingQuestion(text)
    }
  }
  return [...new Set(found)].slice(-MAX_DECISIONS)
}

/** The question an answer ends with, if it ends with one. */
export function closingQuestion(text: string): string | undefined {
  const last = text.trim().split('\n').at(-1) ?? ''
  if (!/[?？]["”)*_\s]*$/.test(last)) return undefined
  const sentence = last.split(/(?<=[.!。！])\s+/).at(-1) ?? last
  return preview(unmarked(sentence), 160)
}

export function unmarked(line: string): string {
  return line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').replace(/\*\*|__/g, '')
}

const CUES = [
  /\b(?:decided|decision|chose|chosen|agreed|settled on|stick(?:ing)? with|go(?:ing)? with|we['’]ll (?:use|keep)|let['’]s (?:use|keep)|instead of|rather than)\b/i,
  /(?:решил|решено|решение:|выбрал|выбран|вместо|остановимся на)/i,
  /(?:决定|改用|选用|采用|而不是)/,
  /\b(?:entschieden|stattdessen|wir nehmen|on a décidé|au lieu de|decidimos|en lugar de)\b/i,
]

function sentencesThatDecide(text: string): string[] {
  return text
    .slice(0, 50_000)
    .replace(/^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1.*$/gm, '')
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/)
    .map((sentence) => unmarked(sentence).trim())
    .filter((sentence) => sentence.length > 10 && sentence.length <= 240)
    .filter((sentence) => !/[?？]$/.test(sentence) && CUES.some((cue) => cue.test(sentence)))
}
