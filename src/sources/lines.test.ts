import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { jsonLines, MAX_LINE_BYTES, readJson, withoutBase64 } from './lines.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-lines-'))
after(() => fs.rmSync(folder, { recursive: true }))

function fileOf(content: string | Buffer): string {
  const file = path.join(folder, `${Math.random().toString(36).slice(2)}.jsonl`)
  fs.writeFileSync(file, content)
  return file
}

const cases: { name: string; content: string | Buffer; values: unknown[]; problems?: number }[] = [
  { name: 'plain lines', content: '{"a":1}\n{"a":2}\n', values: [{ a: 1 }, { a: 2 }] },
  {
    name: 'a last line that is whole but has no newline',
    content: '{"a":1}\n{"a":2}',
    values: [{ a: 1 }, { a: 2 }],
  },
  { name: 'a last line that is cut', content: '{"a":1}\n{"a":', values: [{ a: 1 }] },
  { name: 'a byte order mark', content: '\ufeff{"a":1}\n', values: [{ a: 1 }] },
  { name: 'CRLF and empty lines', content: '{"a":1}\r\n\r\n\n{"a":2}\r\n', values: [{ a: 1 }, { a: 2 }] },
  { name: 'NUL padding before a line', content: '\0\0\0{"a":1}\n\0\0\n', values: [{ a: 1 }] },
  {
    name: 'a bad line between good ones',
    content: '{"a":1}\n{oops}\n{"a":2}\n',
    values: [{ a: 1 }, { a: 2 }],
    problems: 1,
  },
  {
    name: 'invalid UTF-8',
    content: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
    values: [{ a: '\ufffd\ufffd' }],
  },
  { name: 'an empty file', content: '', values: [] },
  {
    name: 'two records in one line',
    content: '{"a":1}{"a":2}\n{"a":3}\n',
    values: [{ a: 1 }, { a: 2 }, { a: 3 }],
  },
  {
    name: 'a record behind half of another',
    content: '{"type":"x","text":"it was ki{"type":"y","a":{"b":1}}\n{"a":3}\n',
    values: [{ type: 'y', a: { b: 1 } }, { a: 3 }],
    problems: 1,
  },
  {
    name: 'half a record behind a whole one',
    content: '{"a":1}{"a":\n{"a":3}\n',
    values: [{ a: 1 }, { a: 3 }],
    problems: 1,
  },
  { name: 'a control character in a text', content: '{"a":"x\u0001y\0"}\n', values: [{ a: 'x y ' }] },
  {
    name: 'a damaged byte between values',
    content: Buffer.concat([Buffer.from('{"a":1,'), Buffer.from([0xff]), Buffer.from('"b":2}\n')]),
    values: [{ a: 1, b: 2 }],
  },
]

for (const { name, content, values, problems = 0 } of cases) {
  test(`reads ${name}`, () => {
    const lines = [...jsonLines(fileOf(content))]
    assert.deepEqual(
      lines.filter((line) => !line.problem).map((line) => line.value),
      values,
    )
    assert.equal(lines.filter((line) => line.problem).length, problems)
  })
}

test('tells where each line begins and ends, so that reading can go on there', () => {
  const file = fileOf('{"a":1}\nbad\n{"a":"é"}\n')
  const lines = [...jsonLines(file)]
  assert.deepEqual(
    lines.map(({ offset, end }) => [offset, end]),
    [
      [0, 8],
      [8, 12],
      [12, 23],
    ],
  )
  assert.deepEqual(
    [...jsonLines(file, { from: 12 })].map((line) => line.value),
    [{ a: 'é' }],
  )
})

test('goes on in the middle of a line where a record was written behind another', () => {
  const content = '{"a":1}{"a":2}\n{"a":3}\n'
  const whole = [...jsonLines(fileOf(content))].map(({ offset, value }) => [offset, value])
  const [first] = [...jsonLines(fileOf(content.slice(0, 7)))]
  assert.equal(first!.end, 7)
  const rest = [...jsonLines(fileOf(content), { from: 7 })].map(({ offset, value }) => [offset, value])
  assert.deepEqual([[first!.offset, first!.value], ...rest], whole)
})

test('a record behind one that nobody wants is read', () => {
  const file = fileOf('{"type":"noise"}{"a":1}\n')
  const lines = [...jsonLines(file, { skip: (line) => line.indexOf('"type":"noise"') === 1 })]
  assert.deepEqual(
    lines.map((line) => line.value),
    [{ a: 1 }],
  )
})

