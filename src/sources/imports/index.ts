import fs from 'node:fs'
import { RecollectError } from '../../model/errors.ts'
import { sources } from '../index.ts'
import { object } from '../json.ts'
import { MAX_DOCUMENT_BYTES } from '../lines.ts'
import type { Found, Problem } from '../source.ts'
import { elementsOf } from './elements.ts'
import type { Element, Import } from './import.ts'
import type { ImportFile } from './import-file.ts'
import { imports } from './kinds.ts'

export { imports } from './kinds.ts'

/** So many elements of a file are looked at to tell of what kind it is: the first may be damaged. */
const LOOKED_AT = 20
const LOOKED_AT_BYTES = 64 * 1024 * 1024

export interface Recognised {
  kind: Import
  found: Iterable<Found>
  /** How far the reading has come, in bytes. */
  position(): number
}

/** Of what kind a file is and what it holds; where no kind recognises it, what was wrong with it if anything. */
export function recognise({
  path,
  name,
}: Pick<ImportFile, 'path' | 'name'>): Recognised | { kind?: undefined; problem?: Problem } {
  const elements = elementsOf(path)
  const looked: Element[] = []
  for (let next = elements.next(); !next.done; next = elements.next()) {
    const element = next.value
    looked.push(element)
    const document = object(element.value)
    const kind = document && imports.find((each) => each.recognise(document, name))
    if (kind) return reading(kind, name, looked, elements)
    if (looked.length >= LOOKED_AT || element.offset > LOOKED_AT_BYTES) break
  }
  elements.return(undefined)
  if (looked.length === 0) return textOf(path, name)
  return { problem: looked.find(({ problem }) => problem)?.problem }
}

const HEAD_BYTES = 64 * 1024

/** What is no JSON may be Markdown, a table or a page. */
function textOf(path: string, name: string): Recognised | { kind?: undefined; problem?: Problem } {
  const head = beginningOf(path)
  const kind = imports.find(({ text }) => text?.fits(head))
  if (!kind) return {}
  const { size } = fs.statSync(path)
  if (size > MAX_DOCUMENT_BYTES) return { problem: { reason: `longer than ${MAX_DOCUMENT_BYTES >> 20} MB` } }
  return {
    kind,
    found: kind.text!.read(fs.readFileSync(path, 'utf8').replace(/^\ufeff/, ''), { name, path }),
    position: () => size,
  }
}

function beginningOf(path: string): string {
  const fd = fs.openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, HEAD_BYTES, 0)).replace(/^\ufeff/, '')
  } finally {
    fs.closeSync(fd)
  }
}

function reading(kind: Import, name: string, looked: Element[], rest: Generator<Element>): Recognised {
  let position = 0
  function* all(): Generator<Element> {
    try {
      for (const element of looked.splice(0)) yield element
      for (const element of rest) {
        position = element.offset
        yield element
      }
    } finally {
      rest.return(undefined)
    }
  }
  return { kind, found: kind.read(all(), name), position: () => position }
}

/** The error for a target in which nothing was recognised. */
export function unknownImport(target: string, reason?: string): RecollectError {
  const kinds = imports.map(({ id, looksFor }) => ({ kind: id, looksFor }))
  const names = sources
    .filter(({ signs }) => signs)
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b))
  return new RecollectError(
    'UNKNOWN_IMPORT',
    `Nothing in "${target}" is an export or a session that can be imported${reason ? ` (${reason})` : ''}.`,
    `Looked for:\n${kinds.map(({ looksFor }) => `  - ${looksFor}`).join('\n')}\n  - session files of ${names.join(', ')}: one, a folder of them, or a copied home folder`,
    { lookedFor: [...kinds, { kind: 'sessions', looksFor: `session files of ${names.join(', ')}` }] },
  )
}
