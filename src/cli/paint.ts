import type { WriteStream } from 'node:tty'
import { inspect, styleText } from 'node:util'
import { own, printable } from './terminal.ts'

export { printable }

export type Stream = NodeJS.WriteStream | WriteStream

/** Colours for a stream: none where it is not a terminal, or NO_COLOR is set. */
export function paint(stream: Stream) {
  const style = (...formats: Style[]) => {
    const isOn = styleText('bold', 'x', { stream }) !== 'x'
    return (text: string) =>
      isOn ? formats.reduce((styled, format) => inside(format, styled, stream), text) : text
  }
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
    mark: style('bold', 'yellow'),
  }
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Where what is inside ends its own style, ours goes on. */
function inside(format: Style, text: string, stream: Stream): string {
  const [on = 0, off = 0] = inspect.colors[format] ?? []
  const [open, close] = [own(`\u001b[${on}m`, stream), own(`\u001b[${off}m`, stream)]
  return `${open}${text.replaceAll(close, close + open)}${close}`
}

/** Whether somebody can see a whole screen and press keys. */
export function hasScreen(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
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
