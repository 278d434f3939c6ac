/**
 * What must be found where a pattern matches, whatever stands around: many texts written one after the other need be
 * looked through only once. It is the same pattern without what it says of the beginnings and ends of lines and words.
 */
export interface Relaxed {
  pattern: RegExp
  /** Parts of it that are all found in the JSON of a text that it matches: between them are spaces, or signs that JSON escapes. */
  inJson: RegExp[]
}

export const PIECE =
  /\\(?:x[\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}|c[a-z]|[pk](?:\{[^}]*\}|<[^>]*>)|\d+|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\(\?[^:)]*[:>]|\((?!\?)|[*+?]\??|\{\d*,?\d*\}\??|[^\\[(]/isy

/** Nothing where a pattern looks at what is around it, or refers to what it matched before. */
export function relaxed(source: string, flags: string): Relaxed | undefined {
  const pieces = piecesOf(source)
  if (!pieces) return undefined
  const kept = flags.replace(/[gm]/g, '')
  try {
    return {
      pattern: new RegExp(pieces.join(''), kept),
      inJson: runsOf(pieces, isInJson)
        .map((run) => new RegExp(run, kept))
        .filter((run) => !run.test('')),
    }
  } catch {
    return undefined
  }
}

/** What a pattern is made of, without what it says of the beginnings and ends of lines and words. */
export function piecesOf(source: string): string[] | undefined {
  const pieces: string[] = []
  PIECE.lastIndex = 0
  while (PIECE.lastIndex < source.length) {
    const piece = PIECE.exec(source)?.[0]
    if (piece === undefined || LOOKS_AROUND.test(piece) || REFERS_BACK.test(piece)) return undefined
    if (!ASSERTS.test(piece)) pieces.push(piece)
  }
  return pieces
}

export const LOOKS_AROUND = /^\(\?<?[=!]/
export const REFERS_BACK = /^\\(?:[1-9]|k)/
const ASSERTS = /^(?:\^|\$|\\b|\\B)$/
export const REPEATS = /^(?:[*+?]\??|\{\d*,?\d*\}\??)$/
/** What no JSON escapes, as itself, escaped, or as a kind. A dot may be a quotation mark, which JSON writes as two signs. */
const PLAIN = /^(?:[\w\-,:;/@#%&=~'`<>!]|\\[dw\-.,:;/@#%&=~'`<>!|()[\]{}*+?$^])$/
const CLASS = /^\[(?!\^)(?:[\w.,:;/@#%&=~'`<>!]|-|\\[dw\-./[\]])+\]$/

/** Stretches of a pattern that are made of such signs only; a group is one piece. Nothing where one of several ways may match. */
export function runsOf(pieces: string[], isSuch: (piece: string) => boolean): string[] {
  const runs: string[] = []
  let run = ''
  let group = ''
  let depth = 0
  let isPlain = true
  const end = () => {
    if (run !== '') runs.push(run)
    run = ''
  }
  const add = (piece: string, isPart: boolean) => {
    if (isPart) run += piece
    else end()
  }
  for (const [i, piece] of pieces.entries()) {
    if (depth === 0 && piece === '|') return []
    if (piece.startsWith('(')) {
      if (depth++ === 0) [group, isPlain] = ['', true]
      isPlain &&= piece === '(' || piece === '(?:'
    } else if (depth > 0 && piece !== ')' && piece !== '|' && !REPEATS.test(piece)) isPlain &&= isSuch(piece)
    if (depth > 0) group += piece
    if (piece === ')' && --depth === 0) add(group, isPlain)
    else if (depth === 0 && piece !== ')') {
      // What is said of how often something comes goes with it.
      if (!REPEATS.test(piece)) add(piece, isSuch(piece))
      else if (run !== '' && i > 0) run += piece
    }
  }
  end()
  return runs
}

function isInJson(piece: string): boolean {
  return piece.startsWith('[') ? CLASS.test(piece) && !hasWideRange(piece) : PLAIN.test(piece)
}

/** A range from one kind of sign to another may hold what is escaped. */
function hasWideRange(piece: string): boolean {
  const signs = piece.slice(1, -1).replace(/\\[dw]/g, '')
  for (const [, from = '', to = ''] of signs.matchAll(/(\\?.)-(\\?.)/gs))
    if (![/\d/, /[a-z]/, /[A-Z]/].some((kind) => kind.test(from) && kind.test(to))) return true
  return false
}
