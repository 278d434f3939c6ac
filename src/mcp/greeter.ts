import { PassThrough, Writable } from 'node:stream'
import { type Greeting, greetingTo, LONGEST_GREETING } from './greeting.ts'
import { oneLine } from './one-line.ts'

/** Standard input and output, with the first message answered as soon as it is there. */
export interface Greeter {
  input: PassThrough
  output: Writable
  /** It was answered, or did not come yet. Loading keeps the process busy: a message that is on its way is answered before. */
  first: Promise<void>
  /** Whose greeting was answered, where a call of theirs can be as well. */
  client(): string | undefined
  /** The client has something more to say. */
  more(): Promise<void>
  /** The client has closed either of them; it reads no more. */
  gone: Promise<void>
  deaf: Promise<void>
}

/** A client sends its first message as soon as it has started us; one that does not loses this much. */
const GREETING_MS = 40

export function greeted(): Greeter {
  const input = new PassThrough()
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, GREETING_MS)
  const deaf = new Promise<void>((over) => {
    for (const event of ['close', 'error']) process.stdout.once(event, over)
  })
  const gone = new Promise<void>((over) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, over)
    void deaf.then(over)
  })
  let first: string | undefined = ''
  let greeting: Greeting | undefined
  let client: string | undefined
  process.stdin.on('data', (chunk: Buffer) => {
    input.write(chunk)
    if (first === undefined) return
    first += chunk.toString('latin1')
    const end = first.indexOf('\n')
    if (end < 0 && first.length < LONGEST_GREETING) return
    greeting = greetingTo(Buffer.from(first.slice(0, Math.max(0, end)), 'latin1').toString())
    first = undefined
    client = greeting?.plainClient
    if (greeting) process.stdout.write(`${greeting.answer}\n`)
    resolve()
  })
  process.stdin.on('end', () => input.end())
  process.stdin.on('error', () => input.end())
  const more = () => new Promise<void>((resolve) => void process.stdin.once('data', () => resolve()))
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      if (greeting && answers(String(chunk), greeting)) {
        greeting = undefined
        done()
      } else process.stdout.write(oneLine(String(chunk)), (error) => done(error))
    },
  })
  // Each answer that waits for room listens.
  output.setMaxListeners(0)
  return { input, output, first: promise, client: () => client, more, gone, deaf }
}

/** The library's own answer to the message that has been answered. */
function answers(written: string, { id }: Greeting): boolean {
  const message = JSON.parse(written) as { id?: unknown; method?: unknown }
  return message.id === id && message.method === undefined
}
