import { printable } from '../paint.ts'

/**
 * Text from a chat as every terminal shows it alike. Nothing in it can move the cursor or speak to
 * the terminal. Where terminals disagree about how wide a sign is (joined and tinted emoji, signs
 * with a variation), it becomes the simple sign that they agree about.
 */
export function plain(text: string): string {
  const safe = printable(text.toWellFormed()).replaceAll('\t', '    ')
  if (ASCII.test(safe)) return safe
  return safe
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(JOINED_EMOJI, '$1')
    .replace(UNSEEN, '')
    .replace(FORMATTING, '')
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
}

/** The same, on one line. */
export function plainLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim()
}

const ASCII = /^[\n\x20-\x7e]*$/
const JOINED_EMOJI =
  /(\p{Extended_Pictographic})(?:[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]|\u200d\p{Extended_Pictographic})+/gu
/** Takes no column, or one in some terminals and two in others. */
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g
const FORMATTING = /\u034f|\u20e3|[\ufe00-\ufe0f]|[\u{e0000}-\u{e01ef}]/gu
