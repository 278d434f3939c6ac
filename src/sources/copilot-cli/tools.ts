import type { FileTouch, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, number, object, objects, parsed, plain, string, words } from '../json.ts'
import { binaryAttachments, toolCitations } from './attached.ts'
import type { OpenTool } from './state.ts'

export function toolCalls(requests: unknown): ToolCall[] {
  return objects(requests).flatMap((request) => {
    const tool = words(request.mcpToolName) ?? words(request.name)
    if (!tool) return []
    const id = string(request.toolCallId) ?? ''
    return [{ id, server: words(request.mcpServerName), tool, args: toolArguments(request.arguments) }]
  })
}

/** Objects in the CLI's files, JSON text in those of VS Code, free text for grammar-based tools. */
export function toolArguments(value: unknown): unknown {
  const args = parsed(value)
  return tooDeep(args, 100) ? '[nested too deeply]' : args
}

/** What a started tool is remembered by until it ends. */
export function openTool(data: Json, at: number | undefined): OpenTool {
  const args = toolArguments(data.arguments)
  const tool = words(data.toolName) ?? ''
  const touched = filesTouched(tool, args)
  const prompt = words(object(args)?.prompt)
  return {
    at,
    asks: tool === 'ask_user' || undefined,
    files: touched.length > 0 ? touched : undefined,
    about: prompt && words(object(args)?.description)?.slice(0, 200),
    prompt: prompt && promptMark(prompt),
  }
}

/** Enough of a prompt to know it again. */
export function promptMark(prompt: string): string {
  const text = prompt.trim()
  return `${text.length}:${text.slice(0, 100)}`
}

/** A finished tool: its result, what it touched and what it showed. */
export function toolMessage(
  data: Json,
  open: OpenTool | undefined,
  at: number | undefined,
): Pick<Message, 'toolResults' | 'files' | 'attachments' | 'citations'> {
  const result = object(data.result)
  const failed = data.success === false
  const text = resultText(data.result)
  const structured = result?.structuredContent
  const outcome: ToolResult = { callId: string(data.toolCallId) ?? '' }
  if (text !== undefined) outcome.text = text
  else if (structured !== undefined && !tooDeep(structured, 100)) outcome.json = structured
  if (failed) outcome.error = failure(data.error) ?? text ?? 'failed'
  if (failed && outcome.error === text) delete outcome.text
  outcome.exitCode = exitCode(data, result, text)
  if (open?.at !== undefined && at !== undefined && at >= open.at) outcome.durationMs = at - open.at
  return {
    toolResults: [outcome],
    files: failed ? undefined : open?.files,
    attachments: binaryAttachments(result),
    citations: toolCitations(result?.citableSources),
  }
}

/** What the person answered to a question, or with which words a call was refused. */
export function saidToTool(
  result: ToolResult | undefined,
  open: OpenTool | undefined,
): Pick<Message, 'via' | 'text'> | undefined {
  const refusal = words(
    /^The user rejected this tool call\. User feedback: ([\s\S]+)$/.exec(
      result?.error ?? result?.text ?? '',
    )?.[1],
  )
  if (refusal) return { via: 'refusal', text: refusal.trim() }
  if (!open?.asks || result?.error !== undefined) return undefined
  const answer = words(/^User (?:responded|selected):([\s\S]+)$/.exec(result?.text ?? '')?.[1])
  return answer ? { via: 'answer', text: answer.trim() } : undefined
}

function resultText(value: unknown): string | undefined {
  const result = object(value)
  if (!result) return words(value)
  return (
    words(result.content) ??
    words(result.detailedContent) ??
    words(
      objects(result.contents)
        .flatMap((part) => words(part.text) ?? words(part.outputPreview) ?? [])
        .join('\n'),
    )
  )
}

function failure(error: unknown): string | undefined {
  return words(object(error)?.message) ?? words(object(error)?.code) ?? words(error)
}

function exitCode(data: Json, result: Json | undefined, text: string | undefined): number | undefined {
  const told =
    number(object(data.shellExecution)?.exitCode) ??
    objects(result?.contents)
      .map((part) => number(part.exitCode))
      .find((code) => code !== undefined)
  if (told !== undefined) return told
  // Before shellExecution was recorded (1.0.60 and older) only the text said so.
  const said = /<(?:exited|shellId|command)[^<>]*exit code (-?\d{1,10})>\s*$/.exec(text?.slice(-200) ?? '')
  return said ? Number(said[1]) : undefined
}

const ACTIONS = new Map<string, FileTouch['action']>([
  ['view', 'read'],
  ['read_file', 'read'],
  ['edit', 'edit'],
  ['str_replace', 'edit'],
  ['insert', 'edit'],
  ['replace_string_in_file', 'edit'],
  ['insert_edit_into_file', 'edit'],
  ['create', 'create'],
  ['create_file', 'create'],
  ['delete', 'delete'],
  ['delete_file', 'delete'],
])

/** All paths of one tool call together, so that an open tool stays small in the saved state. */
const PATHS_LENGTH = 2000

function filesTouched(tool: string, args: unknown): FileTouch[] {
  if (tool === 'apply_patch') return bounded(patchedFiles(args))
  const fields = object(args)
  // The oldest builds had one tool for all, with the action as its command.
  const action = ACTIONS.get(tool === 'str_replace_editor' ? plain(fields?.command) : tool)
  if (tool === 'multi_replace_string_in_file')
    return bounded(objects(fields?.replacements).flatMap((part) => touch(part, 'edit')))
  return action && fields ? bounded(touch(fields, action)) : []
}

function touch(fields: Json, action: FileTouch['action']): FileTouch[] {
  const path = words(fields.path) ?? words(fields.filePath) ?? words(fields.file_path)
  return path ? [{ path, action }] : []
}

function patchedFiles(args: unknown): FileTouch[] {
  const fields = object(args)
  const patch = string(args) ?? string(fields?.patch) ?? string(fields?.input) ?? ''
  const touched: FileTouch[] = []
  for (const [, verb, path] of patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (\S.*)$/gm)) {
    const action = verb === 'Add' ? 'create' : verb === 'Delete' ? 'delete' : 'edit'
    touched.push({ path: path!.trim(), action })
  }
  return touched
}

function bounded(touched: FileTouch[]): FileTouch[] {
  const unique = new Map<string, FileTouch>()
  let length = 0
  for (const file of touched) {
    const key = `${file.action} ${file.path}`
    if (unique.has(key)) continue
    length += file.path.length
    if (length > PATHS_LENGTH) break
    unique.set(key, file)
  }
  return [...unique.values()]
}

function tooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (tooDeep(item, levels - 1)) return true
  return false
}
