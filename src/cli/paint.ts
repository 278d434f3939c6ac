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

/**
 * Text from a chat, made safe for a terminal: control characters, escape sequences and
 * direction overrides could move the cursor or disguise what is shown.
 */
export function printable(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** On one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ')).trim()
}

/** How many columns a text takes: wide characters take two. */
export function width(text: string): number {
  let columns = 0
  for (const { segment } of segments(text)) columns += WIDE.test(segment) ? 2 : 1
  return columns
}

/** The text cut to so many columns. */
export function fit(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let cut = ''
  let used = 0
  for (const { segment } of segments(text)) {
    used += WIDE.test(segment) ? 2 : 1
    if (used > columns - 1) break
    cut += segment
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

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
