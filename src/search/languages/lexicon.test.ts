import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lexicon } from './lexicon.ts'

test('words that stand for an English one are all found, the likeliest first', () => {
  const table = lexicon()
  const { spellings, languages } = table.all()
  const some = [...spellings.keys()].filter((_, i) => i % 200 === 0)
  for (const language of ['ru', 'ko']) {
    const found = table.fromEnglish(language, some)
    for (const term of some) {
      const all = languages
        .get(language)!
        .flatMap((entry) =>
          entry.english
            .filter((each) => each.term === term)
            .map(({ share }) => ({ term: entry.term, share })),
        )
        .sort((a, b) => b.share - a.share)
      assert.deepEqual(found.get(term), all.slice(0, 12), `${language} ${term}`)
    }
  }
  assert.deepEqual(table.fromEnglish('ru', ['nosuchword']), new Map([['nosuchword', []]]))
  assert.deepEqual(table.fromEnglish('xx', [some[0]!]), new Map([[some[0], []]]))
})
