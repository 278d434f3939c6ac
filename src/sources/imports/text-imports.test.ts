import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { csvRows } from './csv.ts'
import { textOfHtml } from './html.ts'
import { mayHoldChats } from './import-file.ts'
import { recognise } from './index.ts'
import { FIXTURES, line, readImport, tempFolder } from './test-files.ts'

const EXPECTED: Record<string, { kind: string; chats: Record<string, string[]> }> = {
  'grok.json': {
    kind: 'grok',
    chats: {
      'g-1': [
        'request: A name for a grey cat? [file f-1]',
        '~answer: Ash. (Grey things.)',
        'answer: Pebble.',
      ],
      'g-2': ['request: Hi', 'answer: Hello!'],
    },
  },
  'specstory.md': {
    kind: 'specstory',
    chats: {
      '5c7d0000-0000-4000-8000-000000000001': [
        'request: Fix the slow test⏎⏎It is in the cart.',
        "answer: I'll run it first. (Which one is slow?)",
        'answer:  Bash!undefined 2:0=`npm test`\n\n```text\n1 slow\n```',
        'request: Thanks',
        'answer: Nothing left to do.',
      ],
    },
  },
}

const said = (file: string) => {
  const { kind, messages } = readImport(path.join(FIXTURES, file))
  return { kind, chats: Object.values(messages).map((list) => list.map(line)) }
}

describe('exports that are told apart by their own words', () => {
  for (const name of ['grok.json', 'specstory.md'])
    test(name, () => {
      const { kind, chats } = EXPECTED[name]!
      assert.deepEqual(said(name), { kind, chats: Object.values(chats) })
    })

  test('Microsoft Copilot: the newest row comes first, and the person speaks before the answer', () => {
    assert.deepEqual(said('microsoft-copilot.csv'), {
      kind: 'microsoft-copilot',
      chats: [
        [
          'request: What goes into a soup?',
          'answer: Leeks.',
          'request: And⏎herbs?',
          'answer: Yes, with "dill".',
        ],
        ['request: How long does bread bake?'],
      ],
    })
    const { chats, messages } = readImport(path.join(FIXTURES, 'microsoft-copilot.csv'))
    assert.deepEqual([chats[0]!.title, chats[0]!.createdAt], ['Soup, warm', Date.UTC(2026, 1, 3, 12)])
    assert.equal(messages[chats[0]!.id]![1]!.createdAt, Date.UTC(2026, 1, 3, 12, 0, 5))
  })

  test('Gemini: one request each, as JSON and as a page the same', () => {
    const json = readImport(path.join(FIXTURES, 'gemini.json'), 'MyActivity.json')
    const page = readImport(path.join(FIXTURES, 'gemini.html'), 'MyActivity.html')
    assert.deepEqual([json.kind, page.kind], ['gemini', 'gemini'])
    assert.deepEqual(json.problems, [])
    const lines = (reading: typeof json) => Object.values(reading.messages).map((list) => list.map(line))
    assert.deepEqual(lines(json), [
      ['request: When do storks leave?', 'answer: In August & September.⏎⏎- Young ones first'],
      ['request: And swifts?'],
    ])
    assert.deepEqual(lines(page), [
      ['request: When do storks leave?', 'answer: In August & September.'],
      ['request: Swifts⏎and swallows?'],
    ])
    assert.equal(json.chats[0]!.id, page.chats[0]!.id)
    assert.equal(page.chats[1]!.createdAt, Date.UTC(2026, 3, 4, 8))
  })

  test('Cursor and Cline: what people share', () => {
    assert.deepEqual(said('cursor.md'), {
      kind: 'cursor',
      chats: [
        [
          'request: Why is the page slow?',
          'answer: It loads every image.',
          'request: Then load them late',
          'answer: Done.',
        ],
      ],
    })
    assert.equal(readImport(path.join(FIXTURES, 'cursor.md')).chats[0]!.title, 'A slow page')
    assert.deepEqual(said('cline.md'), {
      kind: 'cline',
      chats: [
        [
          'request: Add a dark theme',
          'answer: <read_file>⏎<path>src/theme.ts</path>⏎</read_file>',
          'tool:  =export const theme = {}',
          'answer: The theme is dark now.',
        ],
      ],
    })
  })
})

test('a history of SpecStory says which repository it lies in', () => {
  const folder = path.join(tempFolder(), 'shop', '.specstory', 'history')
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, '2026-07-13_13-40-49Z-fix-the-test.md')
  fs.copyFileSync(path.join(FIXTURES, 'specstory.md'), file)
  const { chats } = readImport(file)
  assert.deepEqual(chats, [
    {
      source: 'specstory',
      id: '5c7d0000-0000-4000-8000-000000000001',
      workspace: path.resolve(folder, '../..'),
      createdAt: Date.UTC(2026, 6, 13, 13, 40, 49),
      format: 'Claude Code',
    },
  ])
})

test('keys and bills beside the chats of Grok are not opened, and other Markdown is nothing', () => {
  for (const name of ['prod-mc-auth-mgmt-api.json', 'prod-mc-billing.json'])
    assert.equal(mayHoldChats(name, true), false)
  assert.equal(mayHoldChats('README.md'), false)
  assert.ok(mayHoldChats('2026-07-13_13-40Z-a-test.md'))
  assert.ok(mayHoldChats('copilot-activity-history.csv') && mayHoldChats('MyActivity.html'))
  const file = path.join(tempFolder(), 'README.md')
  for (const text of [
    '# Shop\n\n**User:**\n\nhello',
    'a,b,c\n1,2,3',
    '<html><body>Gemini</body></html>',
    '',
  ]) {
    fs.writeFileSync(file, text)
    assert.equal(recognise({ path: file, name: 'README.md' }).kind, undefined, text)
  }
})

test('rows of a table', () => {
  assert.deepEqual(
    [...csvRows('a,"b ""c"" d",\r\n"x\ny",,z')],
    [
      ['a', 'b "c" d', ''],
      ['x\ny', '', 'z'],
    ],
  )
  assert.deepEqual([...csvRows('"never ends')], [['never ends']])
})

test('words of a page', () => {
  assert.equal(
    textOfHtml('<p>1 &lt; 2</p><script>x</script><p>a&#39;b &#x1F600; &none;</p>'),
    "1 < 2\n\na'b 😀 &none;",
  )
})
