import type { SearchView, WordField } from '../archive/archive.ts'
import { toolsOf, toolText } from '../model/tool-text.ts'
import { type Clean, marker } from './snippet.ts'

/** In so many places of each field a word is looked for: it may be part of a secret in one, and a word in the next. */
const PLACES = 3

/**
 * Whether a word of the archive may be found by something else than itself, and named to who searches: the index holds what
 * was said, secrets included, and a search for the beginning of one must neither be answered with the rest of it
 * nor tell that there is one. Cost: mostly one message cleaned for each word.
 */
export function sayable(view: SearchView, fields: WordField[], clean: Clean): (term: string) => boolean {
  const known = new Map<string, boolean>()
  const texts = new Map<string, string>()
  const textAt = (field: WordField, key: number) => {
    const name = `${field} ${key}`
    const text = texts.get(name) ?? cleaned(view, field, key, clean)
    texts.set(name, text)
    return text
  }
  const isSaid = (term: string) => {
    const mark = marker([term])
    return fields.some((field) => {
      const { size, keys } = view.postings(field, term)
      const first = keys.slice(0, Math.min(size, PLACES))
      return first.some((key) => mark(textAt(field, key)).length > 0)
    })
  }
  return (term) => {
    const isSayable = known.get(term) ?? isSaid(term)
    known.set(term, isSayable)
    return isSayable
  }
}

function cleaned(view: SearchView, field: WordField, key: number, clean: Clean): string {
  if (field === 'title') return clean({ title: view.chat(key).title }, { key }).title
  const said = { key: view.documents.chat[key]! }
  if (field === 'said') return clean(view.text(key), said)
  const message = view.message(key)
  return field === 'thought' ? clean(message.thinking ?? '', said) : toolText(clean(toolsOf(message), said))
}
