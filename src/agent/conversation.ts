import { randomBytes } from 'node:crypto'
import type { LanguageModel } from 'ai'
import type { Usage } from '../model/chat.ts'
import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import { redact } from '../platform/redact.ts'
import type { Prices } from '../recall/prices.ts'
import { priced } from './accounting.ts'
import type { AgentEvent, ClientTool, Finish, RunResult } from './agent.ts'
import { approvalFrom } from './approvals.ts'
import { budgetDecisions, budgetQuestion, overBudget, overspent } from './budget.ts'
import { type Calling, runCalls } from './calls.ts'
import { type ContextLimits, tokensIn } from './context-limits.ts'
import { mediaFor, messagesFrom } from './history.ts'
import { PieceWriter } from './pieces.ts'
import type { NamedTool } from './pool.ts'
import { isTooLarge, isTooLong, providerProblem, refusesTools } from './provider-problem.ts'
import type { Provider } from './providers.ts'
import { ownRounds, resultOf } from './result.ts'
import { estimated, type Load, learnFrom, makeRoom, tooLarge, tooLong } from './room.ts'
import { currentTurn, openCalls, sumOf } from './rounds.ts'
import type { EventOf } from './run-event.ts'
import type { RunLog } from './runs.ts'
import type { Spending } from './spending.ts'
import { askModel, type Reply, StepFailed } from './step.ts'
import { summaryOf } from './summary.ts'

/** All that one run needs: who is asked, with what, and where it is written down. */
export interface Conversation {
  log: RunLog
  request: EventOf<'request'>
  provider: Provider
  model: LanguageModel
  instructions: string
  /** Offered to the model; none where it takes none. */
  tools: NamedTool[]
  /** Offered besides, and run by the program that asked. */
  clientTools: ClientTool[]
  calling: Omit<Calling, 'log' | 'signal' | 'tell' | 'unattended'>
  config: AgentConfig
  prices: Prices
  limits: ContextLimits
  spending: Spending
  /** How much the model reads, as its server says or the person set. */
  context?: number
  /** Whether the model takes pictures, where its server says so or the person set it. */
  images?: boolean
  /** The model turned out to take no tools. */
  onToolless(): void
  tell: (event: AgentEvent) => void
  signal: AbortSignal
}

/** Asks and runs tools in turn until the model has answered, a person is needed, or the limit is reached. */
export async function converse(conversation: Conversation): Promise<RunResult> {
  const { log, request, config, signal } = conversation
  const most = request.settings?.maxToolIterations ?? config.maxToolIterations
  try {
    for (;;) {
      signal.throwIfAborted()
      const open = openCalls(log.events)
      const left = open ? await runCalls(open, callingOf(conversation)) : 'done'
      if (left !== 'done') return await ended(conversation, left === 'client' ? 'tools' : 'paused')
      const may = mayAsk(conversation)
      if (may !== 'yes') return await ended(conversation, may === 'ask' ? 'paused' : 'done')
      if (ownRounds(currentTurn(log.events)?.rounds).length >= most) return await lastWord(conversation, most)
      const reply = await ask(conversation)
      if (reply.calls.length === 0) return await ended(conversation, 'done')
    }
  } catch (error) {
    throw await broken(conversation, error)
  }
}

/** Whether the budget allows another call of the model; where it does not, the person is asked. */
function mayAsk(conversation: Conversation): 'yes' | 'ask' | 'no' {
  const { log, request, provider, config, spending, prices, calling, tell } = conversation
  if (!config.budget) return 'yes'
  const { allowed, denied } = budgetDecisions(log.events, log.id, calling.signer)
  if (denied) {
    notice(conversation, 'It ended at the budget, as you decided.')
    return 'no'
  }
  const rounds = ownRounds(currentTurn(log.events)?.rounds)
  const run = sumOf(rounds.map(({ answer }) => priced(answer.usage ?? {}, answer.model, prices)))
  const over = overspent(config.budget, { provider: provider.id, run, spending, allowed })
  if (!over) return 'yes'
  if (request.unattended) throw overBudget(over)
  const number = log.events.filter((event) => event.type === 'approval').length + 1
  const asked = log.append(budgetQuestion(over, log.id, number, calling.signer))
  tell({ type: 'approval', approval: approvalFrom(asked) })
  return 'ask'
}

