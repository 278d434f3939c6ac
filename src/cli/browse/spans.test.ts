import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edited, type Field, fieldOf, window } from './field.ts'
import { markdown } from './markdown.ts'
import { plain } from './plain.ts'
import { apart, cut, marked, span, textOf, widthOf, wrapped } from './spans.ts'

const texts = [
  'A plain sentence with some words in it',
  'averyveryverylongwordwithoutanyspaceinit and more',
  '宽字符的每一行都要对齐，包括 English 单词 and 标点。',
  'emoji 🎉🎉🎉 between words 🎉',
  '    indented code with   inner   spaces',
  'path/to/some/deeply/nested/file/in/a/folder.ts',
  '',
]

for (const text of texts) {
  for (const columns of [1, 2, 7, 20, 80]) {
    test(`"${text.slice(0, 20)}" in ${columns} columns loses nothing and fits`, () => {
      const lines = wrapped([span(text)], columns)
      for (const line of lines) assert.ok(widthOf(line) <= Math.max(columns, 2), textOf(line))
      const together = lines.map(textOf).join('')
      assert.equal(together.replaceAll(' ', ''), text.replaceAll(' ', ''))
      assert.ok(widthOf(cut([span(text)], columns)) <= columns)
    })
  }
}

test('words stay whole where they can', () => {
  assert.deepEqual(wrapped([span('one two three')], 8).map(textOf), ['one two', 'three'])
})

test('marks keep their place across spans', () => {
  const line = marked([span('dead', 'strong'), span('lock here')], [[2, 8]], 'hit')
  assert.deepEqual(line, [span('de', 'strong'), span('ad', 'hit'), span('lock', 'hit'), span(' here')])
})

test('two ends share the columns, and the left one gives way', () => {
  assert.equal(textOf(apart([span('left')], [span('right')], 12)), 'left   right')
  assert.equal(textOf(apart([span('a long left end')], [span('right')], 12)), 'a lo…  right')
})

const hostile: [name: string, text: string, expected: string][] = [
  ['a title', 'a\u001b]0;owned\u0007b', 'ab'],
  ['cursor moves', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['the 8-bit forms', 'a\u009b31mb\u009d0;t\u009cc', 'abc'],
  ['an escape that never ends', 'a\u001b]52;c;AAAA', 'a'],
  ['control characters', 'a\r\b\u0000\u007fb', 'ab'],
  ['direction overrides', 'a\u202eb\u2066c', 'abc'],
  ['hidden characters', 'a\u200b\u2060\u{e0041}\ufeffb', 'ab'],
  ['half a character', 'a\ud83db', 'a\ufffdb'],
  ['tabs', 'a\tb', 'a    b'],
  ['joined emoji', '👩‍💻👍🏽❤️', '👩👍❤'],
]

for (const [name, text, expected] of hostile) {
  test(`${name} in a chat cannot reach the terminal`, () => assert.equal(plain(text), expected))
}

test('Markdown becomes what one reads, and other text stays', () => {
  const source = '# Head\n\n\n- **bold** `code`\n  2. two\n> said\n```ts\n# no head\n```\n2 * 3 * 4 ** 5'
  const lines = [...markdown(source)].map(({ line, first = '' }) => first + textOf(line))
  assert.deepEqual(lines, [
    'Head',
    '',
    '• bold `code`',
    '  2. two',
    '▏ said',
    '│ # no head',
    '2 * 3 * 4 ** 5',
  ])
})

test('a fence inside a longer fence does not end it', () => {
  const lines = [...markdown('````\n```\ninner\n```\n````\nafter')].map(({ first = '' }) => first)
  assert.deepEqual(lines, ['│ ', '│ ', '│ ', ''])
})

const edits: [from: Field, edit: Parameters<typeof edited>[1], to: Field][] = [
  [fieldOf('ab'), { insert: 'c' }, { text: 'abc', cursor: 3 }],
  [{ text: 'ab', cursor: 1 }, { insert: '👩‍💻' }, { text: 'a👩‍💻b', cursor: 2 }],
  [fieldOf('a👩‍💻'), { erase: 'before' }, { text: 'a', cursor: 1 }],
  [{ text: 'ab', cursor: 0 }, { erase: 'after' }, { text: 'b', cursor: 0 }],
  [fieldOf('two words  '), { erase: 'word' }, { text: 'two ', cursor: 4 }],
  [{ text: 'two words', cursor: 4 }, { erase: 'to start' }, { text: 'words', cursor: 0 }],
  [{ text: 'two words', cursor: 4 }, { erase: 'to end' }, { text: 'two ', cursor: 4 }],
  [fieldOf('two words'), { go: 'word left' }, { text: 'two words', cursor: 4 }],
  [{ text: 'two words', cursor: 0 }, { go: 'word right' }, { text: 'two words', cursor: 3 }],
  [{ text: 'ab', cursor: 0 }, { go: 'left' }, { text: 'ab', cursor: 0 }],
]

for (const [from, edit, to] of edits) {
  test(`"${from.text}" at ${from.cursor}: ${JSON.stringify(edit)}`, () => {
    assert.deepEqual(edited(from, edit), to)
  })
}

test('of a long field the part with the cursor is seen', () => {
  assert.deepEqual(window(fieldOf('abcdefgh'), 5), { text: 'efgh', column: 4 })
  assert.deepEqual(window({ text: 'abcdefgh', cursor: 0 }, 5), { text: 'abcd', column: 0 })
  assert.deepEqual(window(fieldOf('宽字符'), 5), { text: '字符', column: 4 })
})
