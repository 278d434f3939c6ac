import type { ReadStream } from 'node:tty'
import { oneLine, paint, printable } from '../paint.ts'
import { unguarded } from '../terminal.ts'
import { Editor } from './editor.ts'
import { KeyReader, type Press } from './keys.ts'
import { type Output, Screen } from './screen.ts'

/** What could stand at the cursor instead of what is there from `from` on. */
export interface Completion {
  from: number
  candidates: string[]
}

export interface PromptOptions {
  input: ReadStream
  output: Output
  complete(text: string, at: number): Promise<Completion>
  /** Escape or Ctrl-C while something is being done. */
  stop(): void
}

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const TURN_MS = 120

/**
 * Reads messages at a terminal, also while an answer is being given: what is typed then stays in the field,
 * and what is sent waits for its turn.
 */
export class Prompt {
  readonly screen: Screen
  readonly #options: PromptOptions
  readonly #editor = new Editor()
  readonly #keys = new KeyReader((press) => this.#take(press))
  /** For what is drawn again and again, past the guard of the terminal. */
  readonly #drawn = paint(unguarded(process.stderr))
  readonly #said = paint(process.stderr)
  readonly #queue: string[] = []
  #waiting: ((message: string | undefined) => void) | undefined
  #asking: { question: string; answers?: string; field: Editor; resolve(answer: string): void } | undefined
  #work: { label: string; since: number; timer: NodeJS.Timeout } | undefined
  #ended = false
  #isLeaving = false
  readonly #onData = (bytes: Buffer) => this.#keys.add(bytes)
  readonly #onResize = () => this.screen.draw()
  readonly #onExit = () => this.#restore()

