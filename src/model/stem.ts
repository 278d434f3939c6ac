/**
 * The form under which a word and its inflections are one: Porter's algorithm (1980) for words in
 * Latin letters, Snowball's for Russian. Takes lower case with diacritics folded; other scripts and
 * words with digits come back as they are.
 */
export function stem(word: string): string {
  if (word.length < 3 || word.length > MAX_STEMMED) return word
  const first = word.charCodeAt(0)
  if (first >= 97 && first <= 122) return LATIN.test(word) ? english(word) : word
  return first >= 0x430 && first <= 0x44f && CYRILLIC.test(word) ? russian(word) : word
}

const MAX_STEMMED = 40
const LATIN = /^[a-z]+$/
const CYRILLIC = /^[а-я]+$/

function english(word: string): string {
  let w = word
  // Looked at by their last letter first: most words have none of these endings.
  if (lastOf(w) === S) {
    if (w.endsWith('sses') || w.endsWith('ies')) w = w.slice(0, -2)
    else if (!w.endsWith('ss')) w = w.slice(0, -1)
  }
  const last = lastOf(w)
  if (last === D && w.endsWith('eed')) {
    if (measure(w, w.length - 3) > 0) w = w.slice(0, -1)
  } else {
    const cut = last === D && w.endsWith('ed') ? 2 : last === G && w.endsWith('ing') ? 3 : 0
    if (cut > 0 && hasVowel(w, w.length - cut)) {
      w = w.slice(0, -cut)
      if (w.endsWith('at') || w.endsWith('bl') || w.endsWith('iz')) w += 'e'
      else if (endsDouble(w) && !/[lsz]$/.test(w)) w = w.slice(0, -1)
      else if (measure(w, w.length) === 1 && endsShort(w, w.length)) w += 'e'
    }
  }
  if (lastOf(w) === Y && hasVowel(w, w.length - 1)) w = `${w.slice(0, -1)}i`
  w = replaced(w, STEP_2)
  w = replaced(w, STEP_3)
  w = shortened(w)
  if (lastOf(w) === E) {
    const m = measure(w, w.length - 1)
    if (m > 1 || (m === 1 && !endsShort(w, w.length - 1))) w = w.slice(0, -1)
  }
  return w.endsWith('ll') && measure(w, w.length) > 1 ? w.slice(0, -1) : w
}

const [D, E, G, S, Y] = [100, 101, 103, 115, 121]

function lastOf(word: string): number {
  return word.charCodeAt(word.length - 1)
}

type Ending = [ending: string, instead: string]

/** Looked up by the last letter but one resp. the last letter, the longest ending first. */
const STEP_2 = byEnd([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
])
const STEP_3 = byEnd([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
])
const STEP_4 = byEnd(
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'
    .split(' ')
    .map((ending): Ending => [ending, '']),
)

function byEnd(endings: Ending[]): Map<number, Ending[]> {
  const sorted = endings.toSorted((a, b) => b[0].length - a[0].length)
  return Map.groupBy(sorted, ([ending]) => ending.charCodeAt(ending.length - 1))
}

function ending(word: string, endings: Map<number, Ending[]>): Ending | undefined {
  const known = endings.get(lastOf(word))
  if (!known) return undefined
  for (let i = 0; i < known.length; i++) if (word.endsWith(known[i]![0])) return known[i]
  return undefined
}

function replaced(word: string, endings: Map<number, Ending[]>): string {
  const found = ending(word, endings)
  if (!found) return word
  const rest = word.length - found[0].length
  return measure(word, rest) > 0 ? word.slice(0, rest) + found[1] : word
}

function shortened(word: string): string {
  const found = ending(word, STEP_4)
  if (!found) return word
  const rest = word.length - found[0].length
  if (measure(word, rest) <= 1) return word
  return found[0] !== 'ion' || /[st]/.test(word[rest - 1] ?? '') ? word.slice(0, rest) : word
}

