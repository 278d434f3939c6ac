import { kindName, kinds, lineRecords, type Seen, type Survey } from '../coverage/survey.ts'
import { type Json, object, objects, string } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    desktop-session user assistant summary ai-title custom-title pr-link relocated attachment/queued_command
    queue-operation/enqueue queue-operation/dequeue queue-operation/remove queue-operation/popAll
    user/text user/tool_result user/image user/document
    assistant/text assistant/thinking assistant/tool_use assistant/redacted_thinking assistant/fallback
    assistant/server_tool_use assistant/web_search_tool_result assistant/image
    system system/local_command system/compact_boundary system/informational system/api_error
    system/stop_hook_summary system/away_summary system/scheduled_task_fire system/model_refusal_fallback
  `),
  ignored: kinds(`
    api-request api-request-blob api-request-shape atis-latch cost-state last-prompt mode tools-used
    permission-mode file-history-snapshot file-history-delta progress agent-name agent-color agent-setting
    bridge-session worktree-state content-replacement marble-origami-commit marble-origami-snapshot
    speculation-accept task-summary tag started result saved_hook_context
    system/turn_duration system/microcompact_boundary system/memory_saved system/bridge_status
    system/agents_killed system/permission_retry system/snapshot
    attachment/agent_listing_delta attachment/auto_mode attachment/auto_mode_exit attachment/date
    attachment/date_change attachment/deferred_tools_delta attachment/environment attachment/model
    attachment/prompt_snapshot attachment/remote_session_change attachment/session_context
    attachment/skill_listing attachment/total_tokens_reminder attachment/file attachment/edited_text_file
    attachment/edited_image_file attachment/directory attachment/selected_lines_in_ide
    attachment/opened_file_in_ide attachment/todo_reminder attachment/todo attachment/task_reminder
    attachment/task_status attachment/nested_memory attachment/relevant_memories attachment/dynamic_skill
    attachment/invoked_skills attachment/plan_mode attachment/plan_mode_exit attachment/plan_mode_reentry
    attachment/plan_file_reference attachment/critical_system_reminder attachment/mcp_resource
    attachment/command_permissions attachment/agent_mention attachment/diagnostics
    attachment/hook_success attachment/hook_blocking_error attachment/hook_non_blocking_error
    attachment/hook_error_during_execution attachment/hook_stopped_continuation
    attachment/hook_additional_context attachment/hook_system_message attachment/hook_cancelled
    attachment/async_hook_response attachment/output_style attachment/token_usage attachment/budget_usd
    attachment/output_token_usage attachment/compact_file_reference attachment/already_read_file
    attachment/pdf_reference attachment/mcp_instructions_delta attachment/ultrathink_effort
    attachment/compaction_reminder attachment/verify_plan_reminder attachment/structured_output
    attachment/teammate_mailbox attachment/team_context attachment/skill_discovery attachment/ultramemory
    attachment/companion_intro attachment/current_session_memory attachment/bagel_console
  `),
  *records({ path, growth }, glance) {
    if (growth === 'whole') {
      yield { kind: 'desktop-session' }
      return
    }
    const heard: Heard = { typed: new Set(), texts: new Set(), queued: new Set() }
    for (const record of lineRecords(path, glance)) yield* seenIn(record, heard)
    // Typed while the assistant worked, and handed over without a record of the prompt.
    for (const text of heard.queued) if (!heard.texts.has(text)) yield { kind: 'user', turns: 1 }
  },
}

/** What the person typed: by its time, as a session that is gone on with may repeat it, and by its words. */
interface Heard {
  typed: Set<string>
  texts: Set<string>
  queued: Set<string>
}

function* seenIn(record: Json, heard: Heard): Generator<Seen> {
  const { type } = record
  if (type === 'attachment') {
    const attachment = object(record.attachment)
    yield { kind: kindName(type, attachment?.type) }
    const text = attachment?.type === 'queued_command' ? textOf(attachment.prompt) : ''
    const mode = attachment?.commandMode ?? 'prompt'
    const origin = object(attachment?.origin)?.kind ?? 'human'
    if (
      mode === 'prompt' &&
      origin === 'human' &&
      attachment?.isMeta !== true &&
      !record.isSidechain &&
      isWords(text)
    )
      heard.queued.add(text)
  } else if (type === 'queue-operation') yield { kind: kindName(type, record.operation) }
  else if (type === 'system') yield { kind: kindName(type, record.subtype) }
  else {
    yield { kind: kindName(type), turns: type === 'user' ? turnsIn(record, heard) : 0 }
    if (type === 'user' || type === 'assistant')
      for (const block of objects(object(record.message)?.content)) yield { kind: kindName(type, block.type) }
  }
}

function turnsIn(record: Json, { typed, texts }: Heard): number {
  if (record.isMeta === true || record.isSidechain === true || record.isCompactSummary === true) return 0
  if (record.promptSource === 'system' || (object(record.origin)?.kind ?? 'human') !== 'human') return 0
  if (record.agentId !== undefined || record.toolUseResult !== undefined) return 0
  const content = object(record.message)?.content
  if (objects(content).some((block) => block.type === 'tool_result')) return 0
  const text = textOf(content)
  const stamp = `${record.timestamp} ${text}`
  if (!isWords(text) || typed.has(stamp)) return 0
  typed.add(stamp)
  texts.add(text)
  return 1
}

/** Texts in the user's name that begin so were not typed. */
const NOT_TYPED =
  /^(<|Caveat: The messages below|\[Request interrupted|This session is being continued|Stop hook feedback:|Another Claude session sent)/

function isWords(text: string): boolean {
  return text !== '' && !NOT_TYPED.test(text)
}

function textOf(content: unknown): string {
  const texts =
    typeof content === 'string' ? [content] : objects(content).map(({ text }) => string(text) ?? '')
  return texts.map(withoutReminders).filter(Boolean).join('\n')
}

function withoutReminders(text: string): string {
  return text.replace(/<(system-reminder|ide_\w+|user-prompt-submit-hook)>[\s\S]*?<\/\1>/g, '').trim()
}
