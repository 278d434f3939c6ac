import { nodeCrypto } from '../platform/node-crypto.ts'

type Output = NodeJS.WriteStream

/**
 * The one function through which text reaches a terminal. Chats, titles, folders, branches, models and
 * names of files are other people's words: what would move the cursor, speak to the terminal or turn
 * the writing around is taken out. What is ours to say is marked by `own`, which nobody can guess.
 */
export function forTerminal(text: string): string {
  if (!text.includes(begin())) return printable(text)
  const [first = '', ...rest] = text.split(begin())
  return rest.reduce((said, part) => {
    const end = part.indexOf(END)
    return end < 0 ? said + printable(part) : said + part.slice(0, end) + printable(part.slice(end + 1))
  }, printable(first))
}

/** The text as it is read, without sequences of ours or anybody's. */
export function plainText(text: string): string {
  const [first = '', ...rest] = text.split(begin())
  return printable(rest.reduce((said, part) => said + part.slice(part.indexOf(END) + 1), first))
}

/** A sequence of ours: colours, the progress bar. */
export function own(sequence: string, stream: Output): string {
  return marked.has(stream) ? `${begin()}${sequence}${END}` : sequence
}

/** Text without control characters, escape sequences and direction marks. Lines and tabs stay. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text
  return (
    text
      .replace(/\r\n/g, '\n')
      // OSC, DCS, SOS, PM and APC: up to what ends them, or the end of the line.
      .replace(
        /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g,
        '',
      )
      .replace(/(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g, '')
      .replace(/\u001b[ -/]*[0-~]?/g, '')
      .replace(CONTROLS, '')
  )
}

/** From now on whatever is written there goes through it. JSON keeps what it says, spelled so that no terminal obeys it. */
export function guardTerminal(stream: Output, { json = false } = {}): void {
  if (filtered.has(stream)) return
  const write = stream.write.bind(stream)
  filtered.set(stream, write)
  if (!json) marked.add(stream)
  const said = json ? spelledOut : forTerminal
  stream.write = ((chunk: string | Uint8Array, ...rest: never[]) =>
    write(
      said(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')),
      ...rest,
    )) as Output['write']
}

/** For a screen of our own, whose every text goes through `printable` before it is drawn. */
export function releaseTerminal(stream: Output): void {
  const write = filtered.get(stream)
  if (!write) return
  filtered.delete(stream)
  marked.delete(stream)
  stream.write = write
}

/** For errors of standard error: what nobody reads any more, or no disk has room for, is no reason to end. */
export function unheard(): void {}

/** The stream itself: for a file that must get every byte, and for a prompt that moves the cursor. */
export function unguarded(stream: Output): Output {
  const write = filtered.get(stream)
  return write ? Object.create(stream, { write: { value: write } }) : stream
}

const filtered = new Map<Output, Output['write']>()
const marked = new Set<Output>()

// Signs that stand for nothing and are set aside for use inside of a program.
const begin = () => {
  mark ??= `\ufdd0${nodeCrypto().randomBytes(9).toString('hex')}`
  return mark
}
let mark: string | undefined
const END = '\ufdd1'

const PLAIN = /^[\n\t\x20-\x7e\u00a0-\u061b\u061d-\u1fff]*$/
/** All but lines and tabs, with C1 and every mark that turns the writing around. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function spelledOut(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
