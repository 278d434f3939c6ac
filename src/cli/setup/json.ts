import { type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser'
import {
  type Format,
  indentOf,
  indentStep,
  lineEnd,
  lineStart,
  lineStop,
  malformedAt,
  nested,
  nextLine,
  type Splice,
  spliced,
  unsuited,
  type Value,
} from './format.ts'

/**
 * JSON with comments and trailing commas. jsonc-parser tells where things stand; its own `modify`
 * is not used because it reformats the neighbours and moves their comments.
 */
export const jsonc: Format = {
  read(text) {
    const tree = treeOf(text)
    return tree ? plain(tree) : {}
  },

  put(text, path, value) {
    const tree = treeOf(text)
    if (!tree) return whole(text, nested(path, value))
    let node = tree
    for (const [index, key] of path.entries()) {
      if (node.type !== 'object')
        throw unsuited(`“${path.slice(0, index).join('.') || 'The file'}” is not an object.`)
      const found = property(node, key)
      if (!found) return spliced(text, ...added(text, node, key, nested(path.slice(index + 1), value)))
      node = found.children![1]!
    }
    const insert = pretty(text, value, indentOf(text, node.offset))
    return spliced(text, { at: node.offset, remove: node.length, insert })
  },

  take(text, path) {
    let node = treeOf(text)
    for (const key of path.slice(0, -1)) node = node && property(node, key)?.children?.[1]
    const pair = node && property(node, path.at(-1)!)
    return node && pair ? spliced(text, ...without(text, node, pair)) : text
  },
}

/** As it is read with `JSON.parse`: no comments, no trailing commas. */
export const json: Format = {
  ...jsonc,
  read(text) {
    const tree = treeOf(text, { disallowComments: true })
    return tree ? plain(tree) : {}
  },
}

function treeOf(text: string, strict?: { disallowComments: true }): Node | undefined {
  const errors: ParseError[] = []
  let tree: Node | undefined
  try {
    tree = parseTree(blanked(text), errors, {
      allowTrailingComma: !strict,
      allowEmptyContent: true,
      ...strict,
    })
  } catch (error) {
    if (error instanceof RangeError) throw malformedAt(text, 0, 'it is nested too deeply')
    throw error
  }
  const [first] = errors
  if (first) throw malformedAt(text, first.offset, words(first.error))
  return tree
}

/** Without its byte order mark, but as long. */
function blanked(text: string): string {
  return text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text
}

/** `CommaExpected` → `comma expected`. */
function words(code: ParseErrorCode): string {
  return printParseErrorCode(code)
    .replace(/(?!^)[A-Z]/g, ' $&')
    .toLowerCase()
}

/** `__proto__` is a key like any other. */
function plain(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plain)
  if (node.type !== 'object') return node.value
  const entries = (node.children ?? []).map(({ children }) => [children![0]!.value, plain(children![1]!)])
  return Object.fromEntries(entries)
}

/** Where a key stands twice the last one counts, for all who read the file. */
function property(node: Node, key: string): Node | undefined {
  return node.children?.findLast(({ type, children }) => type === 'property' && children?.[0]?.value === key)
}

function whole(text: string, value: Value): string {
  const eol = lineEnd(text)
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  const comments = text.slice(mark.length).trimEnd()
  return `${mark}${comments}${comments && eol}${pretty(text, value, '')}${eol}`
}

function pretty(text: string, value: Value, indent: string): string {
  return JSON.stringify(value, null, indentStep(text)).replaceAll('\n', lineEnd(text) + indent)
}

/** The new property is the last one, on lines of its own unless the object is written on one line. */
function added(text: string, node: Node, key: string, value: Value): Splice[] {
  const [open, close] = [node.offset + 1, node.offset + node.length - 1]
  const eol = lineEnd(text)
  const outer = indentOf(text, node.offset)
  const last = node.children?.at(-1)
  if (!last) {
    const indent = outer + indentStep(text)
    const comments = text.slice(open, close).trimEnd()
    const insert = `${comments}${eol}${indent}${JSON.stringify(key)}: ${pretty(text, value, indent)}${eol}${outer}`
    return [{ at: open, remove: close - open, insert }]
  }
  const end = last.offset + last.length
  const comma = commaAfter(text, end)
  const from = comma === undefined ? end : comma + 1
  const missing: Splice[] = comma === undefined ? [{ at: end, insert: ',' }] : []
  const trailing = comma === undefined ? '' : ','
  if (!text.slice(node.offset, close).includes('\n')) {
    const insert = ` ${JSON.stringify(key)}: ${JSON.stringify(value)}${trailing}`
    return comma === undefined ? [{ at: end, insert: `,${insert}` }] : [{ at: from, insert }]
  }
  const ownLine = text.slice(lineStart(text, last.offset), last.offset).trim() === ''
  const indent = ownLine ? indentOf(text, last.offset) : outer + indentStep(text)
  const insert = `${eol}${indent}${JSON.stringify(key)}: ${pretty(text, value, indent)}${trailing}`
  const at = afterComments(text, from)
  return at === end ? [{ at, insert: `,${insert}` }] : [...missing, { at, insert }]
}

const COMMENTS = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const COMMENTS_TO_LINE_END = /[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n)/y

function commaAfter(text: string, offset: number): number | undefined {
  const at = offset + lengthOf(COMMENTS, text, offset)
  return text[at] === ',' ? at : undefined
}

/** Comments that follow on the same line belong to what stands before them. */
function afterComments(text: string, from: number): number {
  return from + text.slice(from, from + lengthOf(COMMENTS_TO_LINE_END, text, from)).trimEnd().length
}

function lengthOf(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0].length ?? 0
}

function without(text: string, node: Node, pair: Node): Splice[] {
  const all = node.children ?? []
  const index = all.indexOf(pair)
  const end = pair.offset + pair.length
  const comma = commaAfter(text, end)
  const to = comma === undefined ? end : comma + 1
  const [open, close] = [node.offset + 1, node.offset + node.length - 1]
  if (all.length === 1 && /^[\s,]*$/.test(text.slice(open, pair.offset) + text.slice(end, close)))
    return [{ at: open, remove: close - open }]
  const before = all[index - 1]
  const orphan: Splice[] = []
  if (before && comma === undefined) {
    // Ours was the last: the comma before it has nothing to divide any more.
    const at = commaAfter(text, before.offset + before.length)
    if (at !== undefined) orphan.push({ at, remove: 1 })
  }
  const start = lineStart(text, pair.offset)
  const stop = lineStop(text, afterComments(text, to))
  const isAlone =
    text.slice(start, pair.offset).trim() === '' && text.slice(afterComments(text, to), stop).trim() === ''
  if (start > open && stop < close && isAlone)
    return [...orphan, { at: start, remove: nextLine(text, stop) - start }]
  const next = all[index + 1]
  if (next) return [{ at: pair.offset, remove: next.offset - pair.offset }]
  const from = orphan[0] ? orphan[0].at : pair.offset
  return [{ at: from, remove: to - from }]
}
