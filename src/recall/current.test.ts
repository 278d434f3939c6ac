import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { RecollectError } from '../model/errors.ts'
import { redactJson } from '../platform/redact.ts'
import { CHILD, made, PARENT, SESSION } from '../sources/opencode/test-database.ts'
import { openChat } from './current.ts'
import { firstRequest, oneRequest } from './requests.ts'
import {
  A,
  B,
  call,
  claude,
  codex,
  copilot,
  gemini,
  NONE,
  qwen,
  SHOP,
  started,
  taken,
  vscode,
} from './test-dialogs.ts'
import { type Bench, bench } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const C = 'cccccccc-3333-4333-8333-333333333333'

describe('Claude Code', () => {
  const by = (more: object = {}) => ({ assistant: 'claude-code', ...more })
  const BY_ID = "exact: the call's id is in its file"
  const BY_WORDS = 'high: the only chat with this call open'

  test('of two dialogs that make the same call at once each gets its own', async () => {
    claude(at, A).says('first of a').calls('toolu_a')
    claude(at, B).says('first of b').calls('toolu_b')
    for (const synced of [false, true]) {
      if (synced) await at.sync()
      assert.equal(await taken(at, by({ call: call({ id: 'toolu_a' }) })), `${A} ${BY_ID}`)
      assert.equal(await taken(at, by({ call: call({ id: 'toolu_b' }) })), `${B} ${BY_ID}`)
      assert.equal(await taken(at, by({ call: call() })), `${NONE} ${A} ${B}`, 'no id, same words')
    }
  })

  test('a version that does not name the call is found by its words', async () => {
    claude(at, A).says('first of a').calls('toolu_a', { index: 1 })
    claude(at, B).says('first of b').calls('toolu_b').hears('toolu_b').calls('toolu_c', { index: 7 })
    assert.equal(await taken(at, by({ call: call({ args: { index: 1 } }) })), `${A} ${BY_WORDS}`)
    assert.equal(await taken(at, by({ call: call({ args: { index: 7 } }) })), `${B} ${BY_WORDS}`)
    assert.equal(await taken(at, by({ call: call() })), `${NONE} ${A} ${B}`, 'answered already')
  })

  test('a dialog that was killed in the middle of a call does not stand in the way', async () => {
    claude(at, A).says('killed').calls('toolu_a', undefined, 60_000)
    claude(at, B).says('first of b').calls('toolu_b')
    assert.equal(await taken(at, by({ call: call() })), `${B} ${BY_WORDS}`)
  })

  test('a call that is written down a moment later is waited for', async () => {
    claude(at, A).says('first of a')
    const b = claude(at, B).says('first of b')
    setTimeout(() => b.calls('toolu_b'), 100)
    assert.equal(await taken(at, by({ call: call({ id: 'toolu_b' }) })), `${B} ${BY_ID}`)
  })

  test('after /clear the dialog that the server was started for is not taken', async () => {
    const env = { CLAUDE_CODE_SESSION_ID: A }
    claude(at, A).says('before the clear')
    const after = claude(at, B).says('after it')
    const caller = by(started())
    assert.equal(await taken(at, caller, env), `${NONE} ${A} ${B}`, 'nothing tells')
    after.calls('toolu_b')
    assert.equal(await taken(at, { ...caller, call: call({ id: 'toolu_b' }) }, env), `${B} ${BY_ID}`)
    assert.equal(await taken(at, { ...caller, call: call() }, env), `${B} ${BY_WORDS}`)
  })

  test('a call of the dialog before /clear that was never answered does not make it the current one', async () => {
    const env = { CLAUDE_CODE_SESSION_ID: A }
    claude(at, A).says('before the clear').calls('toolu_a', undefined, 60_000)
    const after = claude(at, B).says('after it')
    const caller = by({ ...started(), call: call() })
    assert.equal(await taken(at, caller, env), `${NONE} ${A} ${B}`)
    after.calls('toolu_b')
    assert.equal(await taken(at, caller, env), `${B} ${BY_WORDS}`)
  })

  test('a dialog that was resumed is the old one, with what was asked before', async () => {
    claude(at, A).says('asked yesterday')
    await at.sync()
    claude(at, A).says('asked today').calls('toolu_a')
    at.caller = { ...by({ call: call({ id: 'toolu_a' }) }), workspace: SHOP }
    const answer = await oneRequest(at, { index: 2 })
    assert.deepEqual(answer.success && [answer.sessionId, answer.request, answer.matched], [
      A,
      'asked today',
      BY_ID,
    ])
  })

  test('of a fork and its origin the one that calls is meant, whatever was copied', async () => {
    const origin = claude(at, A).says('in both').calls('toolu_old').hears('toolu_old')
    const fork = claude(at, B)
      .says('in both', { forkedFrom: { sessionId: A } })
      .calls('toolu_old')
      .hears('toolu_old')
      .says('only here')
      .calls('toolu_fork')
    assert.equal(await taken(at, by({ call: call({ id: 'toolu_fork' }) })), `${B} ${BY_ID}`)
    assert.equal(await taken(at, by({ call: call() })), `${B} ${BY_WORDS}`)
    fork.hears('toolu_fork')
    origin.calls('toolu_origin')
    assert.equal(await taken(at, by({ call: call({ id: 'toolu_origin' }) })), `${A} ${BY_ID}`)
  })

  test('after compaction the requests before it are still those of this dialog', async () => {
    claude(at, A)
      .says('asked before compaction')
      .says('This session is being continued from a previous conversation.', { isCompactSummary: true })
      .says('asked after it')
      .calls('toolu_a')
    at.caller = { ...by({ call: call({ id: 'toolu_a' }) }), workspace: SHOP }
    const answer = await firstRequest(at, {})
    assert.deepEqual(answer.success && [answer.firstRequest, answer.requestsCount], [
      'asked before compaction',
      2,
    ])
  })

  test("a sub-agent's call is answered for the dialog of its user", async () => {
    claude(at, A).says('do it with an agent').calls('toolu_task', { prompt: 'x' })
    claude(at, A, 'a1').says('the prompt of the agent').calls('toolu_sub')
    claude(at, B).says('first of b')
    for (const synced of [false, true]) {
      if (synced) await at.sync()
      assert.equal(await taken(at, by({ call: call({ id: 'toolu_sub' }) })), `${A} ${BY_ID}`)
      assert.equal(await taken(at, by({ call: call() })), `${A} ${BY_WORDS}`)
    }
  })

  test('what the process that started us has open is taken, without a call too', async () => {
    claude(at, A).says('first of a')
    claude(at, B).says('first of b')
    const file = path.join(at.home, '.claude/sessions', `${process.ppid}.json`)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, JSON.stringify({ pid: process.ppid, sessionId: B, cwd: SHOP }))
    const env = { CLAUDE_CODE_SESSION_ID: A }
    assert.equal(await taken(at, by(started()), env), `${B} exact: open in the client's process`)
    assert.equal(await taken(at, by(), env), `${NONE} ${A} ${B}`, 'over HTTP others started us')
  })
})

