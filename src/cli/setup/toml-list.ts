import { type Format, isTable, lineStop, spliced, unsuited, type Value, valueAt } from './format.ts'
import {
  appended,
  keyName,
  literal,
  putAmong,
  type Statement,
  statementsIn,
  takenFrom,
  toml,
  withoutLines,
} from './toml.ts'

/**
 * TOML in which servers are a list of tables that have their names inside: `[[mcp_servers]]`, `name = "docs"`. They are
 * read and changed by name, as in the other formats.
 */
export function tomlList(list: string): Format {
  return {
    read(text) {
      const document = toml.read(text)
      if (isTable(document) && Array.isArray(document[list])) document[list] = byName(document[list])
      return document
    },

    put(text, path, value) {
      const [first, name = '', ...below] = path
      if (first !== list) return toml.put(text, path, value)
      const { all, inline, block } = placesIn(text, list, name)
      if (inline) return putInline(text, inline, [list, name, ...below], value)
      if (below.length > 0)
        return putAmong(text, block, [list, ...below], value) ?? refuse(list, 'has no room for this key')
      if (!isTable(value)) return refuse(list, 'is a list of tables')
      const items = blocksOf(text, all, list).flat()
      if (all.some((each) => each.path[0] === list && !items.includes(each)))
        return refuse(list, 'is not a list of tables')
      return appended(text, `[[${keyName(list)}]]`, { name, ...value })
    },

    take(text, path) {
      const [first, name = '', ...below] = path
      if (first !== list) return toml.take(text, path)
      const { all, inline, block } = placesIn(text, list, name)
      if (inline) return name ? rewritten(text, inline, [list, name, ...below]) : text
      return takenFrom(text, all, block, [list, ...below])
    },
  }
}

interface Places {
  all: Statement[]
  /** The whole list, written as one value. */
  inline: Statement | undefined
  /** The statements of the table with this name. */
  block: Statement[]
}

function placesIn(text: string, list: string, name: string): Places {
  const all = statementsIn(text)
  const inline = all.find(({ kind, path }) => kind === 'pair' && path.length === 1 && path[0] === list)
  return { all, inline, block: blocksOf(text, all, list).find((each) => nameIn(text, each) === name) ?? [] }
}

/** The tables of the list, each with the tables below it. */
function blocksOf(text: string, all: Statement[], list: string): Statement[][] {
  const blocks: Statement[][] = []
  let isInside = false
  for (const statement of all) {
    const { kind, path, start } = statement
    if (kind === 'head') {
      isInside = path[0] === list
      if (isInside && path.length === 1 && isItem(text, start)) blocks.push([])
    }
    if (isInside) blocks.at(-1)?.push(statement)
  }
  return blocks
}

function nameIn(text: string, block: Statement[]): unknown {
  const pair = block.find(({ kind, path }) => kind === 'pair' && path.length === 2 && path[1] === 'name')
  return pair && valueAt(toml.read(text.slice(pair.start, pair.end)), ['name'])
}

function isItem(text: string, start: number): boolean {
  return text.startsWith('[[', start)
}

/** What has no name, or one that another has, keeps its number. */
function byName(items: unknown[]): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [index, item] of items.entries()) {
    const { name, ...others } = isTable(item) ? item : { name: undefined }
    if (typeof name === 'string' && name !== '' && !Object.hasOwn(named, name)) named[name] = others
    else named[`#${index}`] = item
  }
  return named
}

/** Into a list that is one value: behind the last one, or, where there is none, as a table of its own. */
function putInline(text: string, inline: Statement, path: string[], value: Value): string {
  const [list = '', name = '', ...below] = path
  const items = itemsOf(text, inline, list)
  if (below.length > 0 || items.some((item) => isTable(item) && item.name === name))
    return rewritten(text, inline, path, value)
  if (!isTable(value)) return refuse(list, 'is a list of tables')
  if (items.length === 0)
    return appended(withoutPair(text, inline), `[[${keyName(list)}]]`, { name, ...value })
  const source = text.slice(inline.start, inline.end - 1)
  const end = source.trimEnd()
  const comma = end.endsWith(',') ? ' ' : ', '
  // A comment in the last line would swallow what is put behind it.
  if (/#[^\n]*$/.test(end)) return refuse(list, 'ends with a comment')
  return spliced(text, {
    at: inline.start + end.length,
    insert: `${comma}${literal({ name, ...value })}`,
  })
}

/** A comment behind it stays. */
function withoutPair(text: string, { start, end }: Statement): string {
  const isAlone = text.slice(end, lineStop(text, end)).trim() === ''
  return isAlone ? withoutLines(text, start, end) : spliced(text, { at: start, remove: end - start })
}

/** The whole value again with one item changed or, without a value, taken out. */
function rewritten(
  text: string,
  inline: Statement,
  [list = '', name = '', ...below]: string[],
  value?: Value,
): string {
  const source = text.slice(inline.start, inline.end)
  if (source.includes('#')) return refuse(list, 'has comments inside')
  const items = itemsOf(text, inline, list).flatMap((item) => {
    if (!isTable(item) || item.name !== name) return [item]
    const changed = changedItem(item, below, value)
    return isTable(changed) ? [{ ...changed, name }] : []
  })
  return spliced(text, {
    at: inline.start,
    remove: source.length,
    insert: `${keyName(list)} = ${literal(items)}`,
  })
}

function changedItem(item: unknown, [key, ...rest]: string[], value: Value | undefined): unknown {
  if (key === undefined) return value
  const { [key]: had, ...others } = isTable(item) ? item : {}
  const now = changedItem(had, rest, value)
  return now === undefined ? others : { ...others, [key]: now }
}

function itemsOf(text: string, inline: Statement, list: string): unknown[] {
  const items = valueAt(toml.read(text.slice(inline.start, inline.end)), [list])
  return Array.isArray(items) ? items : refuse(list, 'is not a list of tables')
}

function refuse(list: string, why: string): never {
  throw unsuited(`“${list}” ${why}.`)
}
