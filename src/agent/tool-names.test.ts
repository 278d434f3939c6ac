import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../sources/mutations.ts'
import { offeredNames } from './tool-names.ts'

test('a tool keeps its name where no other has it; else all bear the name of their server', () => {
  const tools = [
    { server: 'a', tool: 'read' },
    { server: 'b', tool: 'read' },
    { server: 'b', tool: 'write' },
  ]
  assert.deepEqual(offeredNames(tools), ['a__read', 'b__read', 'write'])
  assert.deepEqual(offeredNames(tools.toReversed()), ['write', 'b__read', 'a__read'])
})

test('names that no provider would take are made fit, and stay apart', () => {
  const names = offeredNames([
    { server: 'a', tool: 'files.read' },
    { server: 'a', tool: 'files/read' },
    { server: 'a', tool: `${'x'.repeat(80)}1` },
    { server: 'a', tool: `${'x'.repeat(80)}2` },
    { server: 'a', tool: '' },
  ])
  assert.equal(new Set(names).size, 5)
  for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/)
})

test('whatever the servers call their tools, every name is fit and stands for one of them', () => {
  const random = randomFrom(7)
  const letters = 'ab_.-/ü_'
  const word = () =>
    Array.from({ length: Math.floor(random() * 5) }, () => letters[Math.floor(random() * 8)]).join('')
  for (let round = 0; round < 300; round++) {
    const tools = Array.from({ length: 12 }, () => ({ server: `s${Math.floor(random() * 3)}`, tool: word() }))
    const names = offeredNames(tools)
    assert.equal(new Set(names).size, tools.length)
    for (const name of names) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/)
  }
})
