import type { Attachment, Citation, FileTouch, Message, ToolResult } from '../../model/chat.ts'
import { type Json, object, objects, string } from '../json.ts'
import { attachmentOf, blocksOf, count, defined } from './content.ts'

/** Tools whose argument names the file they touch. */
const FILE_TOOLS: Record<string, FileTouch['action']> = {
  Read: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Write: 'create',
}

/** The file a call is about to touch. */
export function fileOfCall(tool: unknown, input: unknown): string | undefined {
  if (typeof tool !== 'string' || !Object.hasOwn(FILE_TOOLS, tool)) return undefined
  const args = object(input)
  const file = string(args?.file_path) ?? string(args?.notebook_path)
  return file !== undefined && file.length <= 1000 ? file : undefined
}

/**
 * The results in a user record. `toolUseResult` tells more than the model was shown, but belongs to
 * the only result of its record. `callOf` knows the files of calls, for records without it.
 */
export function resultsOf(
  record: Json,
  blocks: Json[],
  callOf: (id: string) => [tool: string, file: string] | undefined,
  storedOutput: (name: string) => string | undefined = () => undefined,
): Pick<Message, 'toolResults' | 'files' | 'citations' | 'attachments'> | undefined {
  const results = blocks.filter((block) => block.type === 'tool_result')
  if (results.length === 0) return undefined
  const details = results.length === 1 ? record.toolUseResult : undefined
  const attachments: Attachment[] = []
  const files: FileTouch[] = []
  const toolResults = results.map((block) => {
    const callId = string(block.tool_use_id) ?? ''
    const call = callOf(callId)
    const content = blocksOf(block.content)
    for (const part of content) {
      const attached = attachmentOf(part)
      if (attached) attachments.push(attached)
    }
    const result = resultOf(callId, block, content, details, storedOutput)
    const touched = result.error === undefined ? fileTouched(object(details), call) : undefined
    if (touched) files.push(touched)
    return result
  })
  const citations = citationsOf(object(details))
  return {
    toolResults,
    ...(files.length > 0 && { files }),
    ...(citations.length > 0 && { citations }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function resultOf(
  callId: string,
  block: Json,
  content: Json[],
  details: unknown,
  storedOutput: (name: string) => string | undefined,
): ToolResult {
  const shown = content.flatMap((part) => string(part.text) ?? []).join('\n')
  const facts = object(details)
  const told = withoutTag(shown || (string(details) ?? ''))
  const stored = told.startsWith('<persisted-output>') ? STORED.exec(told.slice(0, 2000))?.[1] : undefined
  const text = (stored && storedOutput(stored)) ?? told
  const agent = string(facts?.agentId)
  const failed = block.is_error === true
  const error = failed ? firstLine(text) || 'failed' : undefined
  return {
    callId,
    ...(text !== '' && text !== error && { text }),
    ...defined({ error }),
    ...defined({ exitCode: exitCode(text, facts, failed), durationMs: duration(facts) }),
    ...(agent && agent.length <= 200 && { chat: `agent-${agent}` }),
  }
}

/** A long output is moved beside the transcript, which keeps how it begins. */
const STORED = /^<persisted-output>[\s\S]{0,400}?saved to: (?:.*[\\/])?tool-results[\\/]([\w.-]{1,200})\s*$/m

/** A failed command says its code in its first line; one that ended well has its output and nothing else. */
function exitCode(text: string, facts: Json | undefined, failed: boolean): number | undefined {
  const told = count(facts?.exitCode)
  if (told !== undefined) return told
  const failure = failed ? /^(?:Error: )?Exit code (\d{1,9})\b/.exec(text) : null
  if (failure) return Number(failure[1])
  const endedWell =
    !failed &&
    typeof facts?.stdout === 'string' &&
    facts.interrupted !== true &&
    facts.backgroundTaskId === undefined &&
    facts.returnCodeInterpretation === undefined
  return endedWell ? 0 : undefined
}

function duration(facts: Json | undefined): number | undefined {
  const seconds = count(facts?.durationSeconds)
  const exact = count(facts?.totalDurationMs) ?? count(facts?.durationMs)
  return exact ?? (seconds === undefined ? undefined : Math.round(seconds * 1000))
}

function fileTouched(facts: Json | undefined, call: [string, string] | undefined): FileTouch | undefined {
  const read = string(object(facts?.file)?.filePath)
  if (read) return { path: read, action: 'read' }
  const written = string(facts?.filePath)
  if (written) {
    if (facts?.type === 'create') return { path: written, action: 'create' }
    if (facts?.type === 'update' || facts?.structuredPatch !== undefined || facts?.newString !== undefined) {
      return { path: written, action: 'edit' }
    }
  }
  return call && { path: call[1], action: FILE_TOOLS[call[0]] ?? 'edit' }
}

/** The pages that WebSearch found or WebFetch read. */
function citationsOf(facts: Json | undefined): Citation[] {
  if (!facts) return []
  if (typeof facts.query === 'string') {
    return objects(facts.results)
      .flatMap((result) => objects(result.content))
      .flatMap((hit) => {
        const url = string(hit.url)
        return url === undefined ? [] : [{ url, ...defined({ title: string(hit.title) }) }]
      })
  }
  const fetched = typeof facts.result === 'string' ? string(facts.url) : undefined
  return fetched === undefined ? [] : [{ url: fetched }]
}

function withoutTag(text: string): string {
  const open = '<tool_use_error>'
  if (!text.startsWith(open)) return text
  const end = text.endsWith('</tool_use_error>') ? -'</tool_use_error>'.length : undefined
  return text.slice(open.length, end)
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return text.slice(0, Math.min(end < 0 ? text.length : end, 300)).trim()
}
