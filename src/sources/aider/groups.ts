import type { Message, Usage, Via } from '../../model/chat.ts'
import { number, object, words } from '../json.ts'
import { remarksIn } from './remarks.ts'

/** One start of Aider: one chat. */
export interface Run {
  /** As it stands in the file: `2026-06-09 14:01:00`. */
  started: string
  /** How many runs before it began in the same second. */
  twin: number
  /** Messages told so far. */
  count: number
  model?: string
  /** Of Aider. */
  version?: string
}

/** Where a group begins: all that its reading depends on. Kept in the checkpoint. */
export interface Position {
  run?: Run
  /** Whether the line before is empty. */
  blank: boolean
  /** Whether lines end in two spaces here, as Aider writes them; an editor may have cut them off. */
  marks: boolean
  /** Older versions told the tokens before the answer. */
  usage?: Usage
}

/** A request or an answer, and the remarks after it. */
export interface Group extends Position {
  offset: number
  /** What the line before belongs to. */
  block?: 'request' | 'answer' | 'remark'
  main?: 'request' | 'answer'
  lines: string[]
  remarks: string[]
  length: number
  fenced: boolean
}

export type Kind = 'run' | 'request' | 'more' | 'answer' | 'remark' | 'blank' | 'nothing'

/** Of a longer message only this much is kept. */
const LONGEST = 8 * 1024 * 1024

export function newGroup(offset: number, position: Position): Group {
  return { ...position, offset, lines: [], remarks: [], length: 0, fenced: false }
}

/**
 * Answers may contain headings and quotations that look like requests and remarks. Aider's own lines
 * end in two spaces, and a request has an empty line before it; without these marks the place decides.
 */
export function kindOf(line: string, group: Group): Kind {
  if (!group.run) return 'nothing'
  if (line.trim() === '') return 'blank'
  const marked = line.endsWith('  ')
  if (line.startsWith('####') && (line.length === 4 || line[4] === ' ')) {
    if (group.block === 'request' && !group.blank) return 'more'
    if (group.blank && (marked || (!group.marks && group.block !== 'answer'))) return 'request'
  }
  if (line.startsWith('>')) {
    if (marked) return 'remark'
    if (!group.marks && !group.fenced && (group.blank || group.block !== 'answer')) return 'remark'
  }
  return 'answer'
}

export function take(group: Group, kind: Kind, line: string): void {
  group.blank = kind === 'blank'
  if ((kind === 'request' || kind === 'remark') && line.endsWith('  ')) group.marks = true
  if (kind === 'remark') {
    group.block = 'remark'
    keep(group, group.remarks, line.slice(1).trim())
  } else if (kind === 'request' || kind === 'more') {
    group.block = 'request'
    group.main = 'request'
    // Two spaces at the end are Aider's, one after the marks too; all other white space was typed.
    keep(group, group.lines, line.slice(line[4] === ' ' ? 5 : 4).trimEnd())
  } else if (kind === 'answer') {
    group.block = 'answer'
    group.main = 'answer'
    if (line.startsWith('```')) group.fenced = !group.fenced
    keep(group, group.lines, line)
  } else if (kind === 'blank' && group.block === 'answer') keep(group, group.lines, '')
}

/** The messages of a group that has ended, or of the last one as far as it is written, and what follows from it. */
export function closed(group: Group): { messages: Message[]; after: Position } {
  const { run, main, offset, blank, marks } = group
  const remarks = remarksIn(group.remarks)
  const model = remarks.model ?? run?.model
  const files = remarks.files.length > 0 ? remarks.files : undefined
  const text = group.lines.join('\n').trim()
  const messages: Message[] = []
  const count = run?.count ?? 0
  if (main === 'request' && text && text !== '<blank>') {
    messages.push({ id: String(count), order: offset, role: 'user', ...askedAs(text) })
  } else if (main === 'answer' && text) {
    const usage = remarks.usage ?? group.usage
    messages.push({
      id: String(count),
      order: offset,
      role: 'assistant',
      kind: 'answer',
      text,
      model,
      usage,
      files,
    })
  }
  // Before the first request there is only the banner.
  if (remarks.text && count + messages.length > 0) {
    messages.push({
      id: String(count + messages.length),
      order: offset + 0.5,
      role: 'system',
      kind: 'notice',
      text: remarks.text,
      files: main === 'answer' ? undefined : files,
    })
  }
  const version = run?.version ?? (count === 0 && !main ? remarks.version : undefined)
  const after = {
    run: run && { ...run, count: count + messages.length, model, version },
    blank,
    marks,
    usage: main === 'answer' ? undefined : (remarks.usage ?? group.usage),
  }
  return { messages, after }
}

/** A checkpoint comes back as JSON: believed as far as its types are right. */
export function positionFrom(state: unknown): Position {
  const saved = object(state)
  const run = object(saved?.run)
  const started = words(run?.started)
  return {
    run: started
      ? {
          started,
          twin: number(run?.twin) ?? 0,
          count: number(run?.count) ?? 0,
          model: words(run?.model),
          version: words(run?.version),
        }
      : undefined,
    blank: saved ? saved.blank === true : true,
    marks: saved?.marks === true,
    usage: object(saved?.usage),
  }
}

/** These commands carry a prompt; the others only steer Aider. */
const PROMPTING = /^(\/(?:ask|architect|code|context|help))\s+(\S[\s\S]*)$/

/** A question that Aider answered itself, because the person had said "all" before; who asks about one says more. */
const OWN_ANSWER = /^.{0,2000}\(Y\)es\/\(N\)o[^\n]{0,100}\[(?:Yes|No)\]: ?\w{0,20}$/

function askedAs(text: string): Pick<Message, 'kind' | 'via' | 'text'> {
  if (OWN_ANSWER.test(text)) return { kind: 'notice', text }
  if (text.startsWith('!')) return { kind: 'command', text }
  if (!text.startsWith('/')) return { kind: 'request', text }
  const [, command, prompt] = PROMPTING.exec(text) ?? []
  return command ? { kind: 'request', via: command as Via, text: prompt! } : { kind: 'command', text }
}

function keep(group: Group, lines: string[], line: string): void {
  group.length += line.length + 1
  if (group.length <= LONGEST) lines.push(line)
}
