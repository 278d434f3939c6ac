import { StringDecoder } from 'node:string_decoder'

/** What came from the keyboard: a key by its name, text that was typed, or a text that was pasted. */
export type Press = { key: string } | { text: string } | { paste: string }

const PASTE_BEGIN = '\u001b[200~'
const PASTE_END = '\u001b[201~'
/** An Escape that nothing follows for so long was the key itself. */
const ESCAPE_MS = 60

/** Makes keys of bytes, however they are cut into pieces. What is pasted comes as one, whatever is in it. */
export class KeyReader {
  readonly #take: (press: Press) => void
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #timer: NodeJS.Timeout | undefined

  constructor(take: (press: Press) => void) {
    this.#take = take
  }

  add(bytes: Buffer): void {
    clearTimeout(this.#timer)
    this.#rest += this.#decoder.write(bytes)
    this.#read()
    // Within a paste nobody waits for a key.
    if (this.#rest !== '' && !this.#rest.startsWith(PASTE_BEGIN))
      this.#timer = setTimeout(() => this.#giveUp(), ESCAPE_MS)
  }

  #read(): void {
    while (this.#rest !== '') {
      const found = next(this.#rest)
      if (!found) return
      this.#rest = this.#rest.slice(found.length)
      if (found.press) this.#take(found.press)
    }
  }

  /** What looked like the beginning of a sequence was none. */
  #giveUp(): void {
    const rest = this.#rest
    this.#rest = ''
    if (rest.startsWith('\u001b')) this.#take({ key: 'escape' })
    this.#rest = rest.replace(/^\u001b/, '')
    this.#read()
  }
}

/** The first press in a text, and how long it is; nothing where more has to come. */
function next(text: string): { press?: Press; length: number } | undefined {
  if (text.startsWith(PASTE_BEGIN)) {
    const end = text.indexOf(PASTE_END)
    if (end < 0) return undefined
    const paste = text.slice(PASTE_BEGIN.length, end).replace(/\r\n?/g, '\n')
    return { press: { paste }, length: end + PASTE_END.length }
  }
  if (text[0] === '\u001b') return escaped(text)
  const plain = /^[^\u0000-\u001f\u007f]+/.exec(text)?.[0]
  if (plain) return { press: { text: plain }, length: plain.length }
  return { press: { key: CONTROL[text[0]!] ?? `ctrl+${letter(text[0]!)}` }, length: 1 }
}

function escaped(text: string): { press?: Press; length: number } | undefined {
  if (text.length === 1) return undefined
  const sequence = /^\u001b(?:\[[0-9;<=>?]*[ -/]*[@-~]|O[ -~])/.exec(text)?.[0]
  if (sequence) {
    const key = SEQUENCES[sequence.slice(1)]
    return key ? { press: { key }, length: sequence.length } : { length: sequence.length }
  }
  if (/^\u001b(?:\[[0-9;<=>?]*[ -/]*|O)$/.test(text)) return undefined
  // Two in a row: the first was the key.
  if (text[1] === '\u001b') return { press: { key: 'escape' }, length: 1 }
  const [sign = ''] = text.slice(1)
  const key =
    sign === '\r' || sign === '\n' ? 'alt+enter' : sign === '\u007f' ? 'alt+backspace' : `alt+${sign}`
  return { press: { key }, length: 1 + sign.length }
}

function letter(control: string): string {
  return String.fromCharCode(control.charCodeAt(0) + 96)
}

const CONTROL: Record<string, string> = {
  '\r': 'enter',
  '\n': 'ctrl+j',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
}

const SEQUENCES: Record<string, string> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[3~': 'delete',
  '[1;5C': 'alt+f',
  '[1;5D': 'alt+b',
  '[1;3C': 'alt+f',
  '[1;3D': 'alt+b',
  '[13;2u': 'alt+enter',
  '[27;2;13~': 'alt+enter',
  '[27u': 'escape',
}
