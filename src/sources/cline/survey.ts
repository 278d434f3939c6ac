import fs from 'node:fs'
import path from 'node:path'
import { documentIn, kindName, kinds, type Seen, type Survey } from '../coverage/survey.ts'
import { type Json, object, objects, plain, string, words } from '../json.ts'

/** Cline and Roo Code keep the same files. */
export const survey: Survey = {
  used: kinds(`
    api/user api/assistant part/text part/thinking part/reasoning part/tool_use part/tool_result part/image
    ui/text ui/task ui/user_feedback ui/user_feedback_diff ui/api_req_started ui/api_req_finished ui/reasoning
    ui/completion_result ui/followup ui/plan_mode_respond ui/act_mode_respond
    ui/command_output ui/mcp_server_response ui/browser_action_result ui/subtask_result
    ui/codebase_search_result ui/condense ui/summarize_task ui/condense_context
    ui/error ui/diff_error ui/api_req_failed ui/mistake_limit_reached ui/clineignore_error
    ui/rooignore_error ui/command_permission_denied
    ui/tool ui/command ui/use_mcp_server ui/browser_action_launch ui/browser_action ui/use_subagents
  `),
  ignored: kinds(`
    ui/resume_task ui/resume_completed_task ui/checkpoint_created ui/checkpoint_saved ui/api_req_retried
    ui/api_req_deleted ui/api_req_retry_delayed ui/mcp_server_request_started ui/deleted_api_reqs ui/task_progress
    ui/load_mcp_documentation ui/shell_integration_warning ui/hook_status ui/hook_output_stream ui/info
    ui/error_retry ui/conditional_rules_applied ui/generate_explanation ui/new_task ui/report_bug ui/inspect_site_result
    ui/auto_approval_max_req_reached ui/condense_context_error ui/sliding_window_truncation ui/image ui/user_edit_todos
    ui/mcp_notification ui/shell_integration_warning_with_suggestion ui/browser_session_status
    ui/subagent ui/subagent_usage part/document part/redacted_thinking
  `),
  *records({ path: file }, glance) {
    if (file.endsWith('.messages.json')) {
      const isSubagent = path.basename(file) !== `${path.basename(path.dirname(file))}.messages.json`
      yield* apiSeen(objects(object(documentIn(file, glance))?.messages), !isSubagent)
      return
    }
    const folder = path.dirname(file)
    const isChild = isSubtask(path.join(folder, 'history_item.json'))
    if (path.basename(file) !== 'api_conversation_history.json') {
      yield* uiSeen(objects(documentIn(file, glance)), isChild)
      return
    }
    const shown = ['ui_messages.json', 'claude_messages.json'].map((name) => path.join(folder, name))
    const isShown = shown.some((each) => fs.existsSync(each) && objects(documentIn(each, glance)).length > 0)
    yield* apiSeen(objects(documentIn(file, glance)), !isShown && !isChild)
  },
}

function* uiSeen(entries: Json[], isChild: boolean): Generator<Seen> {
  let isTold = false
  for (const entry of entries) {
    if (entry.partial === true) continue
    const what = string(entry.say) ?? string(entry.ask)
    const isTask: boolean = !isTold && (what === 'text' || what === 'task')
    isTold ||= isTask
    const isTyped = ((isTask && !isChild) || what === 'user_feedback') && words(entry.text) !== undefined
    const isChosen = /"selected":\s*"[^"]/.test(SPEAKING.has(what ?? '') ? (string(entry.text) ?? '') : '')
    yield { kind: kindName('ui', what), turns: Number(isTyped) + Number(isChosen) }
  }
}

/** Entries that may hold an option that was chosen. */
const SPEAKING = new Set(['followup', 'plan_mode_respond', 'act_mode_respond'])

function isSubtask(item: string): boolean {
  return fs.existsSync(item) && words(object(documentIn(item))?.parentTaskId) !== undefined
}

/** What the model was sent: the person's words stand in tags, or are followed by what was added. */
function* apiSeen(entries: Json[], counts: boolean): Generator<Seen> {
  for (const { role, content } of entries) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
    const isTyped = counts && role === 'user' && blocks.some((block, at) => isPersons(block, blocks[at - 1]))
    yield { kind: kindName('api', role), turns: isTyped ? 1 : 0 }
    for (const { type } of blocks) yield { kind: kindName('part', type) }
  }
}

const TAGGED = /^\s*<(task|feedback|answer|user_message|user_input)[ >]/
const TAGGED_LATER = /(provided the following feedback|for task continuation):\s*<(feedback|user_message)>/

/** A result may stand in a block of its own, behind the one that names the tool. */
function isPersons(block: Json, before: Json | undefined): boolean {
  if (/\] Result:\s*$/.test(string(before?.text) ?? '')) return false
  const text = block.type === 'tool_result' ? plain(block.content) : (string(block.text) ?? '')
  if (TAGGED.test(text) || TAGGED_LATER.test(text.slice(0, 1000))) return true
  return block.type === 'text' && /^\s*[^<[#\s]/.test(text)
}