describe('Copilot CLI', () => {
  const VARIABLE = 'high: named by the client to its server'
  const by = (more: object = {}) => ({ assistant: 'copilot-cli', ...started(), ...more })
  const env = (id: string) => ({ COPILOT_AGENT_SESSION_ID: id })

  test('of two dialogs that make the same call at once each gets its own', async () => {
    copilot(at, A).says('first of a').calls('call_a')
    copilot(at, B).says('first of b').calls('call_b')
    for (const id of [A, B]) assert.equal(await taken(at, by({ call: call() }), env(id)), `${id} ${VARIABLE}`)
    assert.equal(await taken(at, by({ call: call() })), `${NONE} ${A} ${B}`, 'nothing was named')
  })

  test('a name that went stale is found out by the call', async () => {
    copilot(at, A).says('before the clear').calls('call_a').hears('call_a')
    copilot(at, B).says('after it').calls('call_b')
    const words = 'high: the only chat with this call open'
    assert.equal(await taken(at, by({ call: call() }), env(A)), `${B} ${words}`)
  })

  test('the same call that another dialog made a minute ago says nothing against the name', async () => {
    copilot(at, A).says('its call is not written down yet')
    const minuteAgo = {
      toolName: 'recollect-get_request',
      mcpToolName: 'get_request',
      arguments: { index: 2 },
    }
    copilot(at, B)
      .says('waits for permission')
      .event('tool.execution_start', { toolCallId: 'call_b', ...minuteAgo }, 60_000)
    assert.equal(await taken(at, by({ call: call() }), env(A)), `${A} ${VARIABLE}`)
  })

  test('a resumed, forked or compacted dialog is the one that was named', async () => {
    copilot(at, A).says('in both').event('session.compaction_complete', { success: true }).says('second')
    copilot(at, B).says('in both').says('only in the fork')
    await at.sync()
    for (const id of [A, B]) {
      copilot(at, id).event('session.resume', { resumeTime: new Date().toISOString() }).calls(`call_${id}`)
      assert.equal(await taken(at, by({ call: call() }), env(id)), `${id} ${VARIABLE}`)
      assert.equal(await taken(at, by(), env(id)), `${id} ${VARIABLE}`, 'a resource is read')
    }
  })

  test("a sub-agent's call is in the file of its user's dialog", async () => {
    const a = copilot(at, A).says('with an agent')
    a.event('subagent.started', { toolCallId: 'call_task', agentName: 'explore' })
    a.calls('call_sub', undefined, { parentToolCallId: 'call_task' })
    copilot(at, B).says('first of b')
    assert.equal(await taken(at, by({ call: call() }), env(A)), `${A} ${VARIABLE}`)
  })

  test('the name of another client, inherited from a shell, counts for nothing', async () => {
    copilot(at, A).says('first of a')
    codex(at, B).says('first of b').calls('call_b')
    const caller = { assistant: 'codex', ...started(), call: call() }
    assert.equal(await taken(at, caller, env(A)), `${B} high: the only chat with this call open`)
  })
})

