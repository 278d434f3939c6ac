import { parsed } from '../json.ts'

/** A tool call written as XML in the answer, as it was before models could call tools natively. */
export interface XmlCall {
  tool: string
  params: Record<string, string>
}

const TOOLS = new Set([
  'access_mcp_resource',
  'act_mode_respond',
  'apply_diff',
  'ask_followup_question',
  'attempt_completion',
  'browser_action',
  'codebase_search',
  'condense',
  'execute_command',
  'fetch_instructions',
  'generate_image',
  'insert_content',
  'list_code_definition_names',
  'list_files',
  'load_mcp_documentation',
  'new_rule',
  'new_task',
  'plan_mode_respond',
  'read_file',
  'replace_in_file',
  'report_bug',
  'run_slash_command',
  'search_and_replace',
  'search_files',
  'summarize_task',
  'switch_mode',
  'update_todo_list',
  'use_mcp_tool',
  'use_skill',
  'use_subagents',
  'web_fetch',
  'web_search',
  'write_to_file',
])

/** These hold files, which may contain any tag themselves: they end at the last closing tag. */
const HOLDS_A_FILE = new Set([
  'write_to_file',
  'replace_in_file',
  'apply_diff',
  'insert_content',
  'content',
  'diff',
])

const TAG = /<([a-z_]{3,40})>/g

/** An answer taken apart: what was said, what was thought, which tools were called. */
export function takeApart(answer: string): { text: string; thinking?: string; calls: XmlCall[] } {
  if (!answer.includes('<')) return { text: answer.trim(), calls: [] }
  const said: string[] = []
  const thought: string[] = []
  const calls: XmlCall[] = []
  let from = 0
  TAG.lastIndex = 0
  for (let tag = TAG.exec(answer); tag; tag = TAG.exec(answer)) {
    const name = tag[1]!
    if (name !== 'thinking' && !TOOLS.has(name)) continue
    const start = tag.index + tag[0].length
    const { end, next } = closing(answer, name, start)
    said.push(answer.slice(from, tag.index))
    const inner = answer.slice(start, end)
    if (name === 'thinking') thought.push(inner.trim())
    else calls.push({ tool: name, params: paramsIn(inner) })
    from = next
    TAG.lastIndex = next
  }
  said.push(answer.slice(from))
  return {
    text: said.join('').trim(),
    thinking: thought.length > 0 ? thought.join('\n') : undefined,
    calls,
  }
}

/** The server, name and arguments of a call, with MCP calls unwrapped. */
export function unwrapped(
  tool: string,
  input: Record<string, unknown> | undefined,
): { server?: string; tool: string; args?: unknown } {
  if (tool === 'use_mcp_tool' && typeof input?.tool_name === 'string') {
    const server = typeof input.server_name === 'string' ? input.server_name : undefined
    return { server, tool: input.tool_name, args: parsed(input.arguments) }
  }
  const native = /^mcp--(.+?)--(.+)$/.exec(tool)
  return native ? { server: native[1], tool: native[2]!, args: input } : { tool, args: input }
}

function paramsIn(inner: string): Record<string, string> {
  const params: Record<string, string> = Object.create(null)
  const open = /<([a-z_]{1,40})>/g
  for (let tag = open.exec(inner); tag; tag = open.exec(inner)) {
    const start = tag.index + tag[0].length
    const { end, next } = closing(inner, tag[1]!, start)
    params[tag[1]!] = inner.slice(start, end).trim()
    open.lastIndex = next
  }
  return { ...params }
}

/** Where an element's content ends and where the text after it begins; a torn one lasts to the end. */
function closing(text: string, name: string, start: number): { end: number; next: number } {
  const close = `</${name}>`
  const end = HOLDS_A_FILE.has(name) ? text.lastIndexOf(close) : text.indexOf(close, start)
  return end < start ? { end: text.length, next: text.length } : { end, next: end + close.length }
}
