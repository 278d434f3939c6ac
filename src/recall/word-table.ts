/** The words of many texts, as numbers: equal words have equal numbers, whatever their case and punctuation. */
export interface WordTable {
  /** Of all texts one after the other. */
  words: Int32Array
  /** 1 for a character of a script without spaces, which says less than a word. */
  singles: Uint8Array
  /** Where each word stands in its text. */
  starts: Int32Array
  ends: Int32Array
  /** Which text each word is from. */
  texts: Int32Array
  /** Where each text's words begin; one more than there are texts. */
  firsts: Int32Array
}

export function wordTable(texts: string[], mostWords: number): WordTable {
  const room = texts.reduce((sum, text) => sum + Math.min(mostWords, mostIn(text)), 1)
  const words = new Int32Array(room)
  const singles = new Uint8Array(room)
  const starts = new Int32Array(room)
  const ends = new Int32Array(room)
  const owners = new Int32Array(room)
  const firsts = new Int32Array(texts.length + 1)
  let count = 0
  texts.forEach((raw, owner) => {
    // Some letters change their length when lowered: then the places would be wrong.
    const lowered = raw.toLowerCase()
    const text = lowered.length === raw.length ? lowered : raw
    const last = Math.min(count + mostWords, room)
    firsts[owner] = count
    const { length } = text
    let i = 0
    while (i < length && count < last) {
      const kind = kindOf(text.charCodeAt(i))
      if (kind === OTHER) {
        i++
        continue
      }
      const start = i
      let hash = 0x811c9dc5
      do {
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
        i++
      } while (kind === LETTER && i < length && kindOf(text.charCodeAt(i)) === LETTER)
      if (kind === SINGLE) hash = withNext(hash, text, i)
      words[count] = hash
      singles[count] = kind === SINGLE ? 1 : 0
      starts[count] = start
      ends[count] = i
      owners[count] = owner
      count++
    }
  })
  firsts[texts.length] = count
  return {
    words: words.subarray(0, count),
    singles: singles.subarray(0, count),
    starts: starts.subarray(0, count),
    ends: ends.subarray(0, count),
    texts: owners.subarray(0, count),
    firsts,
  }
}

/** Words are set apart by a character at least, unless each character is one. */
function mostIn(text: string): number {
  return /[\u3041-\ua4cf\uf900-\ufaff]/.test(text) ? text.length : (text.length >> 1) + 1
}

/** A character alone says little where words are not set apart: those that follow count as well. */
function withNext(hash: number, text: string, from: number): number {
  let longer = hash
  for (let i = from; i < from + 2 && i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (kindOf(code) !== SINGLE) break
    longer = Math.imul(longer ^ code, 0x01000193)
  }
  return longer
}

const OTHER = 0
const LETTER = 1
/** Written without spaces: each character is taken for a word. */
const SINGLE = 2

function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!
  if (code >= 0x2000 && code < 0x2e80) return OTHER
  if (code >= 0x3041 && code < 0xa4d0) return SINGLE
  if (code >= 0x3000 && code < 0x3041) return OTHER
  if (code >= 0xf900 && code < 0xfb00) return SINGLE
  if (code >= 0xff00 && code < 0xff10) return OTHER
  return code < 0xc0 ? OTHER : LETTER
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? LETTER : OTHER,
)
