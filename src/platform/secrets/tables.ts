import { strengthOf } from './names.ts'
import type { Span } from './span.ts'
import { isSecretValue } from './values.ts'

/** In Markdown: the head, the line below it, and the rows. */
const TABLE = /^[ \t]*\|(.*)\|[ \t\r]*\n[ \t]*\|[-:| \t]+\|[ \t\r]*\n((?:[ \t]*\|.*\n?)+)/gm
/** Without the blanks and marks around it. */
const VALUE = /[^\s`*](?:.*[^\s`*])?/
const MANNER = { quoted: true, setting: true, inSentence: false }

/** What stands in the columns of passwords and keys: `| user | password |`. */
export function secretsInTables(text: string): Span[] {
  const found: Span[] = []
  if (!text.includes('--|') && !text.includes('-- |')) return found
  for (const { 0: table, 1: head, 2: rows, index } of text.matchAll(TABLE)) {
    const columns = head!.split('|').map(strengthOf)
    let at = index + table.length - rows!.length
    for (const row of rows!.split('\n')) {
      for (const [i, cell] of row.split('|').entries()) {
        const value = VALUE.exec(cell)
        if (value && isSecretValue(columns[i - 1], value[0], MANNER)) {
          const from = at + value.index
          found.push({ from, to: from + value[0].length, kind: 'password' })
        }
        at += cell.length + 1
      }
    }
  }
  return found
}
