import { isMixed } from './chance.ts'
import { type NameStrength, strengthOf } from './names.ts'
import type { Rule, Span } from './span.ts'
import { isSecretValue } from './values.ts'

/** In the line below the head of a table: in Markdown, and as databases and consoles draw it. */
const BELOW_HEAD = ['--|', '-- |', '--+', '─┼', '─│', '━╋', '━┃', '═╪', '═│']
const LINE_BELOW_HEAD = /^[-:─━═+|┼╂╋╪│┃├┠┣╞┤┨┫╡> \t\r]+$/
/** Between two rows. */
const LINE_BETWEEN = /^[ \t]*[+├┠┣][-─━+┼╂╋]+[+┤┨┫][ \t\r]*$/
const BAR = /[|│┃]/
/** Without the blanks and marks around it. */
const VALUE = /[^\s`*'"](?:.*[^\s`*'"])?/
const MANNER = { quoted: true, setting: true, inSentence: false }

/** What stands in the columns of passwords and keys: `| user | password |`. */
export function secretsInTables(text: string): Span[] {
  const found: Span[] = []
  for (const sign of BELOW_HEAD)
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at))
      at = secretsInTable(text, at, found)
  return found
}

/** Of the table with this place in the line below its head; gives where it ends. */
function secretsInTable(text: string, at: number, found: Span[]): number {
  const start = text.lastIndexOf('\n', at) + 1
  let end = endOfLine(text, at)
  if (start === 0 || !LINE_BELOW_HEAD.test(text.slice(start, end))) return end
  const head = text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
  if (!BAR.test(head)) return end
  const columns = head.split(BAR).map(strengthOf)
  const isOfNone = columns.every((strength) => strength === undefined)
  while (end < text.length) {
    const from = end + 1
    const to = endOfLine(text, from)
    const row = text.slice(from, to)
    if (!BAR.test(row) && !LINE_BETWEEN.test(row)) break
    if (!isOfNone) addSecretsOfRow(row, from, columns, found)
    end = to
  }
  return end
}

