/**
 * Step 4 of 4: writes the lexicon that search looks up, from the tables that `align.ts` made.
 *
 *   node scripts/lexicon/pack.ts FOLDER [data/lexicon.bin]
 *   node scripts/lexicon/pack.ts --again [data/lexicon.bin]
 *
 * A line of FOLDER/<language>.lex: English term, its spelling, other term, p(english | other),
 * p(other | english), how often each of the two was met. src/search/languages/lexicon.ts reads it.
 * --again puts the words of developers.tsv into the lexicon that is there, without the tables.
 */
import fs from 'node:fs'
import path from 'node:path'
import { openLexicon } from '../../src/search/languages/lexicon.ts'
import { addDevelopersWords, readEntries } from './choose.ts'
import { type Words, writeLexicon } from './write.ts'

const [folder = '', to = path.join(import.meta.dirname, '..', '..', 'data', 'lexicon.bin')] =
  process.argv.slice(2)
writeLexicon(to, folder === '--again' ? again(to) : readEntries(folder))

function again(file: string): Words {
  const { spellings, languages } = openLexicon(fs.readFileSync(file)).all()
  const words: Words = { spellings, languages: new Map() }
  for (const [code, entries] of languages) {
    const list = entries.map(({ term, english }) => ({ term, english, times: 0 }))
    addDevelopersWords(code, list, spellings)
    words.languages.set(code, list)
  }
  return words
}
