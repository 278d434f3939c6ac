import { RecollectError } from '../model/errors.ts'
import type { AgentConfig } from '../platform/config.ts'
import { pricesOn } from '../recall/prices.ts'
import { priced } from './accounting.ts'
import type { AgentEvent, RunRequest, RunResult, ServerStatus, ToolStatus } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { approvalsIn } from './approvals.ts'
import { completeLog } from './complete-log.ts'
import { ContextLimits } from './context-limits.ts'
import type { Conversation } from './conversation.ts'
import { takeEarlier, takeHistory, takeResults } from './earlier.ts'
import { keptInputs } from './inputs.ts'
import { instructionsFor } from './instructions.ts'
import { ownCitations, ownTools } from './own-tools.ts'
import { verdictOn } from './policy.ts'
import { Pool } from './pool.ts'
import type { ProviderDirectory } from './provider-directory.ts'
import type { Provider } from './providers.ts'
import type { Questions } from './questions.ts'
import type { Remembered } from './remembered.ts'
import { currentTurn } from './rounds.ts'
import type { EventOf } from './run-event.ts'
import { RunLog, runId } from './runs.ts'
import { configuredServers } from './server-config.ts'
import type { Signer } from './signature.ts'
import type { Spending } from './spending.ts'
import { ToolCache } from './tool-cache.ts'

type Tell = (event: AgentEvent) => void

interface Turn {
  log: RunLog
  request: EventOf<'request'>
  provider: Provider
  /** As it was asked, unless it goes on after a pause. */
  asked?: RunRequest
}

/** The part of the agent that talks to providers and servers, loaded when it is first needed. */
export class Runtime {
  readonly #options: AgentOptions
  readonly #configured: () => AgentConfig
  readonly #signer: Signer
  readonly #remembered: Remembered
  readonly #book: ProviderDirectory
  readonly #cache: ToolCache
  readonly #limits: ContextLimits
  readonly #spending: Spending
  readonly #questions: Questions | undefined
  readonly #pool: Pool
  /** Notices about servers, told once in each dialog. */
  readonly #told = new Set<string>()

