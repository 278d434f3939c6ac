import { millis, number, object, version, words } from '../json.ts'
import { type Moment, modelName, placed, type Said, say } from './moment.ts'
import { addDue, remember } from './state.ts'
import { addTold, compactionUsage, untold } from './usage.ts'

export function sessionStarted(moment: Moment): void {
  const { state, data, at } = moment
  state.startedAt ??= millis(data.startTime) ?? at
  state.session.parentId ??= words(data.detachedFromSpawningParentSessionId)?.slice(0, 200)
  contextChanged(moment)
}

export function contextChanged({ state, chat, data }: Moment): void {
  if (chat !== state.session) return
  // session.start and session.resume hold a context, session.context_changed is one.
  const context = object(data.context) ?? data
  state.workspace = (words(context.cwd) ?? words(context.gitRoot))?.slice(0, 4096) ?? state.workspace
  state.branch = words(context.branch)?.slice(0, 500) ?? state.branch
  state.repository = words(context.repository)?.slice(0, 500) ?? state.repository
  state.session.format = version(data.copilotVersion) ?? state.session.format
  state.session.model = modelName(data.selectedModel) ?? state.session.model
  state.session.changed = true
}

export function modelChanged({ chat, data }: Moment): void {
  chat.model = modelName(data.newModel) ?? chat.model
}

export function assetStored({ state, data, offset }: Moment): void {
  const id = words(data.assetId)
  const bytes = number(data.byteLength)
  if (id && id.length <= 200 && bytes !== undefined) remember(state.assets, 'assets', id, [bytes, offset])
}

export function agentStarted({ state, chat, data }: Moment): void {
  const about = state.tools.get(words(data.toolCallId) ?? '')?.about
  const title = about ?? words(data.agentDisplayName) ?? words(data.agentDescription) ?? words(data.agentName)
  chat.title = title?.slice(0, 200)
  chat.model = modelName(data.model)
  chat.status = 'running'
  const parent = state.agents.get(words(data.parentId) ?? '')
  if (parent && parent !== chat && chat.parentId) chat.parentId = parent.id
  chat.changed = true
}

export function agentEnded(moment: Moment): void {
  const { chat, data } = moment
  chat.changed = true
  chat.status = data.cancelled === true ? 'cancelled' : 'done'
  const error = words(data.error)
  if (!error) return
  chat.status = 'failed'
  if (chat.said) say(moment, { role: 'system', kind: 'notice', text: error, outcome: 'failed' })
}

export function compacted(moment: Moment): void {
  const { state, chat, data, checkpointText } = moment
  if (data.success === false) return
  const checkpoint = number(data.checkpointNumber)
  const text =
    words(data.summaryContent) ?? (checkpoint === undefined ? undefined : checkpointText(checkpoint))
  const model = modelName(object(data.compactionTokensUsed)?.model) ?? chat.model
  const call = compactionUsage(data.compactionTokensUsed)
  const summary: Said = { role: 'assistant', kind: 'summary', text: text ?? '', model, ...call }
  addTold(state.told, model, summary.usage)
  if (text !== undefined) say(moment, summary)
  else if (checkpoint !== undefined)
    addDue(state, { chatId: chat.id, checkpoint, message: placed(moment, summary) })
}

export function handedOff(moment: Moment): void {
  const text = words(moment.data.summary)
  if (text) say(moment, { role: 'assistant', kind: 'summary', text })
}

const ANY_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Both sides of a fork are told of it; only the copy names another session as its origin. */
export function informed({ state, data }: Moment): void {
  if (data.infoType !== 'fork') return
  const origin = /^Forked from (.{1,500}?)(?: as |$)/i.exec(words(data.message) ?? '')?.[1]
  const id = ANY_UUID.exec(origin ?? '')?.[0]
  if (!id || id === state.sessionId) return
  state.forkOf = id
  state.session.changed = true
}

export function failed(moment: Moment): void {
  const { chat, data } = moment
  const text = words(data.message) ?? words(data.errorType) ?? 'error'
  chat.status = 'failed'
  say(moment, { role: 'system', kind: 'notice', text, outcome: 'failed' })
}

export function aborted(moment: Moment): void {
  const reason = words(moment.data.reason)
  const text = reason ? `Aborted: ${reason.replaceAll('_', ' ')}` : 'Aborted'
  moment.chat.status = 'cancelled'
  say(moment, { role: 'system', kind: 'notice', text, outcome: 'cancelled' })
}

export function shutDown(moment: Moment): void {
  const { state, data } = moment
  const { session } = state
  if (!state.usageRecords) tellUntold(moment)
  const [onlyModel, ...others] = Object.keys(object(data.modelMetrics) ?? {})
  state.endModel ??= modelName(data.currentModel) ?? (others.length === 0 ? modelName(onlyModel) : undefined)
  if (data.shutdownType === 'error') session.status = 'failed'
  else if (session.status !== 'failed' && session.status !== 'cancelled') session.status = 'done'
  session.changed = true
  state.calls.clear()
  state.tools.clear()
  state.awaiting.clear()
}

/** Sessions without records of their model calls have their tokens in the totals at the end alone. */
function tellUntold(moment: Moment): void {
  const { state, data } = moment
  // Newer versions count on over all runs of a session, older ones begin with each.
  const goesOn = data.accountingSnapshot !== undefined || data.usageAccountingWatermarks !== undefined
  const rest = untold(data.modelMetrics, state.told, state.totals, moment.at)
  state.told = {}
  state.totals = goesOn ? Object.fromEntries(rest.map(({ model, total }) => [model, total])) : {}
  if (!state.session.said) return
  for (const [at, { model, usage }] of rest.entries()) {
    if (Object.keys(usage).length === 0) continue
    const id = at === 0 ? moment.id : `${moment.id}/${at}`
    const place = { ...moment, chat: state.session, id, offset: moment.offset + at / 1000 }
    say(place, { role: 'system', kind: 'notice', text: `Session ended: tokens of ${model}.`, model, usage })
  }
}
