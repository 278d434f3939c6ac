import type { SearchView } from '../../archive/archive.ts'
import { termsOfRun, termsOfWord } from '../../model/terms.ts'
import { LATIN, TELLING } from './words.ts'

const known = new WeakMap<object, { messages: number; languages: string[] }>()
/** Asked again when the archive has grown by so much. */
const GROWN = 1.05

/** The languages beside English that something is said in, by a few words that hardly any text is without. */
export function languagesHeld(view: SearchView): string[] {
  const { said } = view.documents.messages
  const before = known.get(view)
  if (before && said <= before.messages * GROWN && said >= before.messages / GROWN) return before.languages
  const languages = Object.keys(TELLING).filter((language) => isHeld(view, language))
  known.set(view, { messages: said, languages })
  return languages
}

function isHeld(view: SearchView, language: string): boolean {
  const words = TELLING[language]!
  // Words in Latin letters are met in other languages, too: nearly all of them are asked for.
  const need = LATIN.includes(language) ? words.length - 1 : 2
  let met = 0
  let left = words.length
  for (const word of words) {
    if (met + left < need) return false
    left--
    const term = termsOfRun(word).characters.length === 1 ? word : termsOfWord(word)[0]!
    if (view.messagesWith('said', term) > 0) met++
    if (met >= need) return true
  }
  return false
}