  constructor(
    options: AgentOptions,
    {
      book,
      signer,
      remembered,
      config,
      spending,
      questions,
    }: {
      book: ProviderDirectory
      signer: Signer
      remembered: Remembered
      config: () => AgentConfig
      spending: Spending
      questions: Questions | undefined
    },
  ) {
    this.#options = options
    this.#configured = config
    this.#book = book
    this.#signer = signer
    this.#remembered = remembered
    this.#spending = spending
    this.#questions = questions
    this.#limits = new ContextLimits(options.folder)
    this.#cache = new ToolCache(() => config().cache)
    this.#pool = new Pool(
      ownTools(options, () => config().maxResultChars),
      () => config().toolTimeoutSeconds * 1000,
      options.folder,
    )
  }

  /** As it is set now. */
  get #config(): AgentConfig {
    return this.#configured()
  }

  async run(asked: RunRequest, tell: Tell, signal: AbortSignal): Promise<RunResult> {
    const text = asked.message.trim()
    const isSilent = text === '' && !asked.attachments?.length
    const goesOn = isSilent && asked.sessionId !== undefined && asked.toolResults !== undefined
    if (isSilent && !goesOn)
      throw new RecollectError('INVALID_ARGUMENT', 'There is no message.', 'Ask something.')
    const chosen = await this.#book.chosen(asked)
    const { isImage, refuseImages, refuseUnsupported } = await import('./wishes.ts')
    refuseUnsupported(chosen.provider, chosen.model, asked.parameters, asked.attachments)
    if (asked.attachments?.some(isImage))
      refuseImages(chosen.model, await this.#book.takesImages(chosen.provider, chosen.model))
    await this.#configure()
    const log = await this.#logFor(asked)
    try {
      takeResults(log, asked.toolResults)
      const about = {
        provider: chosen.provider.id,
        model: chosen.model,
        settings: asked.parameters,
        unattended: asked.unattended,
      }
      const before = goesOn ? currentTurn(log.events)?.request : undefined
      if (before) {
        takeHistory(log, asked)
        const request = Object.assign(before, about)
        return await this.#converse({ log, request, provider: chosen.provider, asked }, tell, signal)
      }
      completeLog(log)
      takeHistory(log, asked)
      const { attachments } = asked
      const id = `r${log.events.length}`
      const request = log.append({ type: 'request', id, text, attachments, ...about })
      for (const message of asked.since ?? []) takeEarlier(log, message)
      return await this.#converse({ log, request, provider: chosen.provider, asked }, tell, signal)
    } finally {
      log.close()
    }
  }

  async resume(reference: string, tell: Tell, signal: AbortSignal): Promise<RunResult> {
    const { folder } = this.#options
    const log = await RunLog.open(folder, runId(folder, reference))
    try {
      const request = currentTurn(log.events)?.request
      const last = log.events.findLast((event) => event.type === 'end')
      if (!request || last?.status !== 'paused') {
        throw new RecollectError(
          'NOT_PAUSED',
          `The chat ${log.id} is not waiting for anything.`,
          'Send a message instead.',
        )
      }
      const open = approvalsIn(log.events).filter(({ decision }) => decision === undefined)
      if (open.length > 0) {
        throw new RecollectError(
          'APPROVALS_PENDING',
          `${open.length === 1 ? 'One tool has' : `${open.length} tools have`} to be allowed or denied first: ${open.map(({ tool }) => tool).join(', ')}.`,
          'Decide on each approval, then resume.',
          { approvals: open },
        )
      }
      const { provider } = await this.#book.chosen(request)
      await this.#configure()
      return await this.#converse({ log, request, provider }, tell, signal)
    } finally {
      log.close()
    }
  }

  async #logFor({ sessionId, instead }: RunRequest): Promise<RunLog> {
    const { folder, cwd } = this.#options
    if (!sessionId) return RunLog.begin(folder, cwd)
    const id = runId(folder, sessionId)
    return instead === undefined ? await RunLog.open(folder, id) : RunLog.fork(folder, cwd, id, instead)
  }

  async servers(): Promise<ServerStatus[]> {
    await this.#configure()
    await this.#pool.settle()
    return this.#pool.statuses()
  }

  async tools(): Promise<ToolStatus[]> {
    await this.servers()
    return this.#pool.tools().map((tool) => ({
      name: tool.name,
      server: tool.server,
      description: tool.description,
      available: tool.available,
      approval: verdictOn(tool, this.#config, this.#remembered),
      inputSchema: tool.inputSchema,
    }))
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #converse(
    { log, request, provider, asked }: Turn,
    tell: Tell,
    signal: AbortSignal,
  ): Promise<RunResult> {
    const { machine, cwd } = this.#options
    const answers = log.events.filter(({ type }) => type === 'answer').length
    tell({ type: 'start', sessionId: log.id, provider: provider.id, model: request.model, answers })
    const { converse, notice, withoutTools } = await import('./conversation.ts')
    const { languageModel } = await import('./language-model.ts')
    const { ollama, context, images } = await this.#book.loading(provider, request.model)
    const takesTools = this.#book.takesTools(provider, request.model)
    const wantsTools = request.settings?.tools !== false
    if (wantsTools && takesTools) await this.#pool.settle(signal)
    const model = languageModel(provider, request.model, ollama)
    const conversation: Conversation = {
      log,
      request,
      provider,
      model: await model,
      instructions: instructionsFor({ cwd, platform: process.platform }, this.#config.instructions),
      clientTools: asked?.clientTools ?? [],
      tools: wantsTools && takesTools ? this.#pool.tools().filter((tool) => this.#isOffered(tool)) : [],
      calling: {
        pool: this.#pool,
        config: this.#config,
        remembered: this.#remembered,
        signer: this.#signer,
        cache: this.#cache,
        person: request.unattended
          ? undefined
          : (this.#options.askable?.person ?? this.#questions?.personFor(log, tell, signal)),
        sample: async (wish) => {
          const { sampled } = await import('./sample.ts')
          const { usage, ...answer } = await sampled(await model, wish, signal)
          this.#spending.note(provider.id, priced(usage, request.model, pricesOn(machine)))
          return answer
        },
      },
      config: this.#config,
      prices: pricesOn(machine),
      limits: this.#limits,
      spending: this.#spending,
      context,
      images,
      onToolless: () => this.#book.noteToolless(provider, request.model),
      tell,
      signal,
    }
    if (wantsTools && !takesTools) notice(conversation, withoutTools(request.model))
    if (wantsTools && takesTools)
      for (const problem of this.#newProblems(log.id)) notice(conversation, problem)
    try {
      const result = await converse(conversation)
      const citations = await ownCitations(this.#options, result.message).catch(() => [])
      return citations.length > 0 ? { ...result, citations } : result
    } catch (error) {
      throw await this.#book.withModels(error, provider)
    }
  }

  #isOffered(tool: Parameters<typeof verdictOn>[0]): boolean {
    return tool.available && verdictOn(tool, this.#config, this.#remembered) !== 'never'
  }

  #newProblems(sessionId: string): string[] {
    return this.#pool.problems().filter((problem) => {
      const key = `${sessionId} ${problem}`
      if (this.#told.has(key)) return false
      this.#told.add(key)
      return true
    })
  }

  async #configure(): Promise<void> {
    const { folder, keysFolder = folder } = this.#options
    const inputs = await keptInputs(keysFolder)
    this.#pool.configure(
      configuredServers({ ...this.#options, inputs }, (file) => this.#remembered.isAllowed(file)),
    )
  }
}
