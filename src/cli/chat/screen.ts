import { columnsOf, fit, printable, width } from '../paint.ts'
import { forTerminal, plainText } from '../terminal.ts'

/** Where we write: a terminal whose size may change. */
export interface Output {
  columns?: number
  rows?: number
  write(text: string): unknown
}

/** The field at the bottom: what is before the text, the text, and where the cursor is in it. */
export interface Field {
  prompt: string
  /** As wide as `prompt` is seen. */
  promptWidth: number
  text: string
  at: number
}

/**
 * What is said goes up the terminal as with any program, and can be scrolled and copied; below it lie
 * the line that is not whole yet, a sign that work is done, and the field to type in, drawn again with every change.
 */
export class Screen {
  readonly #out: Output
  #partial = ''
  /** Row of the cursor in what is drawn; nothing where nothing is. */
  #cursorRow: number | undefined
  field: Field | undefined
  /** Said above the field while something is being done. */
  status = ''
  /** Below the field: what Tab could complete. */
  hint = ''
  /** For both. */
  dim: (text: string) => string = (text) => text

  constructor(out: Output) {
    this.#out = out
  }

  /** A line of our own, with colours. Whatever came before it is ended. */
  line(text: string): void {
    this.#erase()
    this.#endPartial()
    this.#out.write(`${forTerminal(text)}\n`)
    this.draw()
  }

  /** Somebody else writes to the terminal. */
  aside(work: () => void): void {
    this.#erase()
    this.#endPartial()
    work()
    this.draw()
  }

  /** Words of the answer, as they come. */
  print(text: string): void {
    const lines = (this.#partial + text).split('\n')
    this.#partial = lines.pop() ?? ''
    this.#erase()
    for (const line of lines) this.#out.write(`${forTerminal(line)}\n`)
    // A very long line goes up in pieces, so that the field keeps its place.
    const rows = wrapped(plainText(this.#partial), this.#columns)
    if (rows.length > this.#rows / 2) {
      const hasLinks = plainText(this.#partial) !== this.#partial
      this.#out.write(`${hasLinks ? forTerminal(this.#partial) : rows.slice(0, -1).join('\n')}\n`)
      this.#partial = hasLinks ? '' : (rows.at(-1) ?? '')
    }
    this.draw()
  }

  /** The answer has ended, or something else is to be said. */
  endLine(): void {
    if (this.#partial === '') return
    this.#erase()
    this.#endPartial()
    this.draw()
  }

  draw(): void {
    this.#erase()
    const columns = this.#columns
    const above = [...wrapped(plainText(this.#partial), columns), ...this.#small(this.status)]
    if (this.#partial === '') above.shift()
    if (!this.field) {
      if (above.length === 0) return
      this.#out.write(above.slice(1 - this.#rows).join('\n'))
      this.#cursorRow = Math.min(above.length, this.#rows - 1) - 1
      return
    }
    const { rows, row, column } = laidOut(this.field, columns, Math.max(2, this.#rows - 3))
    const below = this.#small(this.hint)
    const room = Math.max(0, this.#rows - 1 - rows.length - below.length)
    const shown = [...(room === 0 ? [] : above.slice(-room)), ...rows]
    this.#out.write([...shown, ...below].join('\n'))
    this.#cursorRow = shown.length - rows.length + row
    const up = shown.length + below.length - 1 - this.#cursorRow
    this.#out.write(`${up > 0 ? `\u001b[${up}A` : ''}\r${column > 0 ? `\u001b[${column}C` : ''}`)
  }

  /** Leaves all as it is, with the cursor below. */
  leave(): void {
    this.status = ''
    this.hint = ''
    this.field = undefined
    this.#erase()
    this.#endPartial()
  }

  #small(text: string): string[] {
    return text === '' ? [] : [this.dim(fit(printable(text), this.#columns - 1))]
  }

  #endPartial(): void {
    if (this.#partial !== '') this.#out.write(`${forTerminal(this.#partial)}\n`)
    this.#partial = ''
  }

  #erase(): void {
    if (this.#cursorRow === undefined) return
    this.#out.write(`${this.#cursorRow > 0 ? `\u001b[${this.#cursorRow}A` : ''}\r\u001b[J`)
    this.#cursorRow = undefined
  }

  get #columns(): number {
    return Math.max(20, this.#out.columns ?? 80)
  }

  get #rows(): number {
    return Math.max(5, this.#out.rows ?? 24)
  }
}

/** The rows that a line takes, cut where the terminal would. */
function wrapped(line: string, columns: number): string[] {
  // The last column is left free: what a terminal does there differs.
  const most = columns - 1
  if (width(line) <= most) return [line]
  const rows: string[] = []
  let row = ''
  let used = 0
  for (const { text, columns: wide } of columnsOf(line)) {
    if (used + wide > most) {
      rows.push(row)
      row = ''
      used = 0
    }
    row += text
    used += wide
  }
  return [...rows, row]
}

/** The rows of a field, as many as there is room for around the cursor. */
function laidOut(
  { prompt, promptWidth, text, at }: Field,
  columns: number,
  most: number,
): { rows: string[]; row: number; column: number } {
  const rows: string[] = []
  let [row, column] = [0, promptWidth]
  let start = 0
  for (const line of text.split('\n')) {
    const lead = start === 0 ? prompt : ' '.repeat(promptWidth)
    const pieces = wrapped(line.replaceAll('\t', ' '), columns - promptWidth)
    let begin = start
    for (const [index, piece] of pieces.entries()) {
      const isLast = index === pieces.length - 1
      if (at >= begin && (at < begin + piece.length || (isLast && at <= begin + piece.length))) {
        row = rows.length
        column = promptWidth + width(printable(text.slice(begin, at)))
      }
      rows.push(`${index === 0 ? lead : ' '.repeat(promptWidth)}${printable(piece)}`)
      begin += piece.length
    }
    start += line.length + 1
  }
  const from = Math.max(0, Math.min(row - most + 1, rows.length - most))
  return { rows: rows.slice(from, from + most), row: row - from, column }
}
