/** A text of one or more lines that is being written, with the cursor in it, and what was written before. */
export class Editor {
  text = ''
  /** Where the next character goes. */
  at = 0
  readonly #history: string[] = []
  /** How far back one looks; 0 is what is being written. */
  #back = 0
  #draft = ''

  /** What was written in earlier sessions comes before what was written in this one. */
  recall(earlier: string[]): void {
    this.#history.unshift(...earlier)
  }

  insert(text: string): void {
    this.#set(this.text.slice(0, this.at) + text + this.text.slice(this.at), this.at + text.length)
  }

  /** Takes the text out; `remember` puts it among what was written. */
  take({ remember }: { remember: boolean }): string {
    const { text } = this
    if (remember && text.trim() !== '' && this.#history.at(-1) !== text) this.#history.push(text)
    this.#back = 0
    this.#draft = ''
    this.#set('', 0)
    return text
  }

  /** What a key does here; false where it does nothing. */
  press(key: string): boolean {
    const edit = EDITS[key]
    if (edit) {
      const [text, at] = edit(this.text, this.at)
      this.#set(text, at)
      return true
    }
    if (key === 'up' || key === 'ctrl+p') return this.#up()
    if (key === 'down' || key === 'ctrl+n') return this.#down()
    return false
  }

  #up(): boolean {
    const above = lineAbove(this.text, this.at)
    if (above !== undefined) this.at = above
    else if (this.#back < this.#history.length) this.#look(this.#back + 1)
    return true
  }

  #down(): boolean {
    const below = lineBelow(this.text, this.at)
    if (below !== undefined) this.at = below
    else if (this.#back > 0) this.#look(this.#back - 1)
    return true
  }

  #look(back: number): void {
    if (this.#back === 0) this.#draft = this.text
    this.#back = back
    const text = back === 0 ? this.#draft : this.#history.at(-back)!
    this.text = text
    this.at = text.length
  }

  #set(text: string, at: number): void {
    this.text = text
    this.at = at
  }
}

type Edit = (text: string, at: number) => [text: string, at: number]

const cut =
  (from: (text: string, at: number) => number, to: (text: string, at: number) => number): Edit =>
  (text, at) => [text.slice(0, from(text, at)) + text.slice(to(text, at)), from(text, at)]
const go =
  (where: (text: string, at: number) => number): Edit =>
  (text, at) => [text, where(text, at)]
const here = (_: string, at: number) => at

const EDITS: Record<string, Edit> = {
  left: go(before),
  'ctrl+b': go(before),
  right: go(after),
  'ctrl+f': go(after),
  home: go(lineStart),
  'ctrl+a': go(lineStart),
  end: go(lineEnd),
  'ctrl+e': go(lineEnd),
  'alt+b': go(wordBefore),
  'alt+f': go(wordAfter),
  backspace: cut(before, here),
  'ctrl+h': cut(before, here),
  delete: cut(here, after),
  'ctrl+w': cut(wordBefore, here),
  'alt+backspace': cut(wordBefore, here),
  'alt+d': cut(here, wordAfter),
  'ctrl+u': cut(lineStart, here),
  'ctrl+k': cut(here, lineEnd),
  'alt+enter': (text, at) => [`${text.slice(0, at)}\n${text.slice(at)}`, at + 1],
  'ctrl+j': (text, at) => [`${text.slice(0, at)}\n${text.slice(at)}`, at + 1],
}

/** One character as people see it: an emoji of several parts goes as one. */
function before(text: string, at: number): number {
  let last = 0
  for (const { index } of segments(text.slice(0, at))) last = index
  return last
}

function after(text: string, at: number): number {
  for (const { segment } of segments(text.slice(at))) return at + segment.length
  return at
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function wordBefore(text: string, at: number): number {
  return at - (/[^\s]*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0)
}

function wordAfter(text: string, at: number): number {
  return at + (/^\s*[^\s]*/.exec(text.slice(at))?.[0].length ?? 0)
}

function lineAbove(text: string, at: number): number | undefined {
  const start = lineStart(text, at)
  if (start === 0) return undefined
  const above = lineStart(text, start - 1)
  return Math.min(above + at - start, start - 1)
}

function lineBelow(text: string, at: number): number | undefined {
  const end = lineEnd(text, at)
  if (end === text.length) return undefined
  return Math.min(end + 1 + at - lineStart(text, at), lineEnd(text, end + 1))
}

let segmenter: Intl.Segmenter | undefined
function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}
