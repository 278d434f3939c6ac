import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

export type Stream = NodeJS.WriteStream | WriteStream

/** Colours for a stream: none where it is not a terminal, or NO_COLOR is set. */
export function paint(stream: Stream) {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream })
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
    mark: style(['bold', 'yellow']),
  }
}

/** Whether somebody can see a whole screen and press keys. */
export function hasScreen(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
}

/**
 * Text from a chat, made safe for a terminal: control characters, escape sequences and
 * direction overrides could move the cursor or disguise what is shown.
 */
export function printable(text: string): string {
  return text
    .replace(/(?:\u001b\[|\u009b)[0-9;?]*[ -/]*[@-~]/g, '')
    .replace(/(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** On one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ')).trim()
}

/** How many columns a text takes: wide characters take two. */
export function width(text: string): number {
  if (NARROW.test(text)) return text.length
  return columnsOf(text).reduce((sum, { columns }) => sum + columns, 0)
}

/** The characters of a text as people see them, each with the columns that it takes. */
export function columnsOf(text: string): { text: string; columns: number }[] {
  if (NARROW.test(text)) return Array.from(text, (character) => ({ text: character, columns: 1 }))
  return Array.from(segments(text), ({ segment }) => ({ text: segment, columns: WIDE.test(segment) ? 2 : 1 }))
}

/** The text cut to so many columns. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let cut = ''
  let used = 0
  for (const character of columnsOf(text)) {
    used += character.columns
    if (used > columns - 1) break
    cut += character.text
  }
  return `${cut}…`
}

export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)))
}

/** Made when it is first needed: loading the tables takes longer than all else at the start. */
let segmenter: Intl.Segmenter | undefined
function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

const NARROW = /^[\x20-\x7e]*$/
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
