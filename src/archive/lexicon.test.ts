import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../model/scan.ts'
import { isStopWord } from '../model/stop-words.ts'
import { folded, termsOfRun, termsOfWord } from '../model/terms.ts'
import { Lexicon } from './lexicon.ts'

function termOf({ letters, starts }: Lexicon, number: number): string {
  return Buffer.from(letters.subarray(starts[number], starts[number + 1])).toString()
}

function read(text: string): string[] {
  const lexicon = new Lexicon()
  const count = lexicon.read(text)
  return Array.from(lexicon.found.subarray(0, count), (term) => termOf(lexicon, term))
}

test('scripts without spaces are read by characters and by twos', () => {
  assert.deepEqual(read('搜索test'), ['搜', '索', '搜索', 'test'])
})

test('letters beyond the first plane are letters', () => {
  assert.deepEqual(read('𝐝𝐞𝐚𝐝 𝐥𝐨𝐜𝐤'), ['dead', 'lock'])
})

test('names with punctuation are read by their parts', () => {
  assert.deepEqual(read('src/find_all.ts'), ['src', 'find', 'all', 'ts'])
})

test('what was read before does not change what is read', () => {
  const lexicon = new Lexicon()
  const texts = ['Alpha beta', 'gamma 中文 alpha', 'x'.repeat(200), 'Beta alphaBeta']
  const once = texts.map((text) =>
    Array.from(lexicon.found.subarray(0, lexicon.read(text)), (i) => termOf(lexicon, i)),
  )
  lexicon.trim(1)
  const again = texts.map((text) =>
    Array.from(lexicon.found.subarray(0, lexicon.read(text)), (i) => termOf(lexicon, i)),
  )
  assert.deepEqual(again, once)
})

/** The same without numbers, tables and loops. */
function plainly(text: string): { terms: string[]; length: number } {
  const terms: string[] = []
  let length = 0
  const add = (found: string[], isStop: boolean) => {
    // They are kept as UTF-8, which has no half characters.
    terms.push(...found.map((term) => term.toWellFormed()))
    if (!isStop) length += found.length
  }
  scan(text, {
    word(start, end) {
      const word = text.slice(start, end)
      add(termsOfWord(word), isStopWord(folded(word)))
    },
    run(start, end) {
      const characters = [...text.slice(start, end)]
      characters.forEach((character, i) => {
        add(termsOfRun(character).characters, isStopWord(character))
        if (i > 0) add(termsOfRun(characters[i - 1]! + character).pairs, false)
      })
    },
  })
  return { terms, length }
}

/** Numbers that look random and are the same each time. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PIECES = [
  ...[
    'the',
    'Connection',
    'connections',
    "don't",
    'don’t',
    "x''y",
    "a'1",
    '1.2.3',
    '1.',
    '.5',
    'v1.2',
    'parseHTTPHeader2',
  ],
  ...[
    'e4f5a6',
    'Ёлка',
    'ошибок',
    'Café',
    'naïve',
    '搜',
    '索引',
    'テスト',
    '한국어',
    'ไทย',
    'ー',
    '𝐝𝐞',
    "𝐝'𝐞",
    '𠀀',
    '🙂',
    '👩‍💻',
  ],
  ...[
    '\ud800',
    '\udc00',
    "'",
    '’',
    '.',
    ' ',
    '\n',
    '_',
    '-',
    '/',
    '\0',
    'ａｂ',
    '٣',
    'é',
    'x'.repeat(70),
    'ΣΑΣ',
    'ß',
  ],
]

test('whatever a text is made of, it is read as it is taken apart word by word', () => {
  const pick = random(7)
  const lexicon = new Lexicon()
  for (let turn = 0; turn < 4_000; turn++) {
    const pieces = Array.from({ length: pick(12) }, () =>
      pick(9) === 0 ? String.fromCharCode(pick(65_536)) : PIECES[pick(PIECES.length)]!,
    )
    const text = pieces.join(pick(2) === 0 ? ' ' : '')
    const count = lexicon.read(text)
    const terms = Array.from(lexicon.found.subarray(0, count), (term) => termOf(lexicon, term))
    assert.deepEqual({ terms, length: lexicon.length }, plainly(text), JSON.stringify(text))
    if (pick(100) === 0) lexicon.trim(0)
  }
})

test('a text of very many words, known and new, is read to its end', () => {
  const lexicon = new Lexicon()
  const words = Array.from(
    { length: 30_000 },
    (_, n) => `word${n.toString(36)} 中${String.fromCodePoint(0x4e00 + (n % 9_000))}`,
  )
  for (const text of [words.join(' '), words.toReversed().join('-')]) {
    const count = lexicon.read(text)
    const terms = Array.from(lexicon.found.subarray(0, count), (term) => termOf(lexicon, term))
    assert.deepEqual({ terms, length: lexicon.length }, plainly(text))
  }
})

test('one word of a text is read as the text is', () => {
  const lexicon = new Lexicon()
  for (const word of ['deadlocks', 'parseHTTPHeader2', "don't", 'the', 'x'.repeat(70)]) {
    const count = lexicon.readWord(`… ${word} …`, 2, 2 + word.length)
    const [found, length] = [lexicon.found.slice(0, count), lexicon.length]
    assert.deepEqual([lexicon.read(word), lexicon.length], [count, length])
    assert.deepEqual(lexicon.found.slice(0, count), found)
  }
})
