import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readTranscript } from './family.ts'

const line = (id: string, more: object = {}) =>
  JSON.stringify({
    ...{ type: 'user', uuid: id, sessionId: 'aaaa1111', cwd: '/work', timestamp: '2026-05-05T10:00:00Z' },
    message: { role: 'user', content: [{ type: 'text', text: `this is ${id}` }] },
    ...more,
  })

function told(lines: string[], name = 'aaaa1111') {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-damaged-'))
  try {
    const file = path.join(folder, `${name}.jsonl`)
    fs.writeFileSync(file, lines.join('\n'))
    const found = [...readTranscript({ path: file, growth: 'append' }, undefined)]
    return {
      texts: found.flatMap((each) => ('message' in each ? [each.message.text] : [])),
      problems: found.filter((each) => 'problem' in each).length,
      resumes: found.flatMap((each) => ('chat' in each ? [each.chat.resume] : [])),
    }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

test('a damaged line costs nothing of the lines behind it, and is told', () => {
  const good = line('two')
  for (const damaged of [good.slice(0, -4), `${good.slice(0, 40)}${good}`, `#${good}`, 'no record', '17']) {
    const { texts, problems } = told([line('one'), damaged, line('three'), line('four'), ''])
    assert.deepEqual(
      texts.filter((text) => text !== 'this is two'),
      ['this is one', 'this is three', 'this is four'],
      damaged,
    )
    assert.equal(problems, 1, damaged)
  }
  // What is being written is no damage.
  assert.equal(told([line('one'), good.slice(0, -4)]).problems, 0)
})

test('a name that a shell would run is in no command', () => {
  assert.deepEqual(told([line('one'), '']).resumes.at(-1), 'claude --resume aaaa1111')
  const hostile = told([line('one', { sessionId: 'x;touch PWNED' }), ''], 'x;touch PWNED')
  assert.ok(hostile.texts.length === 1 && !hostile.resumes.some((each) => each?.includes('PWNED')))
})

test('a name that cannot be made a text costs nothing else', () => {
  const call = { type: 'tool_use', id: 't', name: { toString: 1, valueOf: 1 }, input: {} }
  const odd = line('odd', { type: 'assistant', message: { role: 'assistant', content: [call] } })
  assert.deepEqual(told([line('one'), odd, line('three'), '']).texts.filter(Boolean), [
    'this is one',
    'this is three',
  ])
})
