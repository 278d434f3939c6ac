import { piecesOf } from './regex-relaxed.ts'

/**
 * Whether a pattern may match in texts that are given as bytes of UTF-8, each byte taken for a character: making texts of
 * them takes longer than unpacking them. Nothing where a pattern asks for more than characters of ASCII and spaces.
 */
export function inBytes(source: string, flags: string): ((bytes: string) => boolean) | undefined {
  const pieces = piecesOf(source)?.map((piece) => (piece === '\\s' ? SPACE : piece))
  if (!pieces?.every((piece) => piece === SPACE || isOfBytes(piece))) return undefined
  const pattern = new RegExp(pieces.join(''), flags.replace(/[gmu]/g, ''))
  // With these flags `k` is also the sign for kelvin, and `s` the long s of old prints.
  const isWide = flags.includes('i') && flags.includes('u')
  return (bytes) => pattern.test(bytes) || (isWide && (bytes.includes(KELVIN) || bytes.includes(LONG_S)))
}

const KELVIN = Buffer.from('\u212a').toString('latin1')
const LONG_S = Buffer.from('\u017f').toString('latin1')
/** Those of ASCII, and the others that `\s` stands for, by their bytes. */
const SPACE =
  '(?:[\\t-\\r ]|\\xc2\\xa0|\\xe1\\x9a\\x80|\\xe2\\x80[\\x80-\\xaf]|\\xe2\\x81\\x9f|\\xe3\\x80\\x80|\\xef\\xbb\\xbf)'

/** Groups and choices, how often something comes, and single characters of ASCII: as themselves, escaped, or of a kind. */
const PLAIN =
  /^(?:\(|\(\?:|\)|\||[*+?]\??|\{\d*,?\d*\}\??|[^\\.[(^$\x80-\uffff]|\\[dwtnr]|\\[!-/:-@[-`{-~])$/s
const CLASS = /^\[(?!\^)(?:[^\\\]\x80-\uffff]|\\[dwtnr]|\\[!-/:-@[-`{-~])*\]$/s

function isOfBytes(piece: string): boolean {
  return piece.startsWith('[') ? CLASS.test(piece) : PLAIN.test(piece)
}
