import readline from 'node:readline/promises'
import type { Agent, RunRequest, RunResult } from '../../agent/agent.ts'
import { askedBefore } from '../../agent/asked-before.ts'
import { noProvider } from '../../agent/providers.ts'
import type { Person } from '../../agent/tool.ts'
import type { RecollectError } from '../../model/errors.ts'
import { type AgentOptions, resumedTurn, type Turn, turn, withAgent } from '../agent-turn.ts'
import { archiveFolder } from '../archive.ts'
import { attachmentsIn, sizeOf } from '../chat/attachments.ts'
import { CitedText, citationList } from '../chat/cited.ts'
import { Prompt } from '../chat/prompt.ts'
import { showOn } from '../chat/show.ts'
import { complete, type Dialog, slash } from '../chat/slash.ts'
import { fail } from '../errors.ts'
import { count } from '../format.ts'
import { oneLine, paint } from '../paint.ts'
import { personAt } from '../person.ts'
import { unguarded } from '../terminal.ts'
import { closing } from './ask.ts'

/** A chat at the terminal. Lines of a pipe are its messages, one after the other. */
export async function chat(options: AgentOptions): Promise<void> {
  if (process.stdin.isTTY) await (await import('./mcp-servers.ts')).enterInputs(options)
  await withAgent(options, async (agent, askable) => {
    const place =
      process.stdin.isTTY && process.env.TERM !== 'dumb' ? terminal(agent, options, askable) : pipe()
    const dialog: Dialog = { model: options.model, provider: options.provider }
    try {
      if (options.session) {
        const { id, title, status, messages } = await agent.session(options.session)
        dialog.session = id
        place.say(`Continuing “${oneLine(title)}”, ${count(messages.length, 'message')} so far.`)
        if (status === 'paused') await place.answered((at) => resumedTurn(agent, id, { ...at, options }))
      }
      const problem = await missingModel(agent, dialog)
      if (problem && !place.begin) throw problem
      place.begin?.()
      if (problem) place.say([problem.message, problem.hint].join(' '))
      for (;;) {
        const said = (await place.next())?.trim()
        if (said === undefined || said === '/exit' || said === '/quit') break
        if (/^\/\w*(?:\s|$)/.test(said)) await safely(slash(said, agent, dialog, place.say))
        else if (said !== '') {
          await place.answered((at) => {
            const request = asked(said, dialog, options)
            for (const each of request.attachments ?? []) place.say(`attached: ${each.name}, ${sizeOf(each)}`)
            return turn(noting(agent, dialog), request, { ...at, options })
          })
        }
      }
    } finally {
      place.close()
    }
  })
}

/** Nobody could answer, as things are; who sits at a terminal may set one up in another. */
async function missingModel(agent: Agent, { model, provider }: Dialog): Promise<RecollectError | undefined> {
  if (model || provider || (await agent.providers()).some(({ ready }) => ready)) return undefined
  return noProvider()
}

/** Where messages come from and answers go. */
interface Place {
  begin?(): void
  next(): Promise<string | undefined>
  answered(work: (at: Omit<Turn, 'options'>) => Promise<RunResult>): Promise<void>
  say(text: string): void
  close(): void
}

function terminal(agent: Agent, options: AgentOptions, askable: { person?: Person }): Place {
  const { dim } = paint(process.stderr)
  let answering: AbortController | undefined
  const stream = process.stdout.isTTY ? process.stdout : process.stderr
  const prompt = new Prompt({
    input: process.stdin,
    output: unguarded(stream),
    complete: (text, at) => complete(text, at, agent),
    stop: () => answering?.abort(),
  })
  const say = (text: string) => prompt.screen.line(text)
  const stop = () => answering?.abort()
  for (const name of ['SIGINT', 'SIGBREAK'] as const) process.on(name, stop)
  return {
    say,
    begin() {
      say(dim('/help lists the commands; Ctrl-D quits.'))
      prompt.recall(askedBefore(archiveFolder(options)))
    },
    next: () => prompt.next(),
    async answered(work) {
      answering = new AbortController()
      const { signal } = answering
      askable.person = personAt({
        say,
        choose: (question, letters) => prompt.ask(question, letters, signal),
        type: (question) => prompt.ask(question, undefined, signal),
      })
      prompt.working('thinking')
      try {
        const text = new CitedText(agent.citations, (part) => prompt.screen.print(part))
        const show = showOn(prompt, process.stdout.isTTY ? undefined : process.stdout, text)
        const askPerson = (question: string, answers: string) => prompt.ask(question, answers, signal)
        const result = await work({ askPerson, signal, show, say }).finally(() => text.end())
        prompt.working(undefined)
        for (const line of citationList(result.citations)) say(line)
        say(closing(result))
      } catch (error) {
        prompt.working(undefined)
        prompt.screen.endLine()
        if (error instanceof Error && error.name === 'AbortError') say(dim('stopped'))
        else prompt.screen.aside(() => fail(error))
        prompt.takeBackQueue()
      } finally {
        answering = undefined
      }
    },
    close() {
      for (const name of ['SIGINT', 'SIGBREAK'] as const) process.off(name, stop)
      prompt.close()
    },
  }
}

function pipe(): Place {
  const reader = readline.createInterface({ input: process.stdin })
  const lines = reader[Symbol.asyncIterator]()
  const controller = new AbortController()
  const stop = () => {
    controller.abort()
    reader.close()
  }
  for (const name of ['SIGINT', 'SIGBREAK'] as const) process.on(name, stop)
  return {
    say: (text) => void process.stderr.write(`${text}\n`),
    async next() {
      const { value, done } = await lines.next()
      return done ? undefined : value
    },
    async answered(work) {
      await safely(
        work({ askPerson: undefined, signal: controller.signal }).then((result) => {
          process.stderr.write(`${[...citationList(result.citations), closing(result)].join('\n')}\n`)
        }),
      )
    },
    close() {
      for (const name of ['SIGINT', 'SIGBREAK'] as const) process.off(name, stop)
      reader.close()
    },
  }
}

async function safely(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    fail(error)
  }
}

function asked(message: string, { session, model, provider }: Dialog, { tools }: AgentOptions): RunRequest {
  const attachments = attachmentsIn(message)
  return {
    message,
    sessionId: session,
    provider,
    model,
    parameters: { tools },
    ...(attachments.length > 0 && { attachments }),
  }
}

/** What fails or is stopped still belongs to the chat: its id is known from its start on. */
function noting(agent: Agent, dialog: Dialog): Agent {
  return {
    ...agent,
    run: (request, tell, signal) =>
      agent.run(
        request,
        (event) => {
          if (event.type === 'start') dialog.session = event.sessionId
          tell(event)
        },
        signal,
      ),
  }
}
