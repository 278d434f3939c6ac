import { languageOfFile } from '../../lib/languages.ts'
import { type DiffLine, diffOf, isPatch, patchLines } from '../../ui/diff/diff-lines.ts'

/** How a tool call is shown: what it is about in one line, and what it was asked in full. */
export interface ToolView {
  summary: string
  /** What it changes in a file. */
  diff?: DiffLine[]
  /** What it was asked, where that is code: a command, a query, a file's content. */
  code?: { text: string; language?: string }
  /** What it was asked in words: another agent's task. */
  prose?: string
  /** The file that it is about. */
  path?: string
  /** Whatever else it was asked. */
  rest?: Record<string, unknown>
}

const LONGEST_SUMMARY = 160

/** Assistants name the same things differently; what is not known here is shown as it is. */
export function viewOf(args: unknown): ToolView {
  if (typeof args === 'string')
    return isPatch(args)
      ? { summary: patchedFiles(args), diff: patchLines(args) }
      : { summary: firstLine(args), code: { text: args } }
  if (!isRecord(args)) return { summary: '' }
  const path = text(args, PATHS)
  const patch = text(args, ['patch', 'input', 'diff'])
  if (patch && isPatch(patch)) return { summary: patchedFiles(patch), diff: patchLines(patch), path }
  const edits = editsIn(args)
  if (edits.length > 0) {
    const diff = edits.flatMap(([before, after]) => diffOf(before, after))
    return { summary: path ?? '', path, diff, rest: without(args, [...PATHS, ...BEFORE, ...AFTER, 'edits']) }
  }
  const command = commandIn(args)
  if (command) {
    const about = text(args, ['description', 'explanation'])
    const code = { text: command, language: 'bash' }
    return {
      summary: about ?? firstLine(command),
      code,
      rest: without(args, [...COMMANDS, 'description', 'explanation']),
    }
  }
  const content = text(args, ['content', 'file_text', 'contents'])
  if (path && content !== undefined) {
    const code = { text: content, language: languageOfFile(path) }
    return { summary: path, path, code, rest: without(args, [...PATHS, 'content', 'file_text', 'contents']) }
  }
  const prompt = text(args, ['prompt'])
  if (prompt) {
    const summary = text(args, ['description', 'title']) ?? firstLine(prompt)
    return {
      summary,
      prose: prompt,
      rest: without(args, ['prompt', 'description']),
    }
  }
  const summary = path ?? text(args, ABOUT) ?? firstString(args)
  return { summary: firstLine(summary ?? ''), path, rest: without(args, path === undefined ? [] : PATHS) }
}

const PATHS = [
  'file_path',
  'filePath',
  'path',
  'notebook_path',
  'target_file',
  'relative_workspace_path',
  'file',
  'absolute_path',
]
const BEFORE = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text']
const AFTER = ['new_string', 'newString', 'new_str', 'newText', 'new_text']
const COMMANDS = ['command', 'cmd', 'script']
const ABOUT = ['query', 'pattern', 'url', 'q', 'intent_query', 'search', 'description', 'title', 'name']

function editsIn(args: Record<string, unknown>): [before: string, after: string][] {
  const list = Array.isArray(args.edits) ? args.edits.filter(isRecord) : [args]
  return list.flatMap((edit): [string, string][] => {
    const [before, after] = [text(edit, BEFORE), text(edit, AFTER)]
    return before !== undefined && after !== undefined ? [[before, after]] : []
  })
}

/** A shell line, or a program with its arguments. */
function commandIn(args: Record<string, unknown>): string | undefined {
  for (const name of COMMANDS) {
    const given = args[name]
    if (typeof given === 'string') return given
    if (Array.isArray(given) && given.every((part) => typeof part === 'string'))
      return /^(ba|z)?sh$/.test(given[0] ?? '') && given.length === 3 ? given[2] : given.join(' ')
  }
  return undefined
}

function patchedFiles(patch: string): string {
  return patchLines(patch)
    .filter(({ sign }) => sign === '@')
    .slice(0, 1)
    .map(({ text }) => text)
    .join(', ')
}

function text(args: Record<string, unknown>, names: string[]): string | undefined {
  for (const name of names) if (typeof args[name] === 'string') return args[name]
  return undefined
}

function firstString(args: Record<string, unknown>): string | undefined {
  return Object.values(args).find((value) => typeof value === 'string')
}

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] ?? ''
  return line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY)}…` : line
}

function without(args: Record<string, unknown>, names: string[]): Record<string, unknown> | undefined {
  const rest = Object.entries(args).filter(([name]) => !names.includes(name))
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
