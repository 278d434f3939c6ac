import assert from 'node:assert/strict'
import { test } from 'node:test'
import { focusOf } from '../../src/model/focus.ts'
import { ansiPieces, withoutAnsi } from '../../web/src/ui/ansi.ts'

const ESC = '\u001b'

test("a terminal's colours become classes, and nothing of its codes is left", () => {
  const cases: [text: string, pieces: [string, string?][]][] = [
    ['plain', [['plain', undefined]]],
    [
      `${ESC}[31mred${ESC}[0m no`,
      [
        ['red', 'ansi-red'],
        [' no', undefined],
      ],
    ],
    [
      `${ESC}[1;92mbold${ESC}[22m not${ESC}[39m`,
      [
        ['bold', 'ansi-green ansi-bold'],
        [' not', 'ansi-green'],
      ],
    ],
    [`${ESC}[38;5;196mred${ESC}[m`, [['red', 'ansi-red']]],
    [`${ESC}[38;2;20;20;250mblue`, [['blue', 'ansi-blue']]],
    [
      `${ESC}[41mon red${ESC}[7m swapped`,
      [
        ['on red', 'ansi-on-red'],
        [' swapped', 'ansi-red ansi-on-white'],
      ],
    ],
    [`${ESC}]8;;https://x.example${ESC}\\link${ESC}]8;;${ESC}\\`, [['link', undefined]]],
    [`${ESC}[2K${ESC}[1Gdone`, [['done', undefined]]],
    ['10 %\r50 %\r100 %\nnext\r\n', [['100 %\nnext\n', undefined]]],
    [`${ESC}[`, [[`${ESC}[`, undefined]]],
  ]
  for (const [text, pieces] of cases) assert.deepEqual(ansiPieces(text), pieces, JSON.stringify(text))
  assert.equal(withoutAnsi(`${ESC}[31m+a${ESC}[m`), '+a')
})

test('of a chat what was asked and finally answered is left', () => {
  const of = (kinds: string) => {
    const names: Record<string, string> = { r: 'request', a: 'answer', t: 'tool', d: 'delegated' }
    return focusOf([...kinds].map((kind, index) => ({ index, kind: names[kind]! })))
  }
  assert.deepEqual(of('rataara'), [0, 4, 5, 6])
  assert.deepEqual(of('rrta'), [0, 1, 3])
  assert.deepEqual(of('datt'), [0, 1])
  assert.deepEqual(of('aar'), [1, 2])
  assert.deepEqual(of(''), [])
})
