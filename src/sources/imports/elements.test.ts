import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { randomFrom } from '../mutations.ts'
import { elementsOf } from './elements.ts'
import { recognise } from './index.ts'
import { tempFolder } from './test-files.ts'

const folder = tempFolder()
const file = path.join(folder, 'x.json')

function elements(text: string | Buffer) {
  fs.writeFileSync(file, text)
  return [...elementsOf(file)]
}

test('what a file holds', () => {
  const table: [text: string, values: unknown[], problems: string[]][] = [
    ['[]', [], []],
    ['[{"a":1},{"b":[2]}]', [{ a: 1 }, { b: [2] }], []],
    [
      '\ufeff \n[ 1 ,"two" , null,[3],{"four":"}]\\"\\\\"} ] trailing',
      [1, 'two', null, [3], { four: '}]"\\' }],
      [],
    ],
    ['[{"a":1},{"b":', [{ a: 1 }], ['the file ends before its list does']],
    ['[{"a":1}', [{ a: 1 }], ['the file ends before its list does']],
    ['[{"a":1},{"b" 2},{"c":3}]', [{ a: 1 }, { c: 3 }], ['not valid JSON']],
    ['{"whole":\n"object"}', [{ whole: 'object' }], []],
    ['{"half":', [], ['not valid JSON']],
    ['{"recollect":1}\n{"a":1}\n\n{"b":2}\n', [{ recollect: 1 }, { a: 1 }, { b: 2 }], []],
    ['{"recollect":1}\n{"a":1}\n{"b":', [{ recollect: 1 }, { a: 1 }], ['the file ends within a line']],
    ['{"recollect":1}\n{"a":1}', [{ recollect: 1 }, { a: 1 }], []],
    ['', [], []],
    ['no JSON', [], []],
    ['\0\0\0', [], []],
  ]
  for (const [text, values, problems] of table) {
    const found = elements(text)
    assert.deepEqual(
      found.filter(({ problem }) => !problem).map(({ value }) => value),
      values,
      text,
    )
    assert.deepEqual(
      found.flatMap(({ problem }) => problem?.reason ?? []),
      problems,
      text,
    )
  }
})

test('any array is split as JSON.parse reads it, wherever a chunk ends', () => {
  const random = randomFrom(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const text = () =>
    ['"', '\\', '}', ']', ',', 'ü', '😀', 'plain '].map((part) => part.repeat(below(4))).join('')
  const value = (depth: number): unknown => {
    const kind = below(depth > 4 ? 4 : 7)
    if (kind === 4) return Array.from({ length: below(4) }, () => value(depth + 1))
    if (kind > 4)
      return Object.fromEntries(Array.from({ length: below(4) }, () => [text(), value(depth + 1)]))
    return [below(1e6) / 7, text(), null, true][kind]
  }
  for (let round = 0; round < 30; round++) {
    const list = Array.from({ length: below(20) }, () => value(0))
    // Long texts move the elements over the edges of the chunks of 1 MB.
    if (round % 10 === 0) list.splice(below(list.length), 0, text() + 'x y'.repeat(400_000 + below(9)))
    const found = elements(JSON.stringify(list, undefined, below(2)))
    assert.deepEqual(
      found.map((element) => element.value),
      list,
    )
  }
})

test('base64 is left out of an element, and one that is too long is passed over', () => {
  const image = `data:image/png;base64,${'iVBORw0KGgo'.repeat(2_000_000)}`
  const found = elements(
    `[{"image":"${image}","after":1},${`{"t":"${'a b '.repeat(18_000_000)}"}`},{"next":2}]`,
  )
  assert.equal((found[0]!.value as { after: number }).after, 1)
  assert.ok((found[0]!.value as { image: string }).image.length < 20_000)
  assert.equal(found[1]!.problem?.reason, 'longer than 64 MB')
  assert.deepEqual(found[2]!.value, { next: 2 })
})

test('a long array is read with flat memory', () => {
  const big = path.join(folder, 'conversations.json')
  const fd = fs.openSync(big, 'w')
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
  const chats = 6_000
  for (let index = 0; index < chats; index++) {
    const message = {
      author: { role: 'user' },
      content: { content_type: 'text', parts: [`${index} ${text}`] },
    }
    const mapping = { [`m${index}`]: { parent: null, children: [], message } }
    const chat = { conversation_id: `c${index}`, current_node: `m${index}`, mapping, padding: text }
    fs.writeSync(fd, `${index === 0 ? '[' : ','}${JSON.stringify(chat)}`)
  }
  fs.writeSync(fd, ']')
  fs.closeSync(fd)
  assert.ok(fs.statSync(big).size > 50_000_000)
  const before = process.memoryUsage().rss
  let most = before
  let seen = 0
  for (const item of recognise({ path: big, name: 'conversations.json' }).kind ? readAll(big) : []) {
    if ('message' in item) seen++
    if (seen % 200 === 0) most = Math.max(most, process.memoryUsage().rss)
  }
  assert.equal(seen, chats)
  assert.ok(most - before < 150_000_000, `${(most - before) / 1e6} MB more`)
})

function readAll(big: string) {
  const recognised = recognise({ path: big, name: 'conversations.json' })
  return recognised.kind ? recognised.found : []
}
