import { type Json, object, words } from '../json.ts'
import { kindName, type Seen } from './survey.ts'

/** Events of the CLI, and of Copilot's transcripts in VS Code. */
export const EVENTS_USED = `
  session.start session.resume session.context_changed session.model_change session.usage_record
  session.binary_asset session.compaction_complete session.handoff session.info session.error
  session.shutdown abort user.message assistant.turn_start assistant.message assistant.reasoning
  tool.user_requested tool.execution_start tool.execution_complete
  subagent.started subagent.completed subagent.failed
`
export const EVENTS_IGNORED = `
  assistant.turn_end assistant.usage assistant.intent assistant.streaming_delta assistant.message_delta
  assistant.reasoning_delta assistant.message_start model.message model.messages_snapshot
  model.model_call_started model.model_call_success model.response model.turn_ended model.turn_started
  session.compaction_start session.truncation session.usage_info session.idle session.snapshot_rewind
  session.task_complete session.mode_changed session.plan_changed session.title_changed session.warning
  session.workspace_file_changed session.import_legacy session.permissions_changed
  session.skills_loaded session.mcp_servers_loaded session.mcp_server_status_changed
  session.custom_agents_updated session.tools_updated session.background_tasks_changed
  session.extensions_loaded session.remote_steerable_changed
  subagent.configured subagent.selected subagent.deselected skill.invoked system.message
  system.notification tool.execution_progress tool.execution_partial_result
  hook.start hook.end permission.requested permission.completed command.queued command.execute
  command.completed external_tool.requested external_tool.completed
  user_input.requested user_input.completed elicitation.requested elicitation.completed
  exit_plan_mode.requested exit_plan_mode.completed pending_messages.modified
`

export function eventSeen(event: Json): Seen {
  return { kind: kindName(event.type), turns: event.type === 'user.message' && isTyped(event) ? 1 : 0 }
}

function isTyped(event: Json): boolean {
  const data = object(event.data)
  const said = words(data?.content)
  if (!said || event.agentId !== undefined || data?.parentToolCallId !== undefined) return false
  const isByPerson = data?.source === undefined || data.source === 'user'
  return (
    isByPerson && data?.isAutopilotContinuation !== true && !said.trimStart().startsWith('<skill-context')
  )
}
