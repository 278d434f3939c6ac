import { dateTime } from '../model/day.ts'
import { fenceAfter } from '../model/markdown.ts'
import { nodeCrypto } from '../platform/node-crypto.ts'

/**
 * The grammar of a context file: whatever stands before the first entry, then entries, each from
 * its heading `## 2026-05-01 14:03 — title` to the next. It is a grammar of single lines, so that
 * the end of a file can be read without its beginning.
 */
export interface Entry {
  timestamp: string
  title: string
  /** Without the heading, the provenance and the escapes. */
  content: string
  provenance?: Provenance
  /** Bytes from its heading to the next one's. */
  from: number
  to: number
}

/** Where an entry was taken from: a chat, or a file of instructions. */
export interface Provenance {
  /** `source:id` */
  chat?: string
  /** The name of a memory file: `AGENTS.md`. */
  file?: string
  /** The first and last request it covers, from 1. */
  requests?: [first: number, last: number]
  format?: 'summary' | 'full'
  /** Of what it was made from. */
  hash: string
  /** Of the entry as it was written: tells whether somebody has edited it since. */
  written: string
}

const HEADING = /^## (\d{4}-\d{2}-\d{2} \d{2}:\d{2})(?: [—–-] ?(.*))?$/
const PROVENANCE = /^<!-- recollect: (\{.*\}) -->$/
/** What our grammar reads, or already escaped: it gets one backslash, which Markdown does not show. */
const SPECIAL = /^(?=\\*(?:## \d{4}-\d{2}-\d{2} \d{2}:\d{2}|<!-- recollect:))/gm
const ESCAPED = /^\\(?=\\*(?:## \d{4}-\d{2}-\d{2} \d{2}:\d{2}|<!-- recollect:))/gm

export function escapeContent(content: string): string {
  return content.replace(SPECIAL, '\\')
}

export function unescapeContent(content: string): string {
  return content.replace(ESCAPED, '')
}

/**
 * Entries are in the order of their times. Where the clock was set back (winter time, a machine
 * whose clock is ahead) a new one takes the last one's, unless that is out of all reason.
 */
export function timestampAfter(last: string | undefined, now: number): string {
  const stamp = dateTime(now)
  return last !== undefined && last > stamp && last <= dateTime(now + 61 * 60_000) ? last : stamp
}

export interface NewEntry {
  timestamp: string
  title: string
  content: string
  provenance?: Omit<Provenance, 'written'>
}

/** An entry as it is written, with the file's line ends. */
export function entryText({ timestamp, title, content, provenance }: NewEntry, eol: string): string {
  const body = closeBlocks(escapeContent(content.replace(/\r\n?/g, '\n').trimEnd()).replace(/^\n+/, ''))
  const heading = `## ${timestamp} — ${lineOf(title) || 'Note'}`
  const comment = provenance && provenanceLine({ ...provenance, written: shortHash(body) })
  const text = [heading, ...(comment ? [comment] : []), '', body, ''].join('\n')
  return eol === '\n' ? text : text.replaceAll('\n', eol)
}

/** Whether the text is still what was written with this provenance. */
export function isAsWritten(entry: Entry): boolean {
  return entry.provenance?.written === shortHash(closeBlocks(escapeContent(entry.content)))
}

export function shortHash(text: string): string {
  return nodeCrypto().createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** The byte positions of all entry headings in a part of a file that begins at a line's start. */
export function headingsIn(bytes: Buffer): number[] {
  const found: number[] = []
  const isHeading = (at: number) => HEADING.test(lineAt(bytes, at))
  const start = hasBom(bytes) ? 3 : 0
  if (isHeading(start)) found.push(start)
  for (let at = bytes.indexOf('\n## ', start); at >= 0; at = bytes.indexOf('\n## ', at + 1)) {
    if (isHeading(at + 1)) found.push(at + 1)
  }
  return found
}

export function entriesIn(bytes: Buffer): Entry[] {
  const starts = headingsIn(bytes)
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? bytes.length
    return { ...parseEntry(bytes.toString('utf8', from, to)), from, to }
  })
}

export function hasBom(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** The line ends of a file, by the majority in what is known of it. */
export function lineEndOf(bytes: Buffer): '\n' | '\r\n' {
  let [plain, windows] = [0, 0]
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at - 1] === 13) windows++
    else plain++
  }
  return windows > plain ? '\r\n' : '\n'
}

export function lineOf(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function parseEntry(text: string): Omit<Entry, 'from' | 'to'> {
  const [heading = '', ...lines] = text.replaceAll('\r\n', '\n').split('\n')
  const [, timestamp = '', title = ''] = HEADING.exec(heading) ?? []
  const provenance = provenanceIn(lines[0] ?? '')
  const content = unescapeContent(
    lines
      .slice(provenance ? 1 : 0)
      .join('\n')
      .replace(/^\n+/, '')
      .trimEnd(),
  )
  return { timestamp, title: title.trim(), content, ...(provenance && { provenance }) }
}

function lineAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(10, at)
  const line = bytes.toString('utf8', at, Math.min(end < 0 ? bytes.length : end, at + 2_000))
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** `>` and `--` would end the comment early. */
function provenanceLine(provenance: Provenance): string {
  const json = JSON.stringify(provenance).replaceAll('>', '\\u003e').replaceAll('--', '-\\u002d')
  return `<!-- recollect: ${json} -->`
}

function provenanceIn(line: string): Provenance | undefined {
  try {
    const value = JSON.parse(PROVENANCE.exec(line)?.[1] ?? 'null')
    const isText = (each: unknown) => each === undefined || typeof each === 'string'
    if (typeof value?.hash !== 'string' || !isText(value.chat) || !isText(value.file)) return undefined
    return value
  } catch {
    return undefined
  }
}

/** An open fence or comment would swallow, where the file is shown, every entry that follows. */
function closeBlocks(content: string): string {
  let fence: string | undefined
  let inComment = false
  for (const line of content.split('\n')) {
    if (inComment || (!fence && /^ {0,3}<!--/.test(line))) inComment = !line.includes('-->')
    else fence = fenceAfter(line, fence)
  }
  return content + (fence ? `\n${fence}` : '') + (inComment ? '\n-->' : '')
}
