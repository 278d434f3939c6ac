import { parse, stringify, TomlError } from 'smol-toml'
import {
  type Format,
  indentOf,
  isTable,
  lineEnd,
  lineStart,
  lineStop,
  Malformed,
  malformedAt,
  nextLine,
  spliced,
  unsuited,
  type Value,
  valueAt,
} from './format.ts'

/**
 * TOML, changed as text: a table of ours is lines of its own, and nothing else is touched. The
 * writers that there are put new tables inline among the settings above, or lose comments.
 */
export const toml: Format = {
  read(text) {
    try {
      return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' })
    } catch (error) {
      if (error instanceof TomlError) throw new Malformed(reasonOf(error), error.line, error.column)
      if (error instanceof RangeError) throw malformedAt(text, 0, 'it is nested too deeply')
      throw error
    }
  },

  put(text, path, value) {
    const put = putAmong(text, statementsIn(text), path, value)
    if (put !== undefined) return put
    if (!isTable(value)) throw unsuited(`There is no table [${path.slice(0, -1).join('.')}].`)
    return appended(text, `[${path.map(keyName).join('.')}]`, value)
  },

  take(text, path) {
    const statements = statementsIn(text)
    return takenFrom(text, statements, statements, path)
  },
}

/** Puts a value where one of these statements, or the table that one of them opens, has room for it. */
export function putAmong(
  text: string,
  statements: Statement[],
  path: string[],
  value: Value,
): string | undefined {
  const inline = pairWith(statements, path)
  if (inline) return written(text, inline, path, value)
  const table = tableOf(statements, path.slice(0, -1))
  return table && putPair(text, table, path.at(-1)!, value)
}

/** Takes out those of some statements that are at or below a path. */
export function takenFrom(text: string, all: Statement[], some: Statement[], path: string[]): string {
  const ours = some.filter(({ path: at }) => startsWith(at, path))
  const inline = ours.length === 0 ? pairWith(some, path) : undefined
  if (inline) return written(text, inline, path, undefined)
  let result = text
  for (const { start, end } of runs(all, ours).toReversed()) result = withoutLines(result, start, end)
  return result
}

/** A table's head or a key with its value; without the comment that may follow. */
export interface Statement {
  kind: 'head' | 'pair'
  /** From the document's top: a pair's table counts. */
  path: string[]
  start: number
  end: number
}

/** Everything but comments and blank lines, which stand between. The text has been parsed before: it is valid. */
export function statementsIn(text: string): Statement[] {
  const statements: Statement[] = []
  let table: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    if (/\s/.test(text[at]!)) at++
    else if (text[at] === '#') at = nextLine(text, at)
    else {
      const start = at
      at = statementEnd(text, at)
      const end = start + text.slice(start, at).trimEnd().length
      const source = text.slice(start, end)
      if (source.startsWith('[')) {
        table = keysOf(source)
        statements.push({ kind: 'head', path: table, start, end })
      } else {
        const path = [...table, ...keysOf(`${source.slice(0, keyLength(source))} = 0`)]
        statements.push({ kind: 'pair', path, start, end })
      }
    }
  }
  return statements
}

/** The end of the line, or of the line in which an open bracket or string is closed; before a comment. */
function statementEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '"' || char === "'") at = stringEnd(text, at) - 1
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    else if (char === '#') {
      if (depth === 0) return at
      at = lineStop(text, at) - 1
    } else if (char === '\n' && depth === 0) return at
  }
  return text.length
}

function stringEnd(text: string, start: number): number {
  const quote = text[start]!
  const many = text.startsWith(quote.repeat(3), start)
  const close = many ? quote.repeat(3) : quote
  for (let at = start + close.length; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text.startsWith(close, at)) {
      let end = at + close.length
      // Up to two quotes may stand right before the closing three.
      while (many && text[end] === quote && end < at + 5) end++
      return end
    }
  }
  return text.length
}

function keyLength(source: string): number {
  for (let at = 0; at < source.length; at++) {
    if (source[at] === '"' || source[at] === "'") at = stringEnd(source, at) - 1
    else if (source[at] === '=') return at
  }
  return source.length
}

/** The keys of `[a."b.c"]`, `[[a]]` or `a.b = 0`. */
function keysOf(source: string): string[] {
  const keys: string[] = []
  let value: unknown = parse(source)
  while (isTable(value) || Array.isArray(value)) {
    if (Array.isArray(value)) value = value[0]
    const [entry] = isTable(value) ? Object.entries(value) : []
    if (!entry) break
    keys.push(entry[0])
    value = entry[1]
  }
  return keys
}

