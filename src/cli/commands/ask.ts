import readline from 'node:readline/promises'
import type { RunResult } from '../../agent/agent.ts'
import { RecollectError } from '../../model/errors.ts'
import { withoutSecrets } from '../../service/outgoing.ts'
import { type AgentOptions, type AskPerson, turn, withAgent } from '../agent-turn.ts'
import { onInterrupt } from '../interrupt.ts'
import { paint } from '../paint.ts'
import { unguarded } from '../terminal.ts'

/** One question, one answer. */
export async function ask(words: string[], options: AgentOptions): Promise<void> {
  const message = words.length > 0 ? words.join(' ') : await standardInput()
  const { signal, done } = onInterrupt()
  try {
    await withAgent(options, async (agent) => {
      const request = {
        message,
        sessionId: options.session,
        provider: options.provider,
        model: options.model,
        parameters: { tools: options.tools },
      }
      const askPerson = process.stdin.isTTY ? personAt(signal) : undefined
      const result = await turn(agent, request, { options, askPerson, signal })
      if (options.json) console.log(JSON.stringify(withoutSecrets(result)))
      else process.stderr.write(`${closing(result)}\n`)
    })
  } finally {
    done()
  }
}

/** What it took, and how to go on. */
export function closing({ model, usage, sessionId }: RunResult): string {
  const { dim } = paint(process.stderr)
  const number = (n = 0) => n.toLocaleString('en-US')
  const tokens =
    usage.input === undefined ? [] : [`${number(usage.input)} tokens in, ${number(usage.output)} out`]
  const cost = usage.cost === undefined ? [] : [`$${usage.cost.toFixed(4)}`]
  return dim([model, ...tokens, ...cost, `--session ${sessionId.slice(0, 8)} continues it`].join(' · '))
}

function personAt(signal: AbortSignal): AskPerson {
  return async (question) => {
    const prompt = readline.createInterface({ input: process.stdin, output: unguarded(process.stderr) })
    // While it asks, the terminal hands Ctrl-C to it alone.
    prompt.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    try {
      return await prompt.question(question, { signal })
    } finally {
      prompt.close()
    }
  }
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'What is the question?',
      'For example: recollect ask "how did we fix the deadlock?"',
    )
  }
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
