import fs from 'node:fs'
import readline from 'node:readline/promises'
import type { Attachment, RunResult } from '../../agent/agent.ts'
import { RecollectError } from '../../model/errors.ts'
import { withoutSecrets } from '../../service/outgoing.ts'
import { type AgentOptions, type AskPerson, turn, withAgent } from '../agent-turn.ts'
import { attachmentsIn, pipedText } from '../chat/attachments.ts'
import { citationList } from '../chat/cited.ts'
import { onInterrupt } from '../interrupt.ts'
import { paint } from '../paint.ts'
import { personAt } from '../person.ts'
import { unguarded } from '../terminal.ts'

/** One question, one answer. */
export async function ask(words: string[], options: AgentOptions): Promise<void> {
  const { message, attachments } = await questionFrom(words)
  const { signal, done } = onInterrupt()
  try {
    await withAgent(options, async (agent, askable) => {
      const request = {
        message,
        ...(attachments.length > 0 && { attachments }),
        sessionId: options.session,
        provider: options.provider,
        model: options.model,
        parameters: { tools: options.tools },
      }
      const askPerson = process.stdin.isTTY ? askedAt(signal) : undefined
      if (askPerson) {
        askable.person = personAt({
          say: (text) => void process.stderr.write(`${text}\n`),
          choose: async (question, letters) => chosenOf(letters, () => askPerson(question, letters)),
          type: (question) => askPerson(question, ''),
        })
      }
      const result = await turn(agent, request, { options, askPerson, signal })
      if (options.json) console.log(JSON.stringify(withoutSecrets(result)))
      else process.stderr.write(`${[...citationList(result.citations), closing(result)].join('\n')}\n`)
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

/** Asks until it is one of the letters. */
async function chosenOf(letters: string, ask: () => Promise<string>): Promise<string> {
  for (;;) {
    const letter = (await ask()).trim().toLowerCase().slice(0, 1)
    if (letter !== '' && letters.includes(letter)) return letter
  }
}

function askedAt(signal: AbortSignal): NonNullable<AskPerson> {
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

/** The words, what is piped in, or both: then what is piped in goes with the words. */
async function questionFrom(words: string[]): Promise<{ message: string; attachments: Attachment[] }> {
  const said = words.join(' ')
  if (said !== '') {
    const piped = isPiped() ? await standardInput() : ''
    const attachments = attachmentsIn(said)
    return {
      message: said,
      attachments: piped.trim() === '' ? attachments : [...attachments, pipedText(piped)],
    }
  }
  if (process.stdin.isTTY) {
    throw new RecollectError(
      'INVALID_ARGUMENT',
      'What is the question?',
      'For example: recollect ask "how did we fix the deadlock?"',
    )
  }
  return { message: await standardInput(), attachments: [] }
}

/** Whether something comes in by a pipe or from a file; a device such as /dev/null brings nothing. */
function isPiped(): boolean {
  if (process.stdin.isTTY) return false
  try {
    const stat = fs.fstatSync(0)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}

const PATIENCE_MS = 5_000

async function standardInput(): Promise<string> {
  const waiting = setTimeout(() => {
    process.stderr.write('Waiting for the end of standard input; add < /dev/null to ask without it.\n')
  }, PATIENCE_MS)
  try {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    clearTimeout(waiting)
  }
}