function isVowel(word: string, i: number): boolean {
  switch (word.charCodeAt(i)) {
    case 97:
    case 101:
    case 105:
    case 111:
    case 117:
      return true
    case 121:
      return i > 0 && !isVowel(word, i - 1)
    default:
      return false
  }
}

/** How often a vowel is followed by a consonant in the first `end` letters. */
function measure(word: string, end: number): number {
  let count = 0
  let before = false
  for (let i = 0; i < end; i++) {
    const vowel = isVowel(word, i)
    if (before && !vowel) count++
    before = vowel
  }
  return count
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true
  return false
}

function endsDouble(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last)
}

/** Consonant, vowel, consonant other than w, x, y. */
function endsShort(word: string, end: number): boolean {
  return (
    end > 2 &&
    !isVowel(word, end - 1) &&
    isVowel(word, end - 2) &&
    !isVowel(word, end - 3) &&
    !'wxy'.includes(word[end - 1]!)
  )
}

const RU_VOWELS = 'аеиоуыэюя'
const GERUND = /(?:(?<=[ая])(?:вшись|вши|в)|(?:ившись|ывшись|ивши|ывши|ив|ыв))$/
const REFLEXIVE = /(?:ся|сь)$/
const ADJECTIVE = /(?:ими|ыми|его|ого|ему|ому|ее|ие|ые|ое|ей|ий|ый|ой|ем|им|ым|ом|их|ых|ую|юю|ая|яя|ою|ею)$/
const PARTICIPLE = /(?:(?<=[ая])(?:ем|нн|вш|ющ|щ)|(?:ивш|ывш|ующ))$/
const VERB =
  /(?:(?<=[ая])(?:ешь|нно|ете|йте|ла|на|ли|ем|ло|но|ет|ют|ны|ть|й|л|н)|(?:ейте|уйте|ила|ыла|ена|ите|или|ыли|ило|ыло|ено|ует|уют|ены|ить|ыть|ишь|ей|уй|ил|ыл|им|ым|ен|ят|ит|ыт|ую|ю))$/
const NOUN =
  /(?:иями|ями|ами|ией|иям|ием|иях|ев|ов|ие|ье|еи|ии|ей|ой|ий|ям|ем|ам|ом|ах|ях|ию|ью|ия|ья|а|е|и|й|о|у|ы|ь|ю|я)$/
const DERIVATIONAL = /ость?$/
const SUPERLATIVE = /ейше?$/

function russian(word: string): string {
  const start = afterVowel(word, 0)
  if (start < 0) return word
  const head = word.slice(0, start)
  let rest = word.slice(start)
  const withoutGerund = rest.replace(GERUND, '')
  if (withoutGerund !== rest) rest = withoutGerund
  else {
    rest = rest.replace(REFLEXIVE, '')
    const withoutAdjective = rest.replace(ADJECTIVE, '')
    if (withoutAdjective !== rest) rest = withoutAdjective.replace(PARTICIPLE, '')
    else {
      const withoutVerb = rest.replace(VERB, '')
      rest = withoutVerb !== rest ? withoutVerb : rest.replace(NOUN, '')
    }
  }
  rest = rest.replace(/и$/, '')
  if (DERIVATIONAL.test(rest) && secondRegion(word) <= head.length + rest.search(DERIVATIONAL))
    rest = rest.replace(DERIVATIONAL, '')
  return head + rest.replace(SUPERLATIVE, '').replace(/нн$/, 'н').replace(/ь$/, '')
}

/** Where the word goes on after its first vowel from `from`; -1 where it has none. */
function afterVowel(word: string, from: number): number {
  for (let i = from; i < word.length; i++) if (RU_VOWELS.includes(word[i]!)) return i + 1
  return -1
}

/** Snowball's R2: twice a vowel and the consonant after it. */
function secondRegion(word: string): number {
  let at = 0
  for (let times = 0; times < 2; times++) {
    do {
      at = afterVowel(word, at)
      if (at < 0) return word.length
    } while (at < word.length && RU_VOWELS.includes(word[at]!))
    at++
  }
  return at
}
