import {
  type Document,
  isMap,
  isNode,
  isScalar,
  type Pair,
  parseAllDocuments,
  stringify,
  type YAMLMap,
} from 'yaml'
import {
  type Format,
  indentOf,
  indentStep,
  lineEnd,
  lineStart,
  lineStop,
  Malformed,
  malformedAt,
  nested,
  nextLine,
  spliced,
  unsuited,
  type Value,
} from './format.ts'

/**
 * YAML, changed as text where the parser says that things stand: written anew from its document,
 * lines would be folded, quotes changed and comments moved.
 */
export const yaml: Format = {
  read(text) {
    return documentOf(text)?.toJS() ?? {}
  },

  put(text, path, value) {
    const root = documentOf(text)?.contents
    if (!isFilled(root)) return appended(text, path, value)
    if (!isMap(root)) throw unsuited('The file is not a settings object.')
    let map = root
    for (const [index, key] of path.entries()) {
      const pair = pairOf(map, key)
      const rest = path.slice(index + 1)
      if (!pair) return added(text, map, key, nested(rest, value))
      if (rest.length === 0) return replaced(text, pair, value)
      if (isMap(pair.value) && pair.value.items.length > 0) map = pair.value
      else if (isMap(pair.value) || !isFilled(pair.value)) return filled(text, pair, rest, value)
      else throw unsuited(`“${key}” is not a settings object.`)
    }
    return text
  },

  take(text, path) {
    let map: unknown = documentOf(text)?.contents
    let holder: Pair | undefined
    for (const key of path.slice(0, -1)) {
      holder = isMap(map) ? pairOf(map, key) : undefined
      map = holder?.value
    }
    const pair = isMap(map) ? pairOf(map, path.at(-1)!) : undefined
    return isMap(map) && pair ? without(text, map, pair, holder) : text
  },
}

function documentOf(text: string): Document | undefined {
  let documents: Document[]
  try {
    documents = [...parseAllDocuments(text)]
  } catch (error) {
    if (error instanceof RangeError) throw malformedAt(text, 0, 'it is nested too deeply')
    throw error
  }
  const [first, second] = documents
  const error = documents.flatMap(({ errors }) => errors)[0]
  if (error) {
    const [place] = error.linePos ?? [{ line: 1, col: 1 }]
    throw new Malformed(error.message.split(' at line ')[0]!, place.line, place.col)
  }
  if (second) throw unsuited('There are several documents in the file.')
  return first
}

type Node = Pair['value']

function isFilled(node: Node): boolean {
  return node !== null && node !== undefined && !(isScalar(node) && node.value === null)
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => (isScalar(pair.key) ? pair.key.value : pair.key) === key)
}

/** A value in block style, each line with this indentation. */
function block(text: string, key: string, value: Value, indent: string): string {
  const step = indentStep(text)
  const source = stringify({ [key]: value }, { indent: step === '\t' ? 2 : step.length, lineWidth: 0 })
  return source
    .trimEnd()
    .split('\n')
    .map((line) => indent + line)
    .join(lineEnd(text))
}

function appended(text: string, path: string[], value: Value): string {
  const eol = lineEnd(text)
  const open = text === '' || text === '\ufeff' || text.endsWith('\n') ? '' : eol
  return `${text}${open}${block(text, path[0]!, nested(path.slice(1), value), '')}${eol}`
}

/** After the last pair of the map, in the style of the map. */
function added(text: string, map: YAMLMap, key: string, value: Value): string {
  if (map.flow) {
    const close = map.range![1] - 1
    const at = text.slice(0, close).trimEnd().length
    const comma = map.items.length > 0 && text[at - 1] !== ',' ? ',' : ''
    return spliced(text, { at, insert: `${comma} ${JSON.stringify(key)}: ${JSON.stringify(value)}` })
  }
  const first = keyRange(map.items[0]!)[0]
  const column = first - lineStart(text, first)
  const indent = text
    .slice(first - column, first)
    .replace('\ufeff', '')
    .replace(/[^\t ]/g, ' ')
  const end = endOf(text, map.items.at(-1)!)
  return spliced(
    text,
    lineBehind(text, afterInnerComments(text, end, column), block(text, key, value, indent)),
  )
}

/** Comments that stand further in than the map's keys belong to its last value. */
function afterInnerComments(text: string, end: number, column: number): number {
  let last = end
  for (let at = nextLine(text, end); at < text.length; at = nextLine(text, at)) {
    const comment = /^([ \t]*)#/.exec(text.slice(at, lineStop(text, at)))
    if (!comment || comment[1]!.length <= column) break
    last = at
  }
  return last
}

/** `extensions:` with nothing in it, or `{}`. */
function filled(text: string, pair: Pair, [key = '', ...rest]: string[], value: Value): string {
  const colon = colonAfter(text, keyRange(pair)[1])
  const [start, end] = rangeOf(pair.value) ?? [colon + 1, colon + 1]
  const indent = indentOf(text, keyRange(pair)[0]) + indentStep(text).replace('\t', '  ')
  const behind = lineBehind(text, Math.max(end, colon + 1), block(text, key, nested(rest, value), indent))
  if (end <= start) return spliced(text, behind)
  const from = text.slice(0, start).trimEnd().length
  return spliced(text, { at: from, remove: end - from }, behind)
}

function replaced(text: string, pair: Pair, value: Value): string {
  const colon = colonAfter(text, keyRange(pair)[1])
  const end = endOf(text, pair)
  return spliced(text, { at: colon + 1, remove: end - colon - 1, insert: ` ${JSON.stringify(value)}` })
}

function without(text: string, map: YAMLMap, pair: Pair, holder: Pair | undefined): string {
  const index = map.items.indexOf(pair)
  const [start] = keyRange(pair)
  const end = endOf(text, pair)
  if (map.flow) {
    const [before, next] = [map.items[index - 1], map.items[index + 1]]
    const from = !next && before ? endOf(text, before) : start
    return spliced(text, { at: from, remove: (next ? keyRange(next)[0] : end) - from })
  }
  const from = lineStart(text, start)
  const lines = { at: from, remove: nextLine(text, end) - from }
  if (map.items.length > 1 || !holder) return spliced(text, lines)
  return spliced(text, { at: colonAfter(text, keyRange(holder)[1]) + 1, insert: ' {}' }, lines)
}

function keyRange({ key }: Pair): [number, number] {
  const range = rangeOf(key)
  if (!range) throw unsuited('A key in the file is not readable.')
  return range
}

function rangeOf(node: unknown): [number, number] | undefined {
  const range = isNode(node) ? node.range : undefined
  return range ? [range[0], range[1]] : undefined
}

function colonAfter(text: string, offset: number): number {
  return text.indexOf(':', offset)
}

/** Where a pair's value ends, without the line break that ends a block. */
function endOf(text: string, pair: Pair): number {
  const colon = colonAfter(text, keyRange(pair)[1])
  const [, end] = rangeOf(pair.value) ?? [0, 0]
  const from = Math.max(colon + 1, end)
  return text[from - 1] === '\n' ? from - (text[from - 2] === '\r' ? 2 : 1) : from
}

/** Lines to be put behind the line with this offset. */
function lineBehind(text: string, offset: number, lines: string): { at: number; insert: string } {
  return { at: lineStop(text, offset), insert: lineEnd(text) + lines }
}
