/**
 * Step 2 of 4: strings that say the same in English and another language, as the terms that search
 * knows them by (stems, characters in twos).
 *
 *   node scripts/lexicon/pairs.ts FOLDER [LANGUAGE…]
 *
 * Reads what fetch.ts brought to FOLDER, writes FOLDER/<language>.tok, lines of English terms, a tab
 * and the other's terms, and FOLDER/spellings.tsv, how each English term is usually written.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { scan } from '../../src/model/scan.ts'
import { folded, termsOfRun, termsOfWord } from '../../src/model/terms.ts'
import { LANGUAGES, type Language } from './languages.ts'
import { stringsOf } from './mo.ts'

const [folder = '', ...only] = process.argv.slice(2)
const MOST_TERMS = 30
const MOST_PAIRS = 60
const LONGEST = 600
const spellings = new Map<string, Map<string, number>>()
const files = fs
  .readdirSync(path.join(folder, 'packages'), { recursive: true, encoding: 'utf8' })
  .map((name) => path.join(folder, 'packages', name))
const descriptions = new Map<string, Map<string, string[]>>()
const help = helpTexts('en-us')

for (const language of LANGUAGES) {
  if (only.length > 0 && !only.includes(language.code)) continue
  const lines = new Set<string>()
  const add = (english: string, other: string) => {
    const [a, b] = [cleaned(english), cleaned(other)]
    if (a === b || a.length > LONGEST || b.length > LONGEST) return
    const x = termsOf(a, true)
    const y = termsOf(b, false)
    if (x.length === 0 || y.length === 0 || x.length > MOST_TERMS || y.length > MOST_PAIRS) return
    lines.add(`${x.join(' ')}\t${y.join(' ')}`)
  }
  for (const file of cataloguesOf(language)) for (const [a, b] of stringsOf(file)) add(a, b)
  addDescriptions(language, add)
  addHelp(language, add)
  addDictionary(language, add)
  fs.writeFileSync(path.join(folder, `${language.code}.tok`), [...lines].join('\n'))
  console.log(`${language.code}: ${lines.size} pairs`)
}
if (only.length === 0)
  fs.writeFileSync(path.join(folder, 'spellings.tsv'), [...spellings].map(commonest).join('\n'))

type Add = (english: string, other: string) => void

function cataloguesOf({ catalogues }: Language): string[] {
  return files.filter((file) => {
    const parts = file.split(path.sep)
    return file.endsWith('.mo') && catalogues.some((name) => parts.at(-3) === name || parts.at(-2) === name)
  })
}

/** What Debian's packages are, paragraph by paragraph. */
function addDescriptions({ descriptions: names }: Language, add: Add): void {
  const english = described('en', 'xz')
  for (const name of names)
    for (const [id, paragraphs] of described(name, 'bz2')) {
      const own = english.get(id) ?? []
      if (own.length > 0) add(own[0]!, paragraphs[0]!)
      if (own.length === paragraphs.length)
        for (let i = 1; i < own.length; i++) add(own[i]!.slice(0, LONGEST), paragraphs[i]!.slice(0, LONGEST))
    }
}

function described(name: string, packer: 'xz' | 'bz2'): Map<string, string[]> {
  const before = descriptions.get(name)
  if (before) return before
  const found = new Map<string, string[]>()
  const file = path.join(folder, 'lists', `Translation-${name}.${packer}`)
  if (fs.existsSync(file)) {
    const command = packer === 'xz' ? 'xz' : 'bzip2'
    const text = execFileSync(command, ['-dc', file], { encoding: 'utf8', maxBuffer: 1 << 30 })
    for (const stanza of text.split('\n\n')) {
      const id = /^Description-md5: (\w+)/m.exec(stanza)?.[1]
      const body = /^Description-(?!md5)\w+: (.*(?:\n .*)*)/m.exec(stanza)?.[1]
      if (!id || !body) continue
      const [short = '', ...long] = body.split('\n')
      found.set(id, [
        short,
        ...long
          .map((line) => line.slice(1))
          .join('\n')
          .split(/\n\.\n/),
      ])
    }
  }
  descriptions.set(name, found)
  return found
}

/** LibreOffice's help, where a page has as many paragraphs in both languages. */
function addHelp({ office }: Language, add: Add): void {
  for (const name of office)
    for (const [page, paragraphs] of helpTexts(name)) {
      const english = help.get(page)
      if (english?.length === paragraphs.length)
        for (const [i, text] of english.entries()) add(text, paragraphs[i]!)
    }
}

function helpTexts(name: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const inside = `${path.sep}libreoffice-help-${name}${path.sep}`
  for (const file of files.filter((each) => each.includes(inside) && each.endsWith('.html'))) {
    const page = file.split(`${path.sep}text${path.sep}`)[1]
    if (page === undefined) continue
    const paragraphs = fs.readFileSync(file, 'utf8').matchAll(/<(p|h[1-6])[^>]*>(.*?)<\/\1>/gs)
    found.set(
      page,
      [...paragraphs].map(([, , text]) => cleaned(text!)).filter((text) => text !== ''),
    )
  }
  return found
}

/** FreeDict: a line with the word, and one with what it means. */
function addDictionary({ dictionary }: Language, add: Add): void {
  for (const file of files.filter((each) => each.endsWith(`freedict-eng-${dictionary}.dict.dz`))) {
    let word = ''
    for (const line of zlib.gunzipSync(fs.readFileSync(file)).toString('utf8').split('\n')) {
      if (/^[A-Za-z][^/]*\/.*\//.test(line)) word = line.replace(/\s*\/.*/, '').trim()
      else if (word !== '' && line.trim() !== '') {
        add(word, line.replace(/^\s*\d+\.\s*|<[^>]*>|\([^)]*\)|\[[^\]]*\]/g, ''))
        word = ''
      }
    }
  }
}

function cleaned(text: string): string {
  return text
    .replace(/&(?:amp|lt|gt|quot|nbsp|#\d+);/g, ' ')
    .replace(/<[^>]{1,200}>/g, ' ')
    .replace(/%[0-9$.\-+ ]*[a-zA-Z]|%\d+|\{[^}]{0,40}\}|\$\{?\w+\}?|\\[nt]/g, ' ')
    .replace(/(?<=^|\s|\p{L})[&_](?=\p{L})/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function termsOf(text: string, isEnglish: boolean): string[] {
  const found: string[] = []
  scan(text, {
    word: (start, end) => {
      const word = text.slice(start, end)
      const [term] = termsOfWord(word)
      if (term === undefined || /^[\d.]+$/.test(term) || term.length >= 30) return
      found.push(term)
      if (isEnglish) countSpelling(term, folded(word))
    },
    run: (start, end) => {
      const { pairs, characters } = termsOfRun(text.slice(start, end))
      found.push(...(pairs.length > 0 ? pairs : characters))
    },
  })
  return found
}

function countSpelling(term: string, word: string): void {
  let of = spellings.get(term)
  if (!of) {
    of = new Map()
    spellings.set(term, of)
  }
  of.set(word, (of.get(word) ?? 0) + 1)
}

function commonest([term, words]: [string, Map<string, number>]): string {
  const [[word] = [term]] = [...words].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)
  return `${term}\t${word}`
}
