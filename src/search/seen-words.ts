import { Lexicon } from '../archive/lexicon.ts'

const MOST_WORDS = 20_000
const lexicon = new Lexicon()

/** The words of the texts that were looked at last, with their terms. Numbers that it gave before may be void. */
export function seenWords(): Lexicon {
  lexicon.trim(MOST_WORDS)
  return lexicon
}