/** Once more without tools: what was found by then is worth an answer. */
async function lastWord(conversation: Conversation, most: number): Promise<RunResult> {
  const { request } = conversation
  const settings = { ...request.settings, toolChoice: 'none' as const }
  const asking = { ...conversation, request: { ...request, settings } }
  notice(
    conversation,
    `The model used tools ${most === 1 ? 'once' : `${most} times`} in a row, which is as often as it may: it answers with what it has. "maxToolIterations" in config.json sets how often.`,
  )
  const reply = await ask(asking).catch((error: unknown) => {
    // The SDK's own words for a model that calls one all the same.
    if (error instanceof Error && error.message.includes('tool choice was none')) return undefined
    throw error
  })
  if (!reply || reply.text.trim() === '' || reply.calls.length > 0) throw tooMany(most)
  return await ended(conversation, 'done')
}

function callingOf(conversation: Conversation): Calling {
  const { calling, log, signal, tell, request } = conversation
  return { ...calling, log, signal, tell, unattended: request.unattended === true }
}

/** One call of the model, written down as it speaks. */
async function ask(conversation: Conversation, tries = 0): Promise<Reply> {
  const { log, request, provider, tell, signal } = conversation
  const id = randomBytes(6).toString('hex')
  const pieces = new PieceWriter(log, id, tell)
  const load = loadOf(conversation)
  try {
    await makeRoom(load)
    const reply = await askModel({
      model: conversation.model,
      provider,
      instructions: load.instructions,
      messages: messagesFrom(log.events, provider.kind, mediaFor(provider.kind, conversation.images)),
      tools: offeredIn(conversation),
      parameters: request.settings ?? {},
      maxOutputTokens: load.maxOutputTokens,
      signal,
      onText: (text) => pieces.add('text', text),
      onThinking: (text) => pieces.add('thinking', text),
      onNotice: (text) => notice(conversation, text),
      onBroken: (usage, said) => noteBroken(conversation, load, usage, said),
    })
    pieces.end()
    write(conversation, id, withOwnIds(reply, log))
    return reply
  } catch (error) {
    pieces.end()
    const isTried = conversation.tools.length > 0 && conversation.clientTools.length === 0
    if (error instanceof StepFailed && isTried && refusesTools(error.failure)) {
      conversation.onToolless()
      conversation.tools = []
      notice(conversation, withoutTools(request.model))
      return await ask(conversation)
    }
    const { text, thinking } = pieces.sofar
    const isLong = error instanceof StepFailed && !text && isTooLong(error.failure)
    if (isLong) {
      const isLarge = isTooLarge(error.failure)
      if (!isLarge) learnFrom(error.failure.message, load)
      if (tries < 2 && (await makeRoom(load, true))) return await ask(conversation, tries + 1)
      const said = redact(error.failure.message).slice(0, 500)
      throw isLarge ? tooLarge(load, said) : tooLong(load, said)
    }
    if (text || thinking) {
      const outcome = signal.aborted ? 'cancelled' : 'failed'
      log.append({ type: 'answer', id, text, thinking: thinking || undefined, model: request.model, outcome })
    }
    if (error instanceof StepFailed)
      throw providerProblem(provider, request.model, error.failure, (text || thinking) !== '')
    throw error
  }
}

/** Providers count at the end of an answer: of one that has none, what was not told is reckoned. */
function noteBroken(
  { spending, provider, request, prices }: Conversation,
  load: Load,
  told: Usage,
  said: string,
): void {
  const input = told.input ?? estimated(load)
  const output = Math.max(told.output ?? 0, tokensIn(said))
  spending.note(provider.id, priced({ ...told, input, output }, request.model, prices))
}

function write(
  { log, request, calling, prices, config, tell, ...rest }: Conversation,
  id: string,
  reply: Reply,
): void {
  log.append({
    type: 'answer',
    id,
    text: reply.text,
    thinking: reply.thinking || undefined,
    calls: reply.calls.map((call) => {
      const known = rest.tools.find((tool) => tool.name === call.name)
      if (known) return { ...call, server: known.server, tool: known.tool }
      if (rest.clientTools.some(({ name }) => name === call.name))
        return { ...call, tool: call.name, client: true }
      return { ...call, tool: call.name, problem: `Tool '${call.name}' not found` }
    }),
    content: reply.content,
    model: request.model,
    usage: reply.usage,
    latencyMs: reply.latencyMs,
    ...(isCut(reply.finish) && { finish: reply.finish }),
  })
  const { latencyMs, finish } = reply
  const usage = priced(reply.usage, request.model, prices)
  rest.spending.note(rest.provider.id, usage)
  tell({ type: 'step', usage, latencyMs, finish })
  const most = request.settings?.maxOutputTokens ?? config.maxOutputTokens
  const remark = remarkOn(reply, most)
  if (remark) notice({ log, tell }, remark)
}

function isCut(finish: Finish): finish is 'length' | 'content-filter' {
  return finish === 'length' || finish === 'content-filter'
}