function startsWith(path: string[], beginning: string[]): boolean {
  return beginning.every((key, index) => path[index] === key)
}

/** A table's head with the pairs right below it. */
function tableOf(statements: Statement[], path: string[]): Statement[] | undefined {
  const at = statements.findIndex(
    ({ kind, path: head }) => kind === 'head' && head.length === path.length && startsWith(head, path),
  )
  if (at < 0) return undefined
  const next = statements.findIndex(({ kind }, index) => index > at && kind === 'head')
  return statements.slice(at, next < 0 ? undefined : next)
}

function putPair(text: string, table: Statement[], key: string, value: Value): string {
  const last = table.at(-1)!
  const indent = indentOf(text, last.start)
  const insert = `${lineEnd(text)}${indent}${pair(key, value)}`
  return spliced(text, { at: lineStop(text, last.end), insert })
}

/** The pair that this is, or an inline table that holds it. */
function pairWith(statements: Statement[], path: string[]): Statement | undefined {
  return statements.find(({ kind, path: at }) => kind === 'pair' && startsWith(path, at))
}

/** A pair with this value in it or, where there is none, without it. */
function written(text: string, { path: at, start, end }: Statement, path: string[], value?: Value): string {
  // A table of all servers on one line is not ours to write anew.
  if (at.length < 2) throw unsuited(`“${at.join('.')}” is written as one inline value.`)
  const source = text.slice(start, end)
  const key = source.slice(0, keyLength(source)).trimEnd()
  const whole: unknown = valueAt(parse(source), keysOf(`${key} = 0`))
  const insert = `${key} = ${literal(changed(whole, path.slice(at.length), value))}`
  return spliced(text, { at: start, remove: end - start, insert })
}

function changed(whole: unknown, [key, ...rest]: string[], value: Value | undefined): unknown {
  if (key === undefined) return value
  const table = isTable(whole) ? { ...whole } : {}
  const now = changed(table[key], rest, value)
  if (now === undefined) delete table[key]
  else table[key] = now
  return table
}

/** A table of its own at the end, where no table of somebody else's follows. */
export function appended(text: string, head: string, value: Record<string, unknown>): string {
  const eol = lineEnd(text)
  const body = [head, ...Object.entries(value).map(([key, each]) => pair(key, each))].join(eol)
  if (text.replace(/^\ufeff/, '').trim() === '') return `${text}${body}${eol}`
  const closed = text.endsWith('\n')
  return closed ? `${text}${eol}${body}${eol}` : `${text}${eol}${eol}${body}`
}

function pair(key: string, value: unknown): string {
  return `${keyName(key)} = ${literal(value)}`
}

export function keyName(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : literal(key)
}

export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (isTable(value) && !(value instanceof Date)) {
    const pairs = Object.entries(value).map(([key, each]) => pair(key, each))
    return pairs.length > 0 ? `{ ${pairs.join(', ')} }` : '{}'
  }
  return stringify({ value })
    .replace(/^value = /, '')
    .trimEnd()
}

/** Statements that follow one another are removed as one, with the comments between them. */
function runs(statements: Statement[], ours: Statement[]): { start: number; end: number }[] {
  const found: { start: number; end: number; last: number }[] = []
  for (const statement of ours) {
    const index = statements.indexOf(statement)
    const run = found.at(-1)
    if (run && run.last === index - 1) Object.assign(run, { end: statement.end, last: index })
    else found.push({ start: statement.start, end: statement.end, last: index })
  }
  return found
}

/** The blank line before a table goes with it, where another table or the end follows; at the top, the one behind. */
export function withoutLines(text: string, start: number, end: number): string {
  const from = lineStart(text, start)
  const to = nextLine(text, end)
  const [above, below] = [text.slice(0, from), text.slice(to)]
  // A file that does not end with a line break did not do so before.
  if (below === '' && !text.endsWith('\n')) return above.replace(/(?:[ \t]*\r?\n)+$/, '')
  if (text[start] !== '[' || !/^\s*(?:\[|#|$)/.test(below)) return above + below
  if (above === '' || above === '\ufeff') return above + below.replace(/^(?:[ \t]*\r?\n)+/, '')
  return above.replace(/(\n)[ \t]*\r?\n$/, '$1') + below
}

function reasonOf({ message }: TomlError): string {
  return message.split('\n')[0]!.replace(/^Invalid TOML document: /, '')
}
