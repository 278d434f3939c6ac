import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { agentConfig } from '../platform/config.ts'
import { KeptKeys } from '../platform/keys/kept-keys.ts'
import { pricesOn } from '../recall/prices.ts'
import { AGENT_SOURCE } from '../sources/recollect-agent/place.ts'
import type { Agent, AgentSession, Approval, Decision, RunRequest } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { approvalFrom, approvalsIn, decisionOn, dialogOf } from './approvals.ts'
import { follow } from './follow.ts'
import { Going, type Work } from './going.ts'
import { ProviderDirectory } from './provider-directory.ts'
import { Questions } from './questions.ts'
import { Remembered } from './remembered.ts'
import { BUDGET_CALL } from './run-event.ts'
import { eraseRun, RunLog, runId } from './runs.ts'
import type { Runtime } from './runtime.ts'
import { listSessions, pendingApprovals, readSession, sessionOf, sessionPage } from './sessions.ts'
import { Signer } from './signature.ts'
import { Spending, today } from './spending.ts'
import { tracing } from './tracing.ts'

export type { AgentOptions } from './agent-options.ts'

/** Cheap: providers and servers are loaded and started when they are first needed. */
export function createAgent(options: AgentOptions): Agent {
  const { folder, archive } = options
  const signer = new Signer(folder)
  const remembered = new Remembered(folder, signer)
  const config = () => agentConfig(typeof options.config === 'function' ? options.config() : options.config)
  const keys = new KeptKeys(options.keysFolder ?? folder)
  const book = new ProviderDirectory(config, options.env, options.machine, keys)
  let loading: Promise<Runtime> | undefined
  const runtime = (): Promise<Runtime> => {
    loading ??= import('./runtime.ts').then(
      ({ Runtime }) => new Runtime(options, { book, signer, remembered, config, spending, questions }),
    )
    return loading
  }
  const going = new Going()
  const questions = options.questions ? new Questions() : undefined
  const spending = new Spending(folder)
  const { traced, flush } = tracing(options.env)
  const running = (request: RunRequest): Work =>
    traced(async (tell, signal) => (await runtime()).run(request, tell, signal))
  const resuming = (sessionId: string): Work =>
    traced(async (tell, signal) => (await runtime()).resume(sessionId, tell, signal))
  return {
    run: (request, tell, signal) => going.run(running(request), tell, signal),
    resume: (sessionId, tell, signal) => going.run(resuming(sessionId), tell, signal),
    start: (request) => going.start(running(request)),
    startAgain: (sessionId) => going.start(resuming(sessionId)),
    async follow(sessionId, after, tell, signal) {
      const prices = pricesOn(options.machine)
      const id = runId(folder, sessionId)
      const hearNoMore = going.hear(id, (event) => tell(event, undefined))
      try {
        await follow({ folder, id, after, prices }, tell, signal)
      } finally {
        hearNoMore()
      }
    },
    stop: (sessionId) => stop(runId(folder, sessionId), folder, going),
    approvals: async () => pendingApprovals(folder),
    questions: async () => questions?.list() ?? [],
    answer: async (id, answer) => (questions ?? new Questions()).answer(id, answer),
    decide: (id, decision) => decide(id, decision, { folder, signer, remembered }),
    providers: () => book.statuses(),
    models: () => book.models(),
    servers: async () => (await runtime()).servers(),
    tools: async () => (await runtime()).tools(),
    sessions: async () => listSessions(folder),
    sessionPage: async (query) => sessionPage(folder, query),
    session: async (id) => readSession(folder, runId(folder, id)),
    citations: async (text) => await (await import('./own-tools.ts')).ownCitations(options, text),
    deleteSession: (id) => deleteSession(id, folder, archive),
    spent: async () => ({ day: today(), providers: spending.on(), budget: config().budget }),
    async close() {
      await going.close()
      await flush()
      await (await loading)?.close()
    },
  }
}

async function stop(id: string, folder: string, going: Going): Promise<AgentSession> {
  const wasHere = await going.stop(id)
  const session = sessionOf(folder, id)
  if (!session) throw new RecollectError('SESSION_NOT_FOUND', `Session not found: ${id}`)
  if (!wasHere && session.status === 'running')
    throw new RecollectError(
      'SESSION_BUSY',
      `The chat ${id} is being answered by another process.`,
      'Stop it there: with Ctrl-C in its terminal.',
    )
  return session
}

async function decide(
  id: string,
  decision: Decision,
  { folder, signer, remembered }: { folder: string; signer: Signer; remembered: Remembered },
): Promise<Approval> {
  const log = await openRun(folder, dialogOf(id)).catch((error: unknown) => {
    if (error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND') throw notFound(id)
    throw error
  })
  try {
    const open = approvalsIn(log.events).find((approval) => approval.id === id)
    const asked = log.events.find((event) => event.type === 'approval' && event.id === id)
    if (!open || open.decision || asked?.type !== 'approval') throw notFound(id)
    const decided = log.append(decisionOn(asked, decision, signer))
    await log.flush()
    const { remember } = decision
    if ((remember === 'tool' || remember === 'server') && asked.callId !== BUDGET_CALL)
      remembered.decide(asked, remember, decision.decision)
    return approvalFrom(asked, decided)
  } finally {
    log.close()
  }
}

async function openRun(folder: string, id: string): Promise<RunLog> {
  return await RunLog.open(folder, runId(folder, id))
}

function notFound(id: string): RecollectError {
  return new RecollectError(
    'APPROVAL_NOT_FOUND',
    `Nothing waits for the approval ${id}.`,
    'It may have been decided already.',
  )
}

/** One whose file is gone may still be in the archive. */
async function deleteSession(reference: string, folder: string, archive: Archive): Promise<void> {
  const isMissing = (error: unknown) => error instanceof RecollectError && error.code === 'SESSION_NOT_FOUND'
  let id = reference
  let unknown: unknown
  try {
    id = runId(folder, reference)
    eraseRun(folder, id)
  } catch (error) {
    if (!isMissing(error)) throw error
    unknown = error
  }
  try {
    await archive.forget([await archive.resolveChat(`${AGENT_SOURCE}:${id}`)])
  } catch (error) {
    if (!isMissing(error) || unknown) throw unknown ?? error
  }
}