/** An answer that is cut or empty says why. */
function remarkOn({ text, thinking, calls, finish }: Reply, most: number): string | undefined {
  const isEmpty = text.trim() === '' && calls.length === 0
  if (finish === 'content-filter')
    return `The provider's filter ${isEmpty ? 'held back the answer' : 'cut the answer'}.`
  if (finish === 'length') {
    const what = isEmpty
      ? `There is no answer: the model spent all its ${most} tokens${thinking ? ' on thinking' : ''}`
      : `The answer was cut at ${most} tokens`
    return `${what}; "maxOutputTokens" in config.json sets how many.`
  }
  if (!isEmpty) return undefined
  return thinking
    ? 'The model thought, and ended without an answer. Ask again, or choose another model.'
    : 'The model ended without a word. Ask again, or choose another model.'
}

function loadOf(conversation: Conversation): Load {
  const { log, request, provider, config, limits, context, signal } = conversation
  return {
    log,
    request,
    provider,
    instructions: instructionsIn(conversation),
    tools: offeredIn(conversation),
    maxOutputTokens: request.settings?.maxOutputTokens ?? config.maxOutputTokens,
    limits,
    context,
    async summarize(text) {
      const summary = await summaryOf(text, { model: conversation.model, provider, signal })
      conversation.spending.note(provider.id, priced(summary.usage, request.model, conversation.prices))
      return summary
    },
    notice: (text) => notice(conversation, text),
  }
}

/** Ours, and what the program that asks told the model last. */
function instructionsIn({ instructions, log }: Conversation): string {
  const told = log.events.findLast((event) => event.type === 'system')?.text
  return told ? `${instructions}\n\n${told}` : instructions
}

/** A program's own tool hides one of ours by the same name; one that it wants called is its own. */
function offeredIn({ tools, clientTools, request }: Conversation): (NamedTool | ClientTool)[] {
  const choice = request.settings?.toolChoice
  if (clientTools.length > 0 && choice && choice !== 'auto' && choice !== 'none') return clientTools
  const taken = new Set(clientTools.map(({ name }) => name))
  return [...clientTools, ...tools.filter(({ name }) => !taken.has(name))]
}

/** Some servers number their calls anew in each reply; here an id stands for one call for good. */
function withOwnIds(reply: Reply, log: RunLog): Reply {
  const taken = new Set(
    log.events.flatMap((event) => (event.type === 'answer' ? (event.calls ?? []) : [])).map(({ id }) => id),
  )
  for (const call of reply.calls) {
    const id = call.id === '' || taken.has(call.id) ? `call_${randomBytes(9).toString('hex')}` : call.id
    const part = reply.content.find(
      (each) => each.type === 'tool-call' && each.toolCallId === call.id && each.toolName === call.name,
    )
    if (part) part.toolCallId = id
    call.id = id
    taken.add(id)
  }
  return reply
}

export function notice({ log, tell }: Pick<Conversation, 'log' | 'tell'>, text: string): void {
  log.append({ type: 'notice', text })
  tell({ type: 'notice', text })
}

export function withoutTools(model: string): string {
  return `${model} takes no tools: it answered from what it knows, without them.`
}

async function ended(conversation: Conversation, status: RunResult['status']): Promise<RunResult> {
  const { log, prices } = conversation
  log.append({ type: 'end', status })
  await log.flush()
  return resultOf(conversation, prices, status)
}

/** Writes down how it ended, and says what was done by then. */
async function broken(conversation: Conversation, error: unknown): Promise<unknown> {
  const { log, signal, prices } = conversation
  const status = signal.aborted ? 'cancelled' : 'failed'
  const known = error instanceof RecollectError ? error : undefined
  const message = error instanceof Error ? error.message : String(error)
  log.append({
    type: 'end',
    status,
    ...(status === 'failed' && {
      error: { code: known?.code ?? 'UNEXPECTED', message: redact(message), hint: known?.hint },
    }),
  })
  await log.flush()
  if (signal.aborted) return new DOMException('The run was cancelled.', 'AbortError')
  const partial = resultOf(conversation, prices, 'done')
  const { message: said, toolResults, usage } = partial
  return new RecollectError(known?.code ?? 'UNEXPECTED', message, known?.hint, {
    ...known?.details,
    sessionId: log.id,
    partial: { message: said, toolResults, usage },
  })
}

function tooMany(most: number): RecollectError {
  return new RecollectError(
    'MAX_TOOL_ITERATIONS',
    'Tool use loop exceeded maximum iterations',
    `The model asked for tools ${most} times in a row. What was done is kept: ask it to continue in the same chat, or raise "maxToolIterations" in config.json.`,
  )
}
