import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, fenceAfter, headingIn, isRule, itemIn, languageIn, piecesIn, quoteIn } from './markdown.ts'

test('a fence is open until one of its kind, as long and with nothing after it', () => {
  assert.equal(fenceAfter('```ts'), '```')
  assert.equal(fenceAfter('   ~~~~'), '~~~~')
  assert.equal(fenceAfter('    ```'), undefined, 'so far to the right it is code already')
  assert.equal(fenceAfter('```not``` a fence'), undefined)
  for (const inside of ['~~~', '``', '```ts', '````ts', 'text', ''])
    assert.equal(fenceAfter(inside, '```'), '```', inside)
  for (const end of ['```', '`````', '  ``` ', '```\r']) assert.equal(fenceAfter(end, '```'), undefined, end)
  assert.equal(languageIn('``` c++ title="a"'), 'c++')
  assert.equal(languageIn('```'), undefined)
})

test('a fence that was left open is closed', () => {
  assert.equal(closed('a\n````\n```\nb'), 'a\n````\n```\nb\n````')
  assert.equal(closed('```ts\nb\n```'), '```ts\nb\n```')
})

test('lines are what they begin with', () => {
  assert.deepEqual(headingIn('## So it is ##'), { level: 2, text: 'So it is' })
  assert.deepEqual(headingIn('# C#\r'), { level: 1, text: 'C#' })
  assert.equal(headingIn('#hashtag'), undefined)
  assert.ok(isRule('* * *') && isRule('---') && !isRule('--') && !isRule('--- a'))
  assert.equal(quoteIn('> said'), 'said')
  assert.equal(quoteIn('a > b'), undefined)
  assert.deepEqual(itemIn('  12) twelve'), { indent: '  ', mark: '12)', text: 'twelve' })
  assert.deepEqual(itemIn('- [ ] open'), { indent: '', mark: '-', text: '[ ] open' })
  assert.equal(itemIn('-1 is less'), undefined)
})

test('within a line, each sign with its other', () => {
  const seen = (text: string) => piecesIn(text).map(({ as, text: meant, target }) => [as, meant, target])
  assert.deepEqual(seen('a **b** `c*` *d* ~~e~~'), [
    ['text', 'a ', undefined],
    ['strong', 'b', undefined],
    ['text', ' ', undefined],
    ['code', 'c*', undefined],
    ['text', ' ', undefined],
    ['emphasis', 'd', undefined],
    ['text', ' ', undefined],
    ['struck', 'e', undefined],
  ])
  assert.deepEqual(seen('![p](x.png)[l](y "t")'), [
    ['picture', 'p', undefined],
    ['link', 'l', 'y'],
  ])
  assert.deepEqual(seen('2 ** 3 ** 4'), [['text', '2 ** 3 ** 4', undefined]])
  const text = 'See https://example.com/a, *or* `b`'
  assert.equal(writtenAgain(text), text)
})

test('hostile lines are read to their end', () => {
  const long = [' ', '#', '*', '`', '[', '~', '-', '> ', '**a'].map((sign) => sign.repeat(40_000))
  for (const line of long)
    for (const text of [line, `# ${line}x`, `${line}x`]) {
      headingIn(text)
      isRule(text)
      quoteIn(text)
      itemIn(text)
      fenceAfter(text)
      assert.equal(writtenAgain(text), text)
    }
})

function writtenAgain(text: string): string {
  return piecesIn(text)
    .map(({ raw }) => raw)
    .join('')
}