function addSecretsOfRow(row: string, start: number, columns: NameStrength[], found: Span[]): void {
  let at = start
  for (const [i, cell] of row.split(BAR).entries()) {
    const value = VALUE.exec(cell)
    if (value && isSecretValue(columns[i], value[0], MANNER)) {
      const from = at + value.index
      found.push({ from, to: from + value[0].length, kind: 'password' })
    }
    at += cell.length + 1
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The names of columns that are looked for in heads of lists: `user,password`. */
const COLUMN_WORDS = ['password', 'passwort', 'passwd', 'pwd', 'secret', 'token', 'key']

/** A glance at it: a column, and what stands between it and the next one, or at the end of the line. */
const COLUMN = new RegExp(
  `(?:${COLUMN_WORDS.join('|')})[\\w ]{0,12}(?:["*\`]|\\\\")*[ ]{0,40}(?:[,;|│┃]|\\\\[nrt])`,
  'i',
)

export function mayHaveColumns(text: string): boolean {
  return COLUMN.test(text)
}

/** Lists with a head of names, as spreadsheets and consoles write them, and rows that go into a database. */
export const LISTS: Rule[] = [
  ...COLUMN_WORDS.map((literal) => ({ literal, find: secretsInList })),
  ...['insert into', 'insert ignore into', 'insert or replace into', 'replace into'].map((literal) => ({
    literal,
    find: (text: string, _: number, to: number) => insertedSecrets(text, to),
  })),
]

const LONGEST_HEAD = 600
const LONGEST_LINE = 2_000
const MOST_ROWS = 500
/** In a diff or a quotation there is a sign before the first. */
const NAME = /^(?:[>+-][ \t]?)?[ \t]*"?[A-Za-z][\w .-]{0,40}"?[ \t\r]*$/
/** What stands between two columns. */
const BETWEEN = [/,/, /;/, /\t/, /(?: {2,}|\t)[ \t]*/]

function secretsInList(text: string, from: number, to: number): Span[] | undefined {
  // The name ends there, or the last of its words: a glance that spares most of the work.
  if (!/^[\w ]{0,12}"?(?:[,;\t\r\n]| {2})/.test(text.slice(to, to + 15))) return undefined
  const line = lineAround(text, from, LONGEST_HEAD)
  if (!line) return undefined
  const { start, end } = line
  const head = text.slice(start, end)
  // With blanks behind them they are arguments, or a sentence.
  if (/[,;] /.test(head)) return undefined
  for (const between of BETWEEN) {
    const names = head.trim().split(between)
    if (names.length < 2 || !names.every((name) => NAME.test(name))) continue
    const columns = names.map((name) => strengthOf(name.replaceAll('"', '').trim()))
    // The first of them speaks for all.
    const first = columns.findIndex(isSure)
    if (first < 0 || head.indexOf(names[first]!) + start + names[first]!.length < to) continue
    if (head.indexOf(names[first]!) + start > from) continue
    // What is below another line of as many is a row.
    const above = start > 0 ? lineAround(text, start - 1, LONGEST_LINE) : undefined
    if (above && cellsIn(text.slice(above.start, above.end), between).length === names.length) continue
    return rowsBelow(text, end + 1, between, columns)
  }
  return undefined
}

/** The line that a place is in; undefined where it is longer than that. */
function lineAround(text: string, at: number, longest: number): { start: number; end: number } | undefined {
  const before = text.slice(Math.max(0, at - longest), at)
  const behind = text.slice(at, at + longest)
  const start = before.lastIndexOf('\n')
  const end = behind.indexOf('\n')
  if ((start < 0 && before.length < at) || (end < 0 && at + behind.length < text.length)) return undefined
  return { start: at - before.length + start + 1, end: end < 0 ? text.length : at + end }
}

function isSure(strength: NameStrength): boolean {
  return strength === 'password' || strength === 'key'
}

/** As far as the rows have as many columns. */
function rowsBelow(text: string, at: number, between: RegExp, columns: NameStrength[]): Span[] {
  const found: Span[] = []
  let start = at
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end - start > LONGEST_LINE) break
    const cells = cellsIn(text.slice(start, end), between)
    const isRule = cells.every(({ value }) => /^-*$/.test(value))
    if (cells.length !== columns.length) break
    if (!isRule)
      for (const [i, { from, value }] of cells.entries())
        if (isSure(columns[i]) && isMixed(value) && isSecretValue(columns[i], value, MANNER))
          found.push({ from: start + from, to: start + from + value.length, kind: 'password' })
    start = end + 1
  }
  return found
}

interface Cell {
  from: number
  value: string
}

/** What stands between commas and the like, which may be within quotes. */
function cellsIn(line: string, between: RegExp): Cell[] {
  const cells: Cell[] = []
  const cell = new RegExp(
    `[ ]*(?:N?"((?:[^"]|"")*)"|N?'((?:[^'\\\\]|''|\\\\.)*)'|((?:(?!${between.source}).)*))[ \\t\\r]*(${between.source}|$)`,
    'dgy',
  )
  for (const found of line.matchAll(cell)) {
    const number = [1, 2, 3].find((each) => found[each] !== undefined)!
    cells.push({ from: found.indices![number]![0], value: found[number]!.trimEnd() })
    if (found[4] === '') break
  }
  return cells
}

const COLUMNS_OF =
  /^\s{1,8}[\w."`[\]]{1,120}\s{0,8}\(([^()]{1,2000})\)[\s+>-]{0,8}(?:VALUES|VALUE)[\s+>-]{0,8}(?=\()/i
const ROW =
  /\((?:[^()'"]|'(?:[^'\\]|\\.){0,4000}'|"(?:[^"\\]|\\.){0,4000}"|\([^()]{0,200}\)){1,4000}\)\s{0,8}(,\s{0,40})?/y

/** `INSERT INTO users (name, password) VALUES ('bob', '…')`. */
function insertedSecrets(text: string, to: number): Span[] | undefined {
  const head = COLUMNS_OF.exec(text.slice(to, to + 2_400))
  if (!head) return undefined
  const columns = head[1]!.split(',').map((name) => strengthOf(name.replace(/["`[\]\s]/g, '')))
  if (!columns.some(isSure)) return undefined
  const found: Span[] = []
  let at = to + head[0].length
  for (let rows = 0; rows < MOST_ROWS; rows++) {
    ROW.lastIndex = at
    const row = ROW.exec(text)
    // One without an end was cut off, or is just being said.
    const inside = row
      ? row[0].slice(1, row[0].lastIndexOf(')'))
      : text.slice(at + 1, at + LONGEST_LINE).replace(/\n\s*\n[\s\S]*$/, '')
    const cells = cellsIn(inside.replaceAll('\n', ' '), /,/)
    if (cells.length === columns.length || !row)
      for (const [i, { from, value }] of cells.entries())
        if (
          isSure(columns[i]) &&
          isSecretValue(columns[i], value, MANNER) &&
          /["']/.test(inside[from - 1] ?? '')
        )
          found.push({ from: at + 1 + from, to: at + 1 + from + value.length, kind: 'password' })
    if (!row?.[1]) break
    at = ROW.lastIndex
  }
  return found
}
