import { stripVTControlCharacters } from 'node:util'
import type { FileTouch, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, list, number, object, objects, parsed, string, words } from '../json.ts'
import { markdown } from './markdown.ts'
import { placeOf } from './uri.ts'

export interface ToolUse {
  toolCalls: ToolCall[]
  toolResults: ToolResult[]
  files: FileTouch[]
}

/**
 * The tool calls of one turn. VS Code keeps what it showed (`invocations`), Copilot what its model
 * said and got back (`toolCallRounds`, `toolCallResults`): the arguments and results of built-in
 * tools are only there. Both tell of the same calls, so they are joined.
 */
export function toolUse(invocations: Json[], metadata: Json | undefined): ToolUse {
  const asked = modelCalls(metadata)
  const use: ToolUse = { toolCalls: [], toolResults: [], files: [] }
  for (const invocation of onceEach(invocations)) {
    const call = takeMatching(asked, invocation)
    const { server, tool } = nameOf(invocation, call?.name)
    const id = words(invocation.toolCallId) ?? call?.id ?? `${tool}/${use.toolCalls.length}`
    tell(use, { id, server, tool, args: argsOf(invocation, call?.args) }, resultOf(id, invocation, call))
  }
  for (const call of asked) {
    tell(use, { id: call.id, tool: call.name, args: call.args }, resultOf(call.id, undefined, call))
  }
  return use
}

interface ModelCall {
  /** Without the `__vscode-<n>` that Copilot adds. */
  id: string
  name: string
  args: unknown
  result: string | undefined
}

function modelCalls(metadata: Json | undefined): ModelCall[] {
  const results = object(metadata?.toolCallResults) ?? {}
  const calls = new Map<string, ModelCall>()
  for (const round of objects(metadata?.toolCallRounds)) {
    for (const { id, name, arguments: args } of objects(round.toolCalls)) {
      const [wholeId, tool] = [words(id), words(name)]
      if (!wholeId || !tool) continue
      const result = Object.hasOwn(results, wholeId) ? contentText(results[wholeId]) : undefined
      calls.set(wholeId, { id: bare(wholeId), name: modelName(tool), args: shallow(parsed(args)), result })
    }
  }
  return [...calls.values()]
}

/** Ids match from 1.110 on; before that they do not, and calls of one tool are paired in their order. */
function takeMatching(asked: ModelCall[], invocation: Json): ModelCall | undefined {
  const id = words(invocation.toolCallId)
  let at = id ? asked.findIndex((call) => call.id === bare(id)) : -1
  const ofSubagent = invocation.subAgentInvocationId ?? invocation.fromSubAgent
  if (at < 0 && !ofSubagent) {
    const name = modelName(words(invocation.toolId) ?? '')
    at = asked.findIndex((call) => call.name === name)
  }
  return at < 0 ? undefined : asked.splice(at, 1)[0]
}

/** One call is told once: the last part is the fullest. Inner halves of a tool are not calls. */
function onceEach(invocations: Json[]): Json[] {
  const byId = new Map<unknown, Json>()
  for (const invocation of invocations) {
    if (string(invocation.toolId)?.endsWith('_internal')) continue
    byId.set(words(invocation.toolCallId) ?? invocation, invocation)
  }
  return [...byId.values()]
}

function tell(use: ToolUse, call: ToolCall, result: ToolResult | undefined) {
  use.toolCalls.push(call)
  if (result) use.toolResults.push(result)
  const file = fileOf(call)
  if (file) use.files.push(file)
}

const FILE_TOOLS = new Map<string, FileTouch['action']>([
  ['read_file', 'read'],
  ['create_file', 'create'],
  ['replace_string_in_file', 'edit'],
  ['insert_edit_into_file', 'edit'],
  ['edit_notebook_file', 'edit'],
])

function fileOf({ tool, args }: ToolCall): FileTouch | undefined {
  const action = FILE_TOOLS.get(tool)
  const path = action && placeOf(object(args)?.filePath)?.path
  return path ? { path, action } : undefined
}

function nameOf(invocation: Json, asked: string | undefined): { server?: string; tool: string } {
  const toolId = words(invocation.toolId) ?? asked ?? 'unknown'
  const source = object(invocation.source)
  if (source?.type !== 'mcp') return { tool: asked ?? modelName(toolId) }
  const labels = [words(source.serverLabel), words(source.label)].filter((label) => label !== undefined)
  return { server: labels[0], tool: withoutServer(toolId, labels) }
}

/** `mcp_<server, at most 13 characters>_<tool>`, with a number where two servers look alike. */
function withoutServer(toolId: string, labels: string[]): string {
  for (const label of labels) {
    const prefix = `mcp_${label
      .toLowerCase()
      .replace(/[^a-z0-9_.-]+/g, '_')
      .slice(0, 13)}`
    if (!toolId.startsWith(prefix)) continue
    const rest = /^\d*_(.+)$/s.exec(toolId.slice(prefix.length))
    if (rest) return rest[1]!
  }
  return toolId
}

