/** Text of a terminal: pieces, each with the classes of its colours. */
export type AnsiPiece = [text: string, className?: string]

export function hasAnsi(text: string): boolean {
  return text.includes('\u001b[')
}

/** Without any codes, and of a line that was written over and over only what was left in the end. */
export function withoutAnsi(text: string): string {
  return settled(text).replace(CODES, '')
}

/** Colours, bold, faint, italic, underlined; whatever else a terminal was told is left out. */
export function ansiPieces(text: string): AnsiPiece[] {
  const pieces: AnsiPiece[] = []
  let look: Look = {}
  let at = 0
  const whole = settled(text)
  const add = (to: number) => {
    if (to > at) pieces.push([whole.slice(at, to), classOf(look)])
  }
  for (const match of whole.matchAll(CODES)) {
    add(match.index)
    at = match.index + match[0].length
    if (match[0].endsWith('m') && match[0][1] === '[') look = changed(look, match[0].slice(2, -1))
  }
  add(whole.length)
  return pieces
}

interface Look {
  colour?: string
  back?: string
  bold?: boolean
  faint?: boolean
  italic?: boolean
  underlined?: boolean
  swapped?: boolean
}

const ESC = '\u001b'
/** Control sequences, titles and links, and single characters. */
const CODES = new RegExp(
  `${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?|${ESC}[@-Z\\\\^_]`,
  'g',
)
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** A progress bar goes back to the line's beginning for each step. */
function settled(text: string): string {
  return text.includes('\r') ? text.replace(/\r+\n/g, '\n').replace(/[^\n]*\r/g, '') : text
}

function changed(before: Look, codes: string): Look {
  let look = before
  const numbers = codes.split(/[;:]/).map((code) => Number(code || 0))
  for (let i = 0; i < numbers.length; i++) {
    const code = numbers[i] ?? 0
    if (code === 38 || code === 48) {
      const isIndexed = numbers[i + 1] === 5
      const name = isIndexed ? indexed(numbers[i + 2] ?? 0) : nearest(numbers.slice(i + 2, i + 5))
      look = code === 38 ? { ...look, colour: name } : { ...look, back: name }
      i += isIndexed ? 2 : 4
    } else look = { ...look, ...effectOf(code) }
    if (code === 0) look = {}
  }
  return look
}

function effectOf(code: number): Look {
  const place = code % 10
  if (code >= 30 && code <= 37) return { colour: NAMES[place] }
  if (code >= 90 && code <= 97) return { colour: NAMES[place] }
  if (code >= 40 && code <= 47) return { back: NAMES[place] }
  if (code >= 100 && code <= 107) return { back: NAMES[place] }
  const effects: Record<number, Look> = {
    1: { bold: true },
    2: { faint: true },
    3: { italic: true },
    4: { underlined: true },
    7: { swapped: true },
    22: { bold: false, faint: false },
    23: { italic: false },
    24: { underlined: false },
    27: { swapped: false },
    39: { colour: undefined },
    49: { back: undefined },
  }
  return effects[code] ?? {}
}

/** One of 256: sixteen by name, a cube, and greys. */
function indexed(number: number): string | undefined {
  if (number < 16) return NAMES[number % 8]
  if (number >= 232) return number < 244 ? 'black' : 'white'
  const cube = number - 16
  return nearest([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part * 51))
}

/** Of the eight that both themes have. */
function nearest([red = 0, green = 0, blue = 0]: number[]): string | undefined {
  const most = Math.max(red, green, blue)
  if (most < 60) return 'black'
  const bits = [red, green, blue].reduce((sum, part, place) => sum + (part > most * 0.6 ? 2 ** place : 0), 0)
  return NAMES[bits]
}

function classOf({ colour, back, bold, faint, italic, underlined, swapped }: Look): string | undefined {
  const [front, behind] = swapped ? [back, colour ?? 'white'] : [colour, back]
  const names = [
    front && `ansi-${front}`,
    behind && `ansi-on-${behind}`,
    bold && 'ansi-bold',
    faint && 'ansi-faint',
    italic && 'ansi-italic',
    underlined && 'ansi-underlined',
  ].filter(Boolean)
  return names.length > 0 ? names.join(' ') : undefined
}
