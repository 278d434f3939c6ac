import { type Json, millis, object, string, words } from '../json.ts'
import type { Found } from '../source.ts'
import type { AssetData, CheckpointText, Moment } from './moment.ts'
import {
  aborted,
  agentEnded,
  agentStarted,
  assetStored,
  compacted,
  contextChanged,
  failed,
  handedOff,
  informed,
  modelChanged,
  sessionStarted,
  shutDown,
} from './session-events.ts'
import { agentChat, type ChatState, type EventsState, remember, sessionChat } from './state.ts'
import {
  assistantSaid,
  assistantThought,
  modelCalled,
  toolEnded,
  toolRequested,
  toolStarted,
  turnStarted,
  userSaid,
} from './talk-events.ts'

/**
 * What one event tells. The state carries over from event to event; `offset` is where the event's
 * line begins. Copilot Chat's transcripts in VS Code are made of the same events.
 */
export function takeEvent(
  state: EventsState,
  value: unknown,
  offset: number,
  checkpointText: CheckpointText = () => undefined,
  assetData: AssetData = () => undefined,
): Found[] {
  const event = object(value)
  const type = string(event?.type)
  const handle = type === undefined ? undefined : HANDLERS.get(type)
  if (!event || !type || !handle) return []
  const data = object(event.data) ?? {}
  const at = millis(event.timestamp)
  const id = words(event.id)?.slice(0, 200) ?? `@${offset}`
  const found: Found[] = []
  const chat = chatOf(state, type, event, data, at, found)
  handle({ state, chat, data, id, at, offset, found, checkpointText, assetData })
  return found
}

/** Headers that changed since they were last told; the session's own comes first. */
export function changedChats(state: EventsState): Found[] {
  const found: Found[] = []
  if (state.session.said && state.session.changed) found.push({ chat: sessionChat(state) })
  state.session.changed = false
  for (const chat of state.agents.values()) {
    if (chat.said && chat.changed) found.push({ chat: agentChat(state, chat) })
    chat.changed = false
  }
  return found
}

/** Summaries that could not be told when their event was read, and now can. */
export function dueSummaries(state: EventsState, checkpointText: CheckpointText): Found[] {
  const found: Found[] = []
  state.summariesDue = state.summariesDue.filter(({ chatId, checkpoint, message }) => {
    const text = checkpointText(checkpoint)
    if (text === undefined) return true
    found.push({ chatId, message: { ...message, text } })
    return false
  })
  return found
}

/** Whether a line can be left unparsed: the writer puts the type first, and most types say nothing. */
export function isUnwanted(line: Buffer): boolean {
  const head = line.toString('latin1', 0, 64)
  if (!head.startsWith('{"type":"')) return false
  return !HANDLERS.has(head.slice(9, head.indexOf('"', 9)))
}

const HANDLERS = new Map<string, (moment: Moment) => void>([
  ['session.start', sessionStarted],
  ['session.resume', contextChanged],
  ['session.context_changed', contextChanged],
  ['session.model_change', modelChanged],
  ['session.usage_record', modelCalled],
  ['session.binary_asset', assetStored],
  ['session.compaction_complete', compacted],
  ['session.handoff', handedOff],
  ['session.info', informed],
  ['session.error', failed],
  ['session.shutdown', shutDown],
  ['abort', aborted],
  ['user.message', userSaid],
  ['assistant.turn_start', turnStarted],
  ['assistant.message', assistantSaid],
  ['assistant.reasoning', assistantThought],
  ['tool.user_requested', toolRequested],
  ['tool.execution_start', toolStarted],
  ['tool.execution_complete', toolEnded],
  ['subagent.started', agentStarted],
  ['subagent.completed', agentEnded],
  ['subagent.failed', agentEnded],
])

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function chatOf(
  state: EventsState,
  type: string,
  event: Json,
  data: Json,
  at: number | undefined,
  found: Found[],
): ChatState {
  // Before events carried an agentId, a sub-agent was known by the call that started it.
  const call = type.startsWith('subagent.') ? data.toolCallId : data.parentToolCallId
  const key = (words(event.agentId) ?? words(call))?.slice(0, 200)
  if (key === undefined) return state.session
  let chat = state.agents.get(key)
  if (!chat) {
    const unique = UUID.test(key)
    // A fork copies the events of its sub-agents: those stay with the session they were started in.
    const copied = unique && at !== undefined && state.startedAt !== undefined && at < state.startedAt
    chat = {
      id: unique ? key : `${state.sessionId}/${key}`,
      parentId: copied ? undefined : state.sessionId,
      createdAt: at,
      format: state.session.format,
    }
  }
  const forgotten = remember(state.agents, 'agents', key, chat)
  if (forgotten?.said && forgotten.changed) found.push({ chat: agentChat(state, forgotten) })
  return chat
}
