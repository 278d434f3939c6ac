/** Made when it is first needed: loading the tables takes longer than all else at the start. */
let made: Intl.Segmenter | undefined
function segments(text: string): Intl.Segments {
  made ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return made.segment(text)
}

/** The beginning of a text on one line: at most so many characters as people count them. */
export function preview(text: string, most = 80): string {
  // A character as seen may be many code units long, but hardly more than 50.
  const line = text
    .slice(0, most * 50)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= most && line.length === text.trim().length) return line
  const whole: string[] = []
  for (const { segment } of segments(line)) {
    if (whole.length === most) return `${whole.slice(0, -1).join('').trimEnd()}…`
    whole.push(segment)
  }
  return whole.join('')
}

/** Longer than any secret. */
const EDGE = 16_384

/**
 * The beginning of a text without its secrets. Of a long one no more is looked at than needed, and
 * nothing near the end of that is shown: half a secret may stand there.
 */
export function cleanPreview(text: string, most: number, clean: (text: string) => string): string {
  const looked = EDGE + most * 50
  if (text.length > looked) {
    const short = preview(clean(text.slice(0, looked)).slice(0, -EDGE), most)
    if (short.endsWith('…')) return short
  }
  return preview(clean(text), most)
}

/** The text up to so many code units, never half of what is seen as one character. */
export function cutAt(text: string, most: number): string {
  if (text.length <= most) return text
  if (most <= 0) return ''
  // Look at the last few characters only: the text may be a megabyte.
  const from = Math.max(0, most - 200)
  const start = from > 0 && isLowHalf(text.charCodeAt(from)) ? from + 1 : from
  const tail = text.slice(start, most + 200)
  let end = start
  for (const { index, segment } of segments(tail)) {
    if (start + index + segment.length > most) break
    end = start + index + segment.length
  }
  // One endless cluster: cut it after all, but not a surrogate pair.
  if (end === start && from > 0) end = isLowHalf(text.charCodeAt(most)) ? most - 1 : most
  return text.slice(0, end)
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
