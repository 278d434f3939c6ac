import { RecollectError } from '../../model/errors.ts'

/** A settings file's syntax: how a value in it is read, put and taken without touching the text around it. */
export interface Format {
  /** What the text says; throws a `Malformed` where it says nothing. */
  read(text: string): unknown
  /** The text with this value at this path. Tables on the way are made where they are missing. */
  put(text: string, path: string[], value: Value): string
  /** The text without what is at this path, which must be there. */
  take(text: string, path: string[]): string
}

export type Value = string | number | boolean | Value[] | { [key: string]: Value }

/** The text cannot be read as what it should be. */
export class Malformed extends Error {
  readonly line: number
  readonly column: number

  constructor(reason: string, line: number, column: number) {
    super(reason)
    this.line = line
    this.column = column
  }
}

export function malformedAt(text: string, offset: number, reason: string): Malformed {
  const before = text.slice(0, offset).split('\n')
  return new Malformed(reason, before.length, before.at(-1)!.length + 1)
}

/** The file is written in a way in which our entry cannot be put in without changing what is not ours. */
export function unsuited(what: string): RecollectError {
  return new RecollectError('UNSUITED_FILE', what)
}

export interface Splice {
  at: number
  remove?: number
  insert?: string
}

/** Splices name places in the text as it was; they must not overlap. */
export function spliced(text: string, ...splices: Splice[]): string {
  let result = text
  for (const { at, remove = 0, insert = '' } of splices.toSorted((a, b) => b.at - a.at))
    result = result.slice(0, at) + insert + result.slice(at + remove)
  return result
}

export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function valueAt(document: unknown, path: string[]): unknown {
  let value = document
  for (const key of path) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/** The value inside of tables for each step of the path. */
export function nested(path: string[], value: Value): Value {
  return path.reduceRight<Value>((inner, key) => ({ [key]: inner }), value)
}

export function lineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** What one step of indentation is in this text. */
export function indentStep(text: string): string {
  return /^(?:\t|(?: {2,8}))(?=\S)/m.exec(text)?.[0] ?? '  '
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Where the line with this offset ends, before its line break. */
export function lineStop(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  if (end < 0) return text.length
  return text[end - 1] === '\r' && end > offset ? end - 1 : end
}

/** Where the next line begins. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}

export function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))![0]
}
