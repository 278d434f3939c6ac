import type { ChatCitation } from '../../recall/citations.ts'
import { fit, oneLine, paint } from '../paint.ts'
import { own } from '../terminal.ts'

type Check = (text: string) => Promise<ChatCitation[]>

const BEGIN = 'context://sessions/'

/**
 * Passes an answer on as it comes, and puts links where it cites chats. A citation is held back until it is
 * whole and was looked up, and what comes after it waits.
 */
export class CitedText {
  readonly #check: Check
  readonly #print: (text: string) => void
  /** The line so far, of which `#shown` characters are passed on. */
  #line = ''
  #shown = 0
  #work: Promise<void> = Promise.resolve()

  constructor(check: Check, print: (text: string) => void) {
    this.#check = check
    this.#print = print
  }

  add(text: string): void {
    this.#work = this.#work.then(() => this.#take(text))
  }

  /** What was held back is passed on. */
  async end(): Promise<void> {
    this.#work = this.#work.then(async () => {
      await this.#pass(this.#line, this.#line.length)
      this.#line = ''
      this.#shown = 0
    })
    await this.#work
  }

  async #take(text: string): Promise<void> {
    const lines = (this.#line + text).split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      await this.#pass(line, line.length)
      this.#print('\n')
      this.#shown = 0
    }
    this.#line = last
    await this.#pass(last, heldFrom(last))
  }

  /** The line up to `to`. */
  async #pass(line: string, to: number): Promise<void> {
    if (to <= this.#shown) return
    const tail = line.slice(this.#shown, to)
    const from = this.#shown
    this.#shown = to
    if (!tail.includes(BEGIN)) return this.#print(tail)
    const citations = (await this.#check(line.slice(0, to)).catch(() => [])).filter(
      (each) => each.from >= from,
    )
    let at = from
    for (const each of citations) {
      this.#print(line.slice(at, each.from))
      this.#print(inline(each))
      at = each.to
    }
    this.#print(line.slice(at, to))
  }
}

/** Each place once, with the chat that it is in; what could not be found says so. */
export function citationList(citations: ChatCitation[] = []): string[] {
  const { dim, yellow } = paint(process.stderr)
  const seen = new Set<string>()
  return citations.flatMap((each) => {
    const name = nameOf(each)
    if (seen.has(name)) return []
    seen.add(name)
    const { verified, title = '', date = '', author, problem = '' } = each
    const by = author === undefined ? '' : `, by ${oneLine(author)}`
    if (!verified) return [`${yellow(`[${name}]`)} ${dim(`unverified: ${problem}`)}`]
    return [`[${linked(name, each, process.stderr)}] ${dim(`${fit(oneLine(title), 60)}, ${date}${by}`)}`]
  })
}

/** `b6fb68b8#12`, which `recollect show` opens at that message. */
function nameOf({ uri, chatId, index }: ChatCitation): string {
  const [written = '', place = ''] = uri.slice(BEGIN.length).split('#')
  const id = (chatId ?? written).replace(/^[\w-]+:/, '').slice(0, 8)
  const message = index ?? (place ? place.replace(/^m/, '') : undefined)
  return message === undefined ? id : `${id}#${message}`
}

function inline(citation: ChatCitation): string {
  const name = nameOf(citation)
  return citation.verified ? `[${linked(name, citation, process.stdout)}]` : `[${name}: unverified]`
}

/** A link that terminals open, where this one does. */
function linked(text: string, { chatId, source, index }: ChatCitation, stream: NodeJS.WriteStream): string {
  if (!chatId || !source || !opensLinks(stream)) return text
  const port = process.env.RECOLLECT_PORT ?? '3939'
  const place = `${encodeURIComponent(source)}:${encodeURIComponent(chatId)}`
  const url = `http://127.0.0.1:${port}/chat/${place}${index === undefined ? '' : `#m${index}`}`
  return `${own(`\u001b]8;;${url}\u001b\\`, stream)}${text}${own('\u001b]8;;\u001b\\', stream)}`
}

/** Terminals that are known to; others would print the address. */
function opensLinks(stream: NodeJS.WriteStream, env = process.env): boolean {
  if (!stream.isTTY || env.TERM === 'dumb') return false
  if (env.FORCE_HYPERLINK !== undefined) return env.FORCE_HYPERLINK !== '0'
  return (
    /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|Tabby)$/i.test(env.TERM_PROGRAM ?? '') ||
    /kitty|ghostty|foot|alacritty|contour/.test(env.TERM ?? '') ||
    Number(env.VTE_VERSION ?? 0) >= 5000 ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined
  )
}

/** Where so much of a line can be passed on: not into a citation, nor into what may become one. */
function heldFrom(line: string): number {
  const at = line.lastIndexOf(BEGIN)
  if (at >= 0 && /^[\w.:@%#-]*$/.test(line.slice(at + BEGIN.length))) return at
  for (let length = Math.min(BEGIN.length - 1, line.length); length > 0; length--)
    if (line.endsWith(BEGIN.slice(0, length))) return line.length - length
  return line.length
}
