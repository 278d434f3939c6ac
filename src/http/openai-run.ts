import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, AgentEvent, RunRequest, RunResult } from '../agent/agent.ts'
import type { Usage } from '../model/chat.ts'
import { agentOf } from './agent-of.ts'
import type { Backend } from './backend.ts'
import { failureOf } from './errors.ts'
import { type EventStream, eventStream } from './event-stream.ts'
import { type Dialogs, dialogsOf } from './openai-dialogs.ts'
import { openAiError } from './openai-error.ts'
import type { Said } from './openai-said.ts'

/** The model that is whichever the person has set. */
export const OWN = 'recollect'

/** What a program wants, in our words, with the agent and the dialogs it is about. */
export interface Wanted {
  agent: Agent
  dialogs: Dialogs
  said: Said[]
  run: RunRequest
}

/** How a run is told in one of the APIs. */
export interface Teller {
  pass(event: AgentEvent): void
  end(done: Done): void
  /** In the way that the API has for it. */
  fail(error: object): void
}

/** A run that ended, with the tokens of this run alone and all that was said in it. */
export interface Done {
  result: RunResult
  usage: Usage
  told: string[]
}

export async function deskOf(backend: Backend): Promise<{ agent: Agent; dialogs: Dialogs }> {
  return { agent: await agentOf(backend), dialogs: await dialogsOf(backend) }
}

/** `provider/model`; models have slashes in their names too. */
export async function modelOf(agent: Agent, named: string): Promise<Pick<RunRequest, 'provider' | 'model'>> {
  if (named === OWN) return {}
  const slash = named.indexOf('/')
  const provider = named.slice(0, Math.max(0, slash))
  const isProvider = slash > 0 && (await agent.providers()).some(({ id }) => id === provider)
  return isProvider ? { provider, model: named.slice(slash + 1) } : { model: named }
}

/** Runs to the end. */
export async function finished(
  wanted: Wanted,
  signal: AbortSignal,
  pass: (event: AgentEvent) => void = () => {},
): Promise<Done> {
  const heard = new Heard()
  const tell = (event: AgentEvent) => {
    heard.take(event)
    pass(event)
  }
  const result = await wanted.agent.run(wanted.run, tell, signal)
  return heard.done(result, wanted)
}

const PATIENCE_MS = 10_000

/** The status is sent when something comes, so that what fails at once fails with a status of its own. */
export async function streamed(
  wanted: Wanted,
  left: AbortSignal,
  teller: (stream: EventStream) => Teller,
): Promise<Response> {
  const gone = new AbortController()
  const waiting: AgentEvent[] = []
  const heard = new Heard()
  let pass = (event: AgentEvent): void => {
    waiting.push(event)
  }
  const running = wanted.agent.run(
    wanted.run,
    (event) => {
      heard.take(event)
      pass(event)
    },
    AbortSignal.any([left, gone.signal]),
  )
  await Promise.race([running, saysSomething(waiting)])
  const session = waiting.find((event) => event.type === 'start')?.sessionId
  return eventStream(
    async (stream) => {
      stream.gone.addEventListener('abort', () => gone.abort(), { once: true })
      const told = teller(stream)
      for (const event of waiting) told.pass(event)
      pass = (event) => told.pass(event)
      try {
        told.end(heard.done(await running, wanted))
      } catch (error) {
        if (!stream.gone.aborted) told.fail(openAiError(failureOf(error, undefined)))
      }
    },
    session ? { 'x-session-id': session } : {},
  )
}

async function saysSomething(waiting: AgentEvent[]): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  const isSilent = () => waiting.every(({ type }) => type === 'start' || type === 'notice')
  while (isSilent() && Date.now() < until) await sleep(20)
}

/** What a run tells, as far as an answer at its end needs it. */
class Heard {
  readonly #told: string[] = []
  readonly #usage: Required<Pick<Usage, 'input' | 'output' | 'cached' | 'reasoning'>> = {
    input: 0,
    output: 0,
    cached: 0,
    reasoning: 0,
  }
  #text = ''

  take(event: AgentEvent): void {
    if (event.type === 'text') this.#text += event.text
    if (event.type !== 'step') return
    this.#close()
    const { input = 0, output = 0, cached = 0, reasoning = 0 } = event.usage
    this.#usage.input += input
    this.#usage.output += output
    this.#usage.cached += cached
    this.#usage.reasoning += reasoning
  }

  done(result: RunResult, { dialogs, said }: Wanted): Done {
    this.#close()
    dialogs.remember(said, this.#told.join(''), result)
    return { result, usage: this.#usage, told: this.#told }
  }

  #close(): void {
    if (this.#text !== '') this.#told.push(this.#text)
    this.#text = ''
  }
}
