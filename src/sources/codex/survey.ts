import path from 'node:path'
import { glanceFrom, kindName, kinds, type Seen, type Survey, withoutTags } from '../coverage/survey.ts'
import { type Json, millis, object, objects, string } from '../json.ts'
import { openStored, type Stored } from './stored.ts'

const KINDS: Pick<Survey, 'used' | 'ignored'> = {
  used: kinds(`
    session_meta turn_context compacted token_usage_record inter_agent_communication title
    response_item/message response_item/agent_message response_item/reasoning
    response_item/function_call response_item/function_call_output
    response_item/custom_tool_call response_item/custom_tool_call_output
    response_item/local_shell_call response_item/local_shell_call_output
    response_item/web_search_call response_item/tool_search_call response_item/tool_search_output
    response_item/image_generation_call
    event_msg/user_message event_msg/item_completed event_msg/task_started event_msg/turn_started
    event_msg/task_complete event_msg/turn_complete event_msg/token_count event_msg/turn_aborted
    event_msg/thread_rolled_back event_msg/thread_name_updated event_msg/error event_msg/stream_error
    event_msg/exec_command_end event_msg/patch_apply_end event_msg/mcp_tool_call_end
  `),
  ignored: kinds(`
    world_state security_risk_score inter_agent_communication_metadata state
    response_item/additional_tools response_item/compaction response_item/ghost_snapshot
    response_item/compaction_summary response_item/other
    event_msg/agent_message event_msg/agent_reasoning event_msg/agent_reasoning_raw_content
    event_msg/agent_reasoning_section_break event_msg/agent_message_delta event_msg/agent_reasoning_delta
    event_msg/thread_settings_applied event_msg/context_compacted event_msg/entered_review_mode
    event_msg/exited_review_mode event_msg/exec_command_begin event_msg/exec_command_output_delta
    event_msg/web_search_begin event_msg/web_search_end event_msg/image_generation_begin
    event_msg/image_generation_end event_msg/patch_apply_begin event_msg/mcp_tool_call_begin
    event_msg/item_started event_msg/plan_update event_msg/turn_diff event_msg/background_event
    event_msg/undo_completed event_msg/view_image_tool_call event_msg/warning event_msg/session_configured
    event_msg/exec_approval_request event_msg/apply_patch_approval_request event_msg/shutdown_complete
    event_msg/collab_agent_spawn_begin event_msg/collab_agent_spawn_end event_msg/collab_waiting_begin
    event_msg/collab_waiting_end event_msg/collab_close_begin event_msg/collab_close_end
    event_msg/collab_agent_interaction_begin event_msg/collab_agent_interaction_end
    event_msg/thread_goal_updated event_msg/dynamic_tool_call_request event_msg/dynamic_tool_call_response
  `),
}

/** What rollouts hold, however their lines are had. */
export function surveyOf(open: (file: string) => Stored): Survey {
  return {
    ...KINDS,
    *records({ path: file }, glance) {
      if (/\.sqlite$/.test(file) || path.basename(file) === 'session_index.jsonl') return
      const told: PromptCount = { items: 0, events: 0, counts: true }
      const stored = open(file)
      const from = glance && file.endsWith('.jsonl') ? glanceFrom(file) : 0
      for (const { value } of stored.lines(from)) {
        const record = object(value)
        if (record) yield seenIn(record, told)
      }
      yield { kind: 'session_meta', turns: told.events > 0 ? told.events : told.items }
    },
  }
}

export const survey = surveyOf(openStored)

/** A prompt is written as an item and as an event; where there are events, they are the ones to count. */
interface PromptCount {
  items: number
  events: number
  /** Not for what a sub-agent is told. */
  counts: boolean
  /** Of a fork: what it inherited it writes within a second. */
  forkedAt?: number
}

function seenIn(record: Json, told: PromptCount): Seen {
  const payload = object(record.payload)
  const type = string(record.type)
  if (!payload) {
    if (type === undefined && record.role === undefined) return { kind: headerKind(record) }
    if (record.role === 'user' && isTyped(record)) told.items++
    return { kind: kindName('response_item', type ?? 'message') }
  }
  const at = millis(record.timestamp) ?? 0
  if (type === 'session_meta') {
    if (object(object(payload.source)?.subagent)) told.counts = false
    if (payload.forked_from_id) told.forkedAt ??= at
  }
  if (told.counts && at - (told.forkedAt ?? 0) > 1000) {
    const isEvent = payload.type === 'user_message' || object(payload.item)?.type === 'UserMessage'
    if (type === 'event_msg' && isEvent) told.events++
    if (type === 'response_item' && payload.role === 'user' && isTyped(payload)) told.items++
  }
  const isNamed = type === 'event_msg' || type === 'response_item'
  return { kind: isNamed ? kindName(type, payload.type ?? 'message') : kindName(type) }
}

/** The header of mid-2025 has no type. */
function headerKind(record: Json): string {
  if (record.record_type === 'state') return 'state'
  return record.id === undefined ? kindName(...Object.keys(record).slice(0, 2)) : 'session_meta'
}

function isTyped({ content }: Json): boolean {
  const texts =
    typeof content === 'string' ? [content] : objects(content).map(({ text }) => string(text) ?? '')
  return texts.some((text) => !/^(<|# AGENTS\.md|$)/.test(withoutTags(text)))
}
