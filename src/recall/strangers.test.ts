import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { A, B, call, claude, gemini, NONE, qwen, started, taken } from './test-dialogs.ts'
import { type Bench, bench } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

describe('a client that is not known', () => {
  const stranger = () => ({ ...started(), call: call() })

  test('is given no dialog of an assistant, whatever is open in it', async () => {
    claude(at, A).says('said to Claude Code').calls('toolu_a')
    qwen(at, B, '/home/me/other').says('said to Qwen Code').calls('call_b')
    assert.equal(await taken(at, stranger()), `${NONE} ${A}`)
    assert.equal(await taken(at, { call: call() }), `${NONE} ${A}`, 'over HTTP')
    assert.equal(await taken(at, started()), `${NONE} ${A}`, 'a resource is read')
    assert.equal(await taken(at, { ...stranger(), workspace: '/home/me/third' }), NONE)
  })

  test('that names its call or its dialog has the one that it names', async () => {
    claude(at, A).says('first of a').calls('toolu_a')
    gemini(at, B).says('first of b').waits()
    const named = { ...stranger(), call: call({ id: 'toolu_a' }) }
    assert.equal(await taken(at, named), `${A} exact: the call's id is in its file`)
    const lost = { ...stranger(), call: call({ id: 'toolu_lost' }) }
    assert.equal(await taken(at, lost), `${NONE} ${A} ${B}`)
    const exact = 'exact: named by the client with the call'
    assert.equal(await taken(at, { ...stranger(), sessionId: B }), `${B} ${exact}`)
  })
})

test('to a person at a terminal the current chat is the only active one of the folder', async () => {
  claude(at, A).says('first of a')
  assert.equal(await taken(at, {}), `${A} medium: the only active chat here`)
  qwen(at, B).says('first of b')
  assert.equal(await taken(at, {}), `${NONE} ${A} ${B}`)
})
