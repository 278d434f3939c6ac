import { LOOKS_AROUND, PIECE, piecesOf, REFERS_BACK, REPEATS, runsOf } from './regex-relaxed.ts'

/**
 * Who may not read a secret must not find out what it is by what a pattern matches. A pattern is tried on texts in which
 * one sign stands for each secret, whatever that is. So all of these would have to be cleaned first; `waysOf`
 * says in which of them, as they were said, a pattern may match at all.
 */

/** Stands for a secret: no letter, no space, and no sign of ASCII, so that few patterns match it but by `.` and the like. */
const HIDDEN = '\u2588'

/** What redaction says in place of a secret, and of half of one at the end of a title that was cut. */
const MASK = /\[redacted(?:: [^\]\n]{1,60})?\]|…$/g

/** A cleaned text as a pattern sees it, and where a place in it is in the text as it is shown. */
export interface Hidden {
  text: string
  shownAt(place: number): number
}

export function hidden(shown: string): Hidden {
  const masks: { at: number; longer: number }[] = []
  let longer = 0
  const text = shown.replace(MASK, (mask, at: number) => {
    longer += mask.length - 1
    masks.push({ at: at + mask.length - longer, longer })
    return HIDDEN
  })
  return { text, shownAt: (place) => place + (masks.findLast(({ at }) => at <= place)?.longer ?? 0) }
}

/**
 * The ways in which a text with hidden secrets may match: each is what is then found in it as it was said, in any order.
 * What matches no hidden secret stands beside or between these, and there nothing was changed.
 */
export function waysOf(source: string, flags: string): RegExp[][] {
  const loose = loosened(source)
  const pieces = loose === undefined ? undefined : piecesOf(loose)
  if (!pieces) return [[]]
  const kept = flags.replace(/[gm]/g, '')
  const isBlind = (piece: string) => !new RegExp(`^(?:${piece})$`, kept).test(HIDDEN)
  try {
    if (pieces.every((piece) => isSyntax(piece) || isBlind(piece)))
      return [[new RegExp(pieces.join(''), kept)]]
    return alternativesOf(pieces).map((each) =>
      runsOf(each, isBlind)
        .map((run) => new RegExp(run, kept))
        .filter((run) => !run.test('')),
    )
  } catch {
    return [[]]
  }
}

/** Groups and choices, and how often something comes. */
function isSyntax(piece: string): boolean {
  return piece.startsWith('(') || piece === ')' || piece === '|' || REPEATS.test(piece)
}

/** What is between the bars that stand in no group. */
function alternativesOf(pieces: string[]): string[][] {
  const all: string[][] = [[]]
  let depth = 0
  for (const piece of pieces) {
    if (piece.startsWith('(')) depth++
    else if (piece === ')') depth--
    if (piece === '|' && depth === 0) all.push([])
    else all.at(-1)!.push(piece)
  }
  return all
}

/** A pattern that matches wherever this one does: it does not ask what is around, and takes anything for what is to be said again. */
function loosened(source: string): string | undefined {
  let kept = ''
  /** How deep within a part that looks around; 0 outside. */
  let depth = 0
  let isAfter = false
  PIECE.lastIndex = 0
  while (PIECE.lastIndex < source.length) {
    const piece = PIECE.exec(source)?.[0]
    // How often something comes is said of the piece before it, which would be another one then.
    if (piece === undefined || (isAfter && REPEATS.test(piece))) return undefined
    isAfter = false
    if (depth > 0) {
      if (piece.startsWith('(')) depth++
      else if (piece === ')') isAfter = --depth === 0
    } else if (LOOKS_AROUND.test(piece)) depth = 1
    else kept += REFERS_BACK.test(piece) ? '[^]' : piece
  }
  return kept
}