  constructor(options: PromptOptions) {
    this.#options = options
    this.screen = new Screen(options.output)
    this.screen.dim = this.#drawn.dim
    this.#begin()
    process.stdout.on('resize', this.#onResize)
    process.on('exit', this.#onExit)
  }

  /** What was asked in earlier sessions, oldest first. */
  recall(earlier: string[]): void {
    this.#editor.recall(earlier)
  }

  /** The next message; nothing when the person has left. */
  async next(): Promise<string | undefined> {
    const queued = this.#queue.shift()
    if (queued !== undefined) {
      this.#say(queued)
      return queued
    }
    if (this.#ended) return undefined
    this.#draw()
    return await new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  /** One of `answers`, or without them a line of text. What else is typed goes to the message that is being written. */
  async ask(question: string, answers: string | undefined, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    return await new Promise((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', abort)
        this.#asking = undefined
        this.#draw()
      }
      const abort = () => {
        end()
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort)
      this.#asking = {
        question,
        answers,
        field: new Editor(),
        resolve(answer) {
          end()
          resolve(answer)
        },
      }
      this.#draw()
    })
  }

  /** Shows that something is being done, and for how long already; without a label, that it is over. */
  working(label: string | undefined): void {
    if (label === undefined) {
      clearInterval(this.#work?.timer)
      this.#work = undefined
    } else if (this.#work) this.#work.label = label
    else this.#work = { label, since: Date.now(), timer: setInterval(() => this.#draw(), TURN_MS).unref() }
    this.#draw()
  }

  /** What was sent while the answer was given is not sent on after it was stopped: it can be changed first. */
  takeBackQueue(): void {
    if (this.#queue.length === 0) return
    const text = [...this.#queue.splice(0), ...(this.#editor.text ? [this.#editor.text] : [])].join('\n')
    this.#editor.take({ remember: false })
    this.#editor.insert(text)
    this.#draw()
  }

  close(): void {
    this.working(undefined)
    this.screen.leave()
    process.stdout.off('resize', this.#onResize)
    process.off('exit', this.#onExit)
    this.#restore()
    this.#options.input.pause()
  }

  #begin(): void {
    const { input, output } = this.#options
    input.setRawMode(true)
    output.write('\u001b[?2004h')
    input.on('data', this.#onData)
    input.once('end', this.#end)
    input.resume()
  }

  #restore(): void {
    const { input, output } = this.#options
    input.off('data', this.#onData)
    input.setRawMode(false)
    output.write('\u001b[?2004l')
  }

  #take(press: Press): void {
    this.screen.hint = ''
    const editor = this.#asking?.field ?? this.#editor
    if ('paste' in press) {
      // Nobody allows a tool by pasting.
      this.#editor.insert(press.paste)
    } else if ('text' in press) editor.insert(press.text)
    else if (!this.#command(press.key)) editor.press(press.key)
    this.#draw()
  }

  /** Keys that do more than edit. */
  #command(key: string): boolean {
    const isBusy = this.#work !== undefined || this.#asking !== undefined
    const wasLeaving = this.#isLeaving
    this.#isLeaving = false
    switch (key) {
      case 'enter':
        if (this.#asking) this.#answer()
        else this.#enter()
        return true
      case 'escape':
        if (isBusy) this.#options.stop()
        return true
      case 'ctrl+c':
        if (isBusy) this.#options.stop()
        else if (this.#editor.text !== '') this.#editor.take({ remember: true })
        // Meant for an answer that has just ended, it would end all.
        else if (wasLeaving) this.#end()
        else {
          this.#isLeaving = true
          this.screen.hint = 'Ctrl-C again quits'
        }
        return true
      case 'ctrl+d':
        if (this.#editor.text !== '' || this.#asking) return false
        this.#end()
        return true
      case 'ctrl+l':
        this.#options.output.write('\u001b[2J\u001b[H')
        return true
      case 'ctrl+z':
        this.#suspend()
        return true
      case 'tab':
        if (!this.#asking) void this.#complete()
        return true
      default:
        return false
    }
  }

  #enter(): void {
    if (this.#editor.text.endsWith('\\') && this.#editor.at === this.#editor.text.length) {
      this.#editor.press('backspace')
      this.#editor.insert('\n')
      return
    }
    const message = this.#editor.take({ remember: true })
    if (message.trim() === '') return
    if (!this.#waiting) {
      this.#queue.push(message)
      this.screen.line(this.#said.dim(`queued: ${oneLine(message)}`))
      return
    }
    this.#say(message)
    const resolve = this.#waiting
    this.#waiting = undefined
    resolve(message)
  }

  #answer(): void {
    const { field, answers, resolve } = this.#asking!
    const said = field.take({ remember: false })
    if (answers === undefined) {
      resolve(said)
      return
    }
    const letter = said.trim().toLowerCase()
    if (letter.length === 1 && answers.includes(letter)) {
      resolve(letter)
      return
    }
    // A message that was being typed when the question came.
    if (said.trim().length > 1) this.#editor.insert(said)
  }

  #say(message: string): void {
    const mark = this.#said.bold(this.#said.cyan('› '))
    const lines = printable(message).split('\n')
    this.screen.line(lines.map((line, index) => `${index === 0 ? mark : '  '}${line}`).join('\n'))
  }

  get #mark(): string {
    return this.#drawn.bold(this.#drawn.cyan('› '))
  }

  async #complete(): Promise<void> {
    const { text, at } = this.#editor
    const { from, candidates } = await this.#options.complete(text, at)
    // Typed on meanwhile.
    if (this.#editor.text !== text || this.#editor.at !== at || candidates.length === 0) return
    const common = commonStart(candidates)
    if (common.length > at - from) this.#editor.insert(common.slice(at - from))
    if (candidates.length > 1) this.screen.hint = shortened(candidates)
    this.#draw()
  }

  readonly #end = (): void => {
    this.#ended = true
    this.#waiting?.(undefined)
    this.#waiting = undefined
  }

  #suspend(): void {
    if (process.platform === 'win32') return
    this.screen.field = undefined
    this.screen.draw()
    this.#restore()
    process.once('SIGCONT', () => {
      this.#begin()
      this.#draw()
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  #draw(): void {
    if (this.#ended && !this.#work) this.screen.field = undefined
    else if (this.#asking) {
      const { question, field } = this.#asking
      this.screen.field = { prompt: question, promptWidth: question.length, text: field.text, at: field.at }
    } else {
      const { text, at } = this.#editor
      this.screen.field = { prompt: this.#mark, promptWidth: 2, text, at }
    }
    this.screen.status = this.#work && !this.#asking ? this.#status(this.#work) : ''
    this.screen.draw()
  }

  #status({ label, since }: { label: string; since: number }): string {
    const passed = Date.now() - since
    const sign = SPINNER[Math.floor(passed / TURN_MS) % SPINNER.length]
    return `${sign} ${label} · ${Math.floor(passed / 1000)} s · Esc stops`
  }
}

function commonStart([first = '', ...rest]: string[]): string {
  let end = first.length
  for (const each of rest) while (!each.startsWith(first.slice(0, end))) end--
  return first.slice(0, end)
}

function shortened(candidates: string[]): string {
  const shown = candidates.slice(0, 12).map((each) => each.trim())
  return [...shown, ...(candidates.length > 12 ? [`and ${candidates.length - 12} more`] : [])]
    .join('  ')
    .slice(0, 200)
}