describe('Codex', () => {
  const HOST = 'exact: named by the client with the call'
  const by = (more: object = {}) => ({ assistant: 'codex', ...more })

  test('the thread that the call names is taken: of two, resumed, cleared, forked or compacted', async () => {
    const a = codex(at, A).says('first of a').calls('call_a')
    codex(at, B, { forked_from_id: A }).says('in the fork').calls('call_b')
    a.item('compacted', { message: 'what was said' })
    for (const sessionId of [A, B]) {
      const caller = by({ sessionId, userDialog: sessionId, call: call() })
      assert.equal(await taken(at, caller), `${sessionId} ${HOST}`)
    }
  })

  test("a sub-agent's call is answered for the dialog of its user, whichever of the two is known", async () => {
    codex(at, A).says('with an agent')
    const source = { subagent: { thread_spawn: { parent_thread_id: A, depth: 1 } } }
    codex(at, B, { source, session_id: A }).says('the prompt of the agent').calls('call_b')
    const other = codex(at, C).says('another')
    for (const told of [
      { sessionId: B, userDialog: A },
      { sessionId: B },
      { sessionId: 'lost', userDialog: A },
    ])
      assert.equal(await taken(at, by({ ...told, call: call() })), `${A} ${HOST}`)
    assert.equal(await taken(at, by({ call: call() })), `${A} high: the only chat with this call open`)
    other.calls('call_c')
    assert.equal(await taken(at, by({ call: call() })), `${NONE} ${A} ${C}`)
  })
})

describe('Qwen Code', () => {
  const OTHER = '/home/me/other'
  const BY_WORDS = 'high: the only chat with this call open'
  const by = (more: object = {}) => ({ assistant: 'qwen-code', ...started(), call: call(), ...more })
  const overHttp = () => by({ startedUsAt: undefined })

  test('the same call that is open in another folder is offered, not taken', async () => {
    const mine = qwen(at, A).says('first of mine')
    const other = qwen(at, B, OTHER).says('first of the other')
    other.calls('call_old', 240_000)
    for (const synced of [false, true]) {
      if (synced) await at.sync()
      assert.equal(await taken(at, by()), `${NONE} ${A} ${B}`, 'it waits for permission')
    }
    other.calls('call_b')
    assert.equal(await taken(at, by()), `${NONE} ${A} ${B}`, 'it was made just now')
    mine.calls('call_a')
    assert.equal(await taken(at, by()), `${A} ${BY_WORDS}`)
  })

  test('a call that a person took a minute to allow is of the only active chat, or of one of several', async () => {
    qwen(at, A).says('first of a').calls('call_a', 60_000)
    assert.equal(await taken(at, by()), `${A} medium: the only active chat here`)
    qwen(at, B).says('first of b')
    assert.equal(await taken(at, by()), `${NONE} ${A} ${B}`)
  })

  test('over HTTP, where the folder is not known, a call of just now is taken, an older one offered', async () => {
    const near = qwen(at, A).says('where the server runs')
    const other = qwen(at, B, OTHER).says('first of b').calls('call_old', 60_000)
    assert.equal(await taken(at, overHttp()), `${NONE} ${A} ${B}`)
    other.calls('call_b')
    assert.equal(await taken(at, overHttp()), `${B} ${BY_WORDS}`)
    near.calls('call_a')
    assert.equal(await taken(at, overHttp()), `${NONE} ${A} ${B}`)
  })
})

