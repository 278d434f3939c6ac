import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { RecollectError } from '../model/errors.ts'
import { openChat } from './current.ts'
import { readable } from './reader.ts'
import { firstRequest } from './requests.ts'
import { claude, codex, vscode } from './test-dialogs.ts'
import { type Bench, bench } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const ONE = 'ffff0000-0000-4000-8000-000000000001'
const TWO = 'ffff0000-0000-4000-8000-000000000002'
const THREE = 'ffff9999-0000-4000-8000-000000000003'

/** Which chat an id opens, or which it may be. */
async function opened(reference: string): Promise<string> {
  try {
    return (await openChat(at, reference)).chat.id
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): string {
  assert.ok(error instanceof RecollectError)
  const { candidates = [] } = error.details ?? {}
  return [error.code, ...(candidates as { id: string }[]).map(({ id }) => id).sort()].join(' ')
}

test('the beginning of several ids names none of them, before a sync and after', async () => {
  claude(at, ONE).says('first of one')
  claude(at, TWO).says('first of two')
  codex(at, THREE).says('first of three')
  for (const synced of [false, true]) {
    if (synced) await at.sync()
    assert.equal(await opened('ffff'), `AMBIGUOUS_ID ${ONE} ${TWO} ${THREE}`)
    assert.equal(await opened('ffff0000'), `AMBIGUOUS_ID ${ONE} ${TWO}`)
    assert.equal(await opened('claude-code:ffff'), `AMBIGUOUS_ID ${ONE} ${TWO}`)
    assert.equal(await opened('codex:ffff'), THREE)
    assert.equal(await opened('ffff9'), THREE)
    assert.equal(await opened(TWO), TWO)
    await assert.rejects(readable(at, 'ffff'), { code: 'AMBIGUOUS_ID' })
    const answer = await firstRequest(at, { sessionId: 'ffff0' })
    const [first, ...lines] = (answer.success ? '' : answer.error).split('\n')
    assert.equal(first, 'ffff0 could be any of 2 chats:')
    assert.deepEqual(lines.sort(), [
      `  claude-code:${ONE}  first of one`,
      `  claude-code:${TWO}  first of two`,
    ])
  }
})

test('what is archived and what is too new for that are told together', async () => {
  const one = claude(at, ONE).says('archived')
  await at.sync()
  assert.equal(await opened('ffff'), ONE)
  one.says('and goes on')
  assert.equal(await opened('ffff'), ONE, 'its own file is no other chat')
  assert.equal((await readable(at, 'ffff')).header.requestCount, 2)
  claude(at, TWO).says('too new')
  assert.equal(await opened('ffff'), `AMBIGUOUS_ID ${ONE} ${TWO}`)
  assert.equal(await opened('ffff0000'), ONE, 'as long as what a search gives: it means what it meant there')
  await assert.rejects(readable(at, 'ffff'), { code: 'AMBIGUOUS_ID' })
  assert.equal(await opened(ONE), ONE)
  assert.equal(await opened(TWO), TWO)
})

test('a whole id is meant where others begin so', async () => {
  claude(at, 'run-1').says('the first')
  claude(at, 'run-10').says('the tenth')
  assert.equal(await opened('run-1'), 'run-1')
  fs.rmSync(path.join(at.home, '.claude/projects/-home-me-shop/run-1.jsonl'))
  await at.sync()
  claude(at, 'run-1').says('the first')
  assert.equal(await opened('run-1'), 'run-1', 'one is archived')
  claude(at, 'run-11').says('the eleventh')
  fs.rmSync(path.join(at.home, '.claude/projects/-home-me-shop/run-1.jsonl'))
  await at.sync()
  claude(at, 'run-1').says('the first')
  assert.equal(await opened('run-1'), 'run-1', 'several are')
  assert.equal((await readable(at, 'run-1')).header.id, 'run-1')
  codex(at, ONE).says('one')
  claude(at, ONE).says('the same id')
  await at.sync()
  claude(at, ONE).says('and goes on')
  assert.equal(await opened(ONE), `AMBIGUOUS_ID ${ONE} ${ONE}`, 'two have it')
})

test('a chat that two files tell of, or that has sub-agents, is one', async () => {
  vscode(at, ONE).says('in the transcript')
  const session = { version: 3, sessionId: ONE, creationDate: Date.now(), requests: [] }
  const folder = path.join(at.home, '.config/Code/User/workspaceStorage/ws/chatSessions')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, `${ONE}.json`), JSON.stringify(session))
  assert.equal(await opened('ffff'), ONE)
  const source = { subagent: { thread_spawn: { parent_thread_id: THREE, depth: 1 } } }
  codex(at, THREE).says('with an agent')
  codex(at, 'ffff9999-0000-4000-8000-000000000004', { source }).says('the prompt of the agent')
  assert.equal(await opened('ffff9'), THREE)
})
