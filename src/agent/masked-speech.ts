import { redact } from '../platform/redact.ts'
import { findSecrets } from '../platform/secrets/find.ts'

/** A line with one of these is told when it has ended: what follows the name of a secret may have blanks in it. */
const NAMES = /pass|pwd|secret|token|key|cred|auth|парол|секрет|ключ|токен|密码|密钥|口令|令牌/i
/** Of a key over several lines nothing is told before its end, and that of the line with its end. */
const KEY_BEGINS = /-----BEGIN(?![\s\S]*-----END [^-\n]*-----[^\n]*\n)/
/** Lines as those of a key, the last of them shorter, of which the one that ends it tells what they are. */
const KEY_LINES =
  /(?<![^\n])(?:[^\nA-Za-z0-9]{0,12}[A-Za-z0-9+/]{60,76}[^\nA-Za-z0-9]{0,6}\n)+(?:[^\nA-Za-z0-9]{0,12}[A-Za-z0-9+/=]{1,76}[^\nA-Za-z0-9]{0,6}\n)?[^\n]{0,200}$/
/** Longer than this are no lines of a key. */
const LONGEST_KEY = 20_000
/** Longer than this no line is waited for. */
const LONGEST_LINE = 4_000
/** So much of what was told before is looked at again with what comes: where it begins, a line does. */
const LOOKED_AT_AGAIN = 4_000

/**
 * What a model says, without its secrets, while it is being said: a word is told when it is over, as half of a secret cannot
 * be told from any other word.
 */
export class MaskedSpeech {
  #whole = ''
  /** How far it was told, and from where on that is looked at again. */
  #end = 0
  #start = 0

  /** What can be told now that this was said. */
  add(piece: string): string {
    this.#whole += piece
    return this.#upTo(endOfTellable(this.#whole, this.#end))
  }

  /** What was not told yet. `whole`: all that was said, where not all of it was added. */
  rest(whole = this.#whole): string {
    this.#whole = whole
    return this.#upTo(whole.length)
  }

  #upTo(end: number): string {
    if (end <= this.#end) return ''
    const before = redact(this.#whole.slice(this.#start, this.#end))
    const now = redact(this.#whole.slice(this.#start, end))
    const news = now.startsWith(before) ? now.slice(before.length) : this.#withoutRest(end)
    this.#end = end
    if (end - this.#start > LOOKED_AT_AGAIN * 2)
      this.#start = Math.max(this.#start, this.#whole.lastIndexOf('\n', end - LOOKED_AT_AGAIN) + 1)
    return news
  }

  /** What comes made something of what was told a secret: it cannot be taken back, but the rest of it is kept. */
  #withoutRest(end: number): string {
    const told = this.#end - this.#start
    const secrets = findSecrets(this.#whole.slice(this.#start, end))
    const over = secrets.find(({ from, to }) => from < told && to > told)
    if (!over) return redact(this.#whole.slice(this.#end, end))
    return `[redacted: ${over.kind}]${redact(this.#whole.slice(this.#start + over.to, end))}`
  }
}

function endOfTellable(text: string, told: number): number {
  const untold = text.slice(told)
  const key = KEY_BEGINS.exec(untold) ?? (untold.length < LONGEST_KEY ? KEY_LINES.exec(untold) : undefined)
  if (key) return told + key.index
  const line = Math.max(told, text.lastIndexOf('\n') + 1)
  if (NAMES.test(text.slice(line)) && text.length - line < LONGEST_LINE) return line
  let word = text.length
  while (word > told && !/\s/.test(text[word - 1]!)) word--
  return text.length - word < LONGEST_LINE ? word : text.length
}
