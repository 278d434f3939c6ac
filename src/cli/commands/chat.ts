import readline from 'node:readline/promises'
import type { Agent, RunRequest, RunResult } from '../../agent/agent.ts'
import { type AgentOptions, resumedTurn, type Turn, turn, withAgent } from '../agent-turn.ts'
import { fail } from '../errors.ts'
import { count } from '../format.ts'
import { oneLine, paint } from '../paint.ts'
import { unguarded } from '../terminal.ts'
import { closing } from './ask.ts'

const HELP = `/new          begin a new dialog
/model <name> ask another model
/tools        what the model may use
/exit         end (so does Ctrl-D)`

/** A dialog at the terminal. Lines of a pipe are its messages, one after the other. */
export async function chat(options: AgentOptions): Promise<void> {
  await withAgent(options, async (agent) => {
    const { bold, dim, cyan } = paint(process.stderr)
    const isTerminal = process.stdin.isTTY === true
    const prompt = readline.createInterface({
      input: process.stdin,
      output: unguarded(process.stderr),
      terminal: isTerminal,
    })
    let answering: AbortController | undefined
    const interrupt = () => {
      if (answering) answering.abort()
      else prompt.close()
    }
    prompt.on('SIGINT', interrupt)
    for (const name of ['SIGINT', 'SIGBREAK'] as const) process.on(name, interrupt)
    const answered = async (work: (at: Turn) => Promise<RunResult>) => {
      answering = new AbortController()
      const { signal } = answering
      const askPerson = isTerminal ? (question: string) => prompt.question(question, { signal }) : undefined
      try {
        process.stderr.write(`${closing(await work({ options, askPerson, signal }))}\n`)
      } catch (error) {
        if (error instanceof Error && error.name === 'AbortError')
          process.stderr.write(`\n${dim('stopped')}\n`)
        else fail(error)
      } finally {
        answering = undefined
      }
    }
    const dialog: Dialog = { model: options.model }
    try {
      if (options.session) {
        const { id, title, status, messages } = await agent.session(options.session)
        dialog.session = id
        process.stderr.write(
          `Going on with “${oneLine(title)}”, ${count(messages.length, 'message')} so far.\n`,
        )
        if (status === 'paused') await answered((at) => resumedTurn(agent, id, at))
      } else if (isTerminal) process.stderr.write('A new dialog with the agent.\n')
      if (isTerminal) process.stderr.write(`${dim('/help tells the commands.')}\n`)
      for await (const line of lines(prompt, isTerminal ? bold(cyan('› ')) : '')) {
        const said = line.trim()
        if (said === '/exit' || said === '/quit') break
        if (said.startsWith('/')) await command(said, agent, dialog)
        else if (said !== '')
          await answered((at) => turn(noting(agent, dialog), asked(said, dialog, options), at))
      }
    } finally {
      for (const name of ['SIGINT', 'SIGBREAK'] as const) process.off(name, interrupt)
      prompt.close()
    }
  })
}

interface Dialog {
  session?: string
  model?: string
}

function asked(message: string, { session, model }: Dialog, { provider, tools }: AgentOptions): RunRequest {
  return { message, sessionId: session, provider, model, parameters: { tools } }
}

/** What fails or is stopped still belongs to the dialog: its id is known from its start on. */
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

async function* lines(prompt: readline.Interface, question: string): AsyncGenerator<string> {
  if (question === '') {
    yield* prompt
    return
  }
  const { promise: ended, resolve } = Promise.withResolvers<undefined>()
  prompt.once('close', () => resolve(undefined))
  for (;;) {
    const line = await Promise.race([prompt.question(question), ended])
    if (line === undefined) return
    yield line
  }
}

async function command(said: string, agent: Agent, dialog: Dialog): Promise<void> {
  const [name = '', ...rest] = said.slice(1).split(/\s+/)
  const print = (text: string) => process.stderr.write(`${text}\n`)
  if (name === 'new') {
    dialog.session = undefined
    print('A new dialog.')
  } else if (name === 'model') {
    dialog.model = rest.join(' ') || undefined
    print(dialog.model ? `From now on ${dialog.model} answers.` : 'From now on the default model answers.')
  } else if (name === 'tools') {
    for (const tool of await agent.tools()) print(`${tool.approval.padEnd(6)} ${tool.server}/${tool.name}`)
  } else print(HELP)
}