test('an image is read whole', () => {
  const data = 'iVBORw0KGgoAAAANSUhEUg=='.repeat(200_000)
  const [line] = [...jsonLines(fileOf(`{"data":"${data}"}\n`))]
  assert.equal((line!.value as { data: string }).data, data)
})

test('offsets hold across lines larger than the buffer', () => {
  const long = JSON.stringify({ a: 'word '.repeat(600_000) })
  const file = fileOf(`{"a":1}\n${long}\n{"a":2}\n`)
  const lines = [...jsonLines(file)]
  assert.equal(lines.length, 3)
  assert.equal(lines[2]!.offset, 8 + long.length + 1)
  assert.deepEqual(lines[2]!.value, { a: 2 })
})

test('base64 of 100 MB in a line is left out, reported, and the rest of the line is read, in bounded memory', () => {
  const file = path.join(folder, 'image.jsonl')
  const out = fs.openSync(file, 'w')
  fs.writeSync(out, '{"before":1,"data":"')
  const chunk = Buffer.alloc(1024 * 1024, 'iVBORw0KGgoAAAANSUhEUg==')
  for (let i = 0; i < 100; i++) fs.writeSync(out, chunk)
  fs.writeSync(out, '","after":2}\n{"next":3}\n')
  fs.closeSync(out)
  const before = process.memoryUsage().rss
  const lines = [...jsonLines(file)]
  const grown = process.memoryUsage().rss - before
  assert.match(lines[0]!.problem!.reason, /longer than 64 MB: \d+ bytes of base64 were left out/)
  const value = lines[1]!.value as { before: number; data: string; after: number }
  assert.equal(value.before, 1)
  assert.equal(value.after, 2)
  assert.match(value.data, /bytes of base64 left out/)
  assert.ok(value.data.length < 20_000)
  assert.deepEqual(lines[2]!.value, { next: 3 })
  assert.ok(grown < 256 * 1024 * 1024, `memory grew by ${grown >> 20} MB`)
})

test('a line of 100 MB of text is skipped and reported, and the next one is read', () => {
  const file = path.join(folder, 'huge.jsonl')
  const out = fs.openSync(file, 'w')
  fs.writeSync(out, '{"a":"')
  const chunk = Buffer.alloc(1024 * 1024, 'some words here ')
  for (let i = 0; i < 100; i++) fs.writeSync(out, chunk)
  fs.writeSync(out, '"}\n{"next":3}\n')
  fs.closeSync(out)
  const lines = [...jsonLines(file)]
  assert.match(lines[0]!.problem!.reason, /longer than 64 MB/)
  assert.equal(lines[0]!.problem!.offset, 0)
  assert.deepEqual(lines[1]!.value, { next: 3 })
  assert.equal(MAX_LINE_BYTES, 64 * 1024 * 1024)
})

test('a line nested a million deep does not overflow the stack', () => {
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  const lines = [...jsonLines(fileOf(`${deep}\n{"a":1}\n`))]
  assert.deepEqual(lines.at(-1)!.value, { a: 1 })
})

test('lines nobody wants are not parsed', () => {
  const file = fileOf('{"type":"noise" this is not JSON}\n{"a":1}\n')
  const lines = [...jsonLines(file, { skip: (line) => line.indexOf('"type":"noise"') === 1 })]
  assert.deepEqual(
    lines.map((line) => line.value),
    [{ a: 1 }],
  )
})

test('base64 is cut so that the JSON around it stays whole', () => {
  const data = 'A'.repeat(10_000)
  for (const before of ['', '\\n', '\\u0041', 'x '.repeat(3000)]) {
    const json = Buffer.from(`{"a":"${before}${data}","b":"${data}","c":1}`)
    const value = JSON.parse(withoutBase64(json).toString())
    assert.equal(value.c, 1)
    assert.ok(value.a.length < 200 + before.length)
    assert.match(value.b, /^A+\.\.\.\[9976 bytes of base64 left out\]$/)
  }
})

test('a whole document that is empty, cut or not JSON says so', () => {
  assert.throws(() => readJson(fileOf('')), /empty file/)
  assert.throws(() => readJson(fileOf('{"a":')), /not valid JSON/)
  assert.deepEqual(readJson(fileOf('\ufeff{"a":1}\0\0')), { a: 1 })
})

test('a pipe is no document: reading from it would never end', { skip: process.platform === 'win32' }, () => {
  const pipe = path.join(folder, 'pipe.json')
  execFileSync('mkfifo', [pipe])
  assert.throws(() => readJson(pipe), /not a file/)
})