describe('Gemini CLI', () => {
  const WAITING = 'medium: the only chat here that waits for a tool'
  const by = () => ({ assistant: 'gemini-cli', ...started(), call: call() })

  test('the only dialog that waits for a tool is taken; of two neither is', async () => {
    gemini(at, A).says('first of a').waits()
    const b = gemini(at, B).says('first of b').answers('All done.', 60_000)
    assert.equal(await taken(at, by()), `${A} ${WAITING}`)
    b.says('and now').waits()
    assert.equal(await taken(at, by()), `${NONE} ${A} ${B}`)
  })

  test('after /clear, a resume and with words before the call', async () => {
    gemini(at, A).says('before').answers('All done.', 30_000)
    const b = gemini(at, B).says('after').answers('I will look it up.')
    assert.equal(await taken(at, by()), `${B} ${WAITING}`)
    b.answers('', 0, { toolCalls: [{ id: 't', name: 'x', args: {} }] }).answers('Done.', 20_000)
    gemini(at, A).says('resumed').waits()
    assert.equal(await taken(at, by()), `${A} ${WAITING}`)
  })

  test("a sub-agent's call is answered for the dialog of its user", async () => {
    gemini(at, A).says('with an agent').waits()
    gemini(at, 'sub1', A).says('the prompt of the agent').waits()
    gemini(at, B).says('first of b').answers('All done.', 60_000)
    assert.equal(await taken(at, by()), `${A} ${WAITING}`)
  })

  test('a person may take a minute to allow the call', async () => {
    gemini(at, A).says('first of a').answers('', 60_000)
    const b = gemini(at, B).says('first of b').answers('All done.', 60_000)
    assert.equal(await taken(at, by()), `${A} ${WAITING}`)
    b.says('and now').waits()
    assert.equal(await taken(at, by()), `${B} ${WAITING}`)
  })
})

describe('VS Code', () => {
  const by = (more: object = {}) => ({ assistant: 'vscode', ...more })

  test('the conversation that the call names is taken; without a name, the one with the call', async () => {
    vscode(at, A).says('first of a').calls('call_a')
    const b = vscode(at, B).says('first of b')
    const host = 'exact: named by the client with the call'
    assert.equal(await taken(at, by({ sessionId: B, call: call() })), `${B} ${host}`)
    assert.equal(await taken(at, by({ call: call() })), `${A} high: the only chat with this call open`)
    b.calls('call_b')
    assert.equal(await taken(at, by({ call: call() })), `${NONE} ${A} ${B}`)
  })

  test('no other is taken for a conversation that is named and in no file yet', async () => {
    vscode(at, A).says('first of a').calls('call_a')
    assert.equal(await taken(at, by({ sessionId: B, call: call() })), `${NONE} ${A}`)
    setTimeout(() => vscode(at, B).says('first of b').calls('call_b'), 100)
    const late = await taken(at, by({ sessionId: B, call: call() }))
    assert.equal(late, `${B} high: the only chat with this call open`)
  })
})

test('opencode: a running call is found in the database, a sub-agent counts for its user', async () => {
  const folder = path.join(at.home, '.local/share/opencode')
  fs.mkdirSync(folder, { recursive: true })
  const db = made(path.join(folder, 'opencode.db'))
  const running = (session: string, index: number) => {
    const { message } = db
      .prepare('SELECT id AS message FROM message WHERE session_id = ? ORDER BY time_created DESC')
      .get(session) as { message: string }
    const state = { status: 'running', input: { index }, time: { start: Date.now() } }
    const data = { type: 'tool', callID: `call_${index}`, tool: 'recollect_get_request', state }
    db.prepare(
      'INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES (?,?,?,?,?,?)',
    ).run(...[`prt_${index}`, message, session, Date.now(), Date.now(), JSON.stringify(data)])
  }
  const by = (index: number) => ({ assistant: 'opencode', call: call({ args: { index } }) })
  try {
    running(SESSION, 1)
    running(CHILD, 2)
    const words = 'high: the only chat with this call open'
    assert.equal(await taken(at, by(1)), `${SESSION} ${words}`)
    assert.equal(await taken(at, by(2)), `${PARENT} ${words}`)
  } finally {
    db.close()
  }
})

test('who is not sure names the dialogs, their first words without secrets', async () => {
  const secret = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40)
  claude(at, A).says(`${'x'.repeat(55)} token ${secret} and more words`)
  claude(at, B).says('first of b')
  at.caller = { assistant: 'claude-code', workspace: SHOP }
  const answer = await firstRequest(at, {}, redactJson)
  assert.ok(!answer.success && answer.candidates?.length === 2)
  assert.match(answer.hint ?? '', /sessionId/)
  const [a] = answer.candidates.filter(({ sessionId }) => sessionId === A)
  assert.doesNotMatch(a!.firstRequest, /ghp_/)
  assert.ok(Math.abs(Date.now() - a!.updatedAt!) < 60_000)
  await assert.rejects(openChat(at, 'current'), (error: RecollectError) => {
    assert.equal(error.message, NONE)
    assert.equal((error.details as { candidates: unknown[] }).candidates.length, 2)
    return true
  })
})

test('a dialog of before the client began is offered, not taken', async () => {
  claude(at, A).says('long ago')
  const caller = { assistant: 'claude-code', startedUsAt: Date.now() + 60_000 }
  assert.equal(await taken(at, caller), `${NONE} ${A}`)
  assert.equal(await taken(at, { ...caller, ...started() }), `${A} medium: the only active chat here`)
})
