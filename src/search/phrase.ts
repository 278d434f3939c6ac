import type { SearchView, WordField } from '../archive/archive.ts'
import { scan } from '../model/scan.ts'
import { folded } from '../model/terms.ts'
import type { MessageFilter } from './filter.ts'
import type { Group } from './group.ts'
import type { Phrase } from './query-parts.ts'

/** Of so many candidates the text is looked at, newest first: some 20 ms. Beside what was said, reading costs more. */
const MOST_READ = { said: 1_000, title: 1_000, thought: 150, tools: 150 }
/** As long as none has it, as many again: so often in all. */
const LONGER = 5
/** Texts that are read with one look; the numbers above are multiples of it. */
export const AT_ONCE = 50

type Found = { field: WordField; postings: Group }[]

/** What was read for a search is read once: what to propose next is tried with the same phrases. */
interface Read {
  fields: Map<WordField, { all: Int32Array; counts: Map<number, number> }>
  /** Not all that may have it was looked at the last time. */
  isCut: boolean
}
const known = new WeakMap<Phrase, Read>()

/** Messages in which the words of a phrase stand one after the other: the index finds candidates, the text decides. */
export function messagesWithPhrase(
  view: SearchView,
  phrase: Phrase,
  fields: WordField[],
  filter: MessageFilter,
): Found {
  const read: Read = { fields: known.get(phrase)?.fields ?? new Map(), isCut: false }
  known.set(phrase, read)
  const times = counter(phrase.typed)
  return fields.map((field) => {
    const { all, counts } = read.fields.get(field) ?? {
      all: withAll(view, field, phrase.terms).sort().reverse(),
      counts: new Map<number, number>(),
    }
    read.fields.set(field, { all, counts })
    const most = MOST_READ[field]
    // Those that are left out would take the places of those that are asked for.
    const candidates =
      all.length > most && filter.narrows
        ? all.filter(field === 'title' ? filter.passesChat : filter.passes)
        : all
    const keys: number[] = []
    for (let looked = 0; looked < candidates.length; looked += AT_ONCE) {
      if (looked > 0 && looked % most === 0 && (keys.length > 0 || looked === most * LONGER)) {
        read.isCut = true
        break
      }
      const some = [...candidates.subarray(looked, looked + AT_ONCE)]
      const unread = some.filter((key) => !counts.has(key))
      for (const [key, text] of view.fieldTexts(field, unread)) counts.set(key, Math.min(255, times(text)))
      keys.push(...some.filter((key) => counts.get(key)! > 0))
    }
    return {
      field,
      postings: {
        size: keys.length,
        keys: Int32Array.from(keys),
        counts: Uint8Array.from(keys, (key) => counts.get(key)!),
        messages: keys.length,
      },
    }
  })
}

/** Where a phrase of common words was not looked for everywhere, the answer says so. */
export function phraseNotes(phrases: Phrase[]): string[] {
  return phrases.some((phrase) => known.get(phrase)?.isCut)
    ? ['Very many messages have the words of the phrase: only the newest were looked through for it.']
    : []
}

/** Counts a phrase in texts. Plain ASCII is left to a regular expression, which is many times faster. */
function counter(phrase: string): (text: string) => number {
  const asked = spaced(phrase)
  const words = asked.trim().split(' ')
  if (!words.every((word) => /^[a-z0-9]+$/.test(word))) return (text) => occurrences(spaced(text), asked)
  const plain = new RegExp(`(?<![A-Za-z0-9])${words.join('[^A-Za-z0-9]+')}(?![A-Za-z0-9])`, 'gi')
  return (text) =>
    /^[\x00-\x7f]*$/.test(text) ? (text.match(plain)?.length ?? 0) : occurrences(spaced(text), asked)
}

/** So many words are looked up; whether there are more in a text is seen when it is read. */
const MOST_WORDS = 255

/** Keys under which all of the terms stand. Cost: that of reading their lists, the shortest first. */
export function withAll(view: SearchView, field: WordField, terms: string[]): Int32Array {
  const counted = [...new Set(terms)].map((term) => ({ term, messages: view.messagesWith(field, term) }))
  const [rarest, ...others] = counted.sort((a, b) => a.messages - b.messages).slice(0, MOST_WORDS)
  if (!rarest || rarest.messages === 0) return new Int32Array(0)
  const { keys, size } = view.postings(field, rarest.term)
  const shortest = keys.slice(0, size)
  if (others.length === 0) return shortest
  // How many of the terms each key stands under, in their order.
  const { end, endOfChats } = view.documents
  const held = new Uint8Array(Math.max(end, endOfChats))
  for (const key of shortest) held[key] = 1
  for (const [i, { term }] of others.entries()) {
    const list = view.postings(field, term)
    for (let at = 0; at < list.size; at++) {
      const key = list.keys[at]!
      if (held[key] === i + 1) held[key] = i + 2
    }
  }
  return shortest.filter((key) => held[key] === others.length + 1)
}

/** A text as its folded words with one space between them, and one around. */
function spaced(text: string): string {
  let result = ' '
  scan(text, {
    word: (start, end) => {
      result += `${folded(text.slice(start, end))} `
    },
    run: (start, end) => {
      result += `${text.slice(start, end).normalize('NFKC')} `
    },
  })
  return result
}

function occurrences(text: string, asked: string): number {
  // Where a phrase begins or ends in a script without spaces, it may begin or end within a run.
  const from = UNSPACED.test(asked.at(1) ?? '') ? asked.slice(1) : asked
  const wanted = UNSPACED.test(from.at(-2) ?? '') ? from.slice(0, -1) : from
  let times = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + Math.max(1, wanted.length - 1)))
    times++
  return times
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