/** Tools whose name in VS Code is not simply another spelling of the name the model calls. */
const RENAMED = new Map([
  ['copilot_searchCodebase', 'semantic_search'],
  ['copilot_findFiles', 'file_search'],
  ['copilot_findTextInFiles', 'grep_search'],
  ['copilot_listDirectory', 'list_dir'],
  ['copilot_insertEdit', 'insert_edit_into_file'],
  ['copilot_replaceString', 'replace_string_in_file'],
  ['copilot_multiReplaceString', 'multi_replace_string_in_file'],
  ['copilot_editNotebook', 'edit_notebook_file'],
  ['copilot_findTestFiles', 'test_search'],
  ['copilot_getSearchResults', 'get_search_view_results'],
  ['copilot_fetchWebPage', 'fetch_webpage'],
  ['copilot_getVSCodeAPI', 'get_vscode_api'],
  ['copilot_runTests1', 'run_tests'],
])

/** The name the model calls a tool by: `copilot_readFile` is `read_file`. */
function modelName(toolId: string): string {
  const renamed = RENAMED.get(toolId)
  if (renamed || !toolId.startsWith('copilot_')) return renamed ?? toolId
  return toolId.slice(8).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** As they were run: a person may have changed the command that the model asked for. */
function argsOf({ toolSpecificData, resultDetails }: Json, asked: unknown): unknown {
  const data = object(toolSpecificData)
  if (data?.kind === 'terminal') {
    const { command } = object(asked) ?? {}
    return { ...object(asked), command: commandOf(data) ?? command, cwd: placeOf(data.cwd)?.path }
  }
  if (data?.kind === 'input') return shallow(data.rawInput) ?? asked
  if (data?.kind === 'subagent') {
    const { description, agentName, prompt } = data
    return { description, agentName, prompt }
  }
  if (data?.kind === 'todoList') return { todoList: shallow(data.todoList) }
  if (data?.kind === 'simpleToolInvocation') return shallow(parsed(data.input))
  const input = object(resultDetails)?.input
  return input === undefined ? asked : shallow(parsed(input))
}

function commandOf(data: Json): string | undefined {
  const line = object(data.commandLine)
  const shown = object(data.presentationOverrides)?.commandLine
  const choices = [shown, line?.forDisplay, line?.userEdited, line?.toolEdited, line?.original, data.command]
  return choices
    .map(words)
    .find((command) => command !== undefined)
    ?.trim()
}

function resultOf(
  callId: string,
  invocation: Json | undefined,
  call: ModelCall | undefined,
): ToolResult | undefined {
  const data = object(invocation?.toolSpecificData)
  const details = object(invocation?.resultDetails)
  const result: ToolResult = { callId }
  const text = call?.result ?? ownResult(data, details) ?? shownMessage(invocation)
  if (refused(invocation)) result.error = text ?? 'not allowed by the user'
  else if (details?.isError === true) result.error = text ?? 'failed'
  else result.text = text
  if (data?.kind === 'terminal') {
    const state = object(data.terminalCommandState)
    result.exitCode = number(state?.exitCode)
    result.durationMs = number(state?.duration)
  }
  return Object.values(result).filter((value) => value !== undefined).length > 1 ? result : undefined
}

function ownResult(data: Json | undefined, details: Json | undefined): string | undefined {
  if (data?.kind === 'terminal') {
    const output = words(object(data.terminalCommandOutput)?.text)
    if (output) return withoutTerminalCodes(output)
  }
  if (data?.kind === 'subagent') return words(data.result)
  if (data?.kind === 'simpleToolInvocation') return words(data.output)
  if (typeof details?.output === 'string') return words(details.output)
  const texts = objects(details?.output)
    .filter((item) => item.isText !== false && !/^(image|audio|video)\//.test(string(item.mimeType) ?? ''))
    .map((item) => string(item.value))
  return words(texts.filter((text) => text !== undefined).join('\n'))
}

/** Where nothing else was kept: "Searched for `x`, 3 results". */
function shownMessage(invocation: Json | undefined): string | undefined {
  return words(markdown(invocation?.pastTenseMessage)?.trim())
}

/** 0 denied, 5 skipped; a plain false until 1.103. */
function refused(invocation: Json | undefined): boolean {
  const confirmed = invocation?.isConfirmed
  const type = object(confirmed)?.type
  return confirmed === false || type === 0 || type === 5
}

function withoutTerminalCodes(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r\n', '\n').trim()
}

/** Text of a stored tool result: plain values, or the tree of a rendered prompt. Pictures are left out. */
function contentText(result: unknown): string | undefined {
  const texts = list(object(result)?.content).map((item) => {
    const value = object(item)?.value
    if (typeof value === 'string') return value
    return treeText(object(value)?.node)
  })
  return words(texts.filter((text) => text !== '').join('\n'))
}

function treeText(root: unknown): string {
  let text = ''
  const ahead: unknown[] = [root]
  while (ahead.length > 0) {
    const node = object(ahead.pop())
    if (!node) continue
    if (node.type === 2) {
      const line = string(node.text) ?? ''
      text += node.lineBreakBefore && text !== '' && !text.endsWith('\n') ? `\n${line}` : line
    }
    const children = list(node.children)
    for (let child = children.length - 1; child >= 0; child--) ahead.push(children[child])
  }
  return text
}

function bare(id: string): string {
  return id.replace(/__vscode-\d+$/, '')
}

/** Arguments nested so deeply that they could not be stored are left out. */
function shallow(value: unknown, levels = 60): unknown {
  return isShallow(value, levels) ? value : undefined
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1))
}
