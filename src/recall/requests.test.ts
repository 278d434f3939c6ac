import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { RecollectError } from '../model/errors.ts'
import { preview } from './preview.ts'
import { firstRequest, listRequests, oneRequest } from './requests.ts'
import { type Bench, bench, NOON, say } from './test-kit.ts'

let at: Bench
beforeEach(() => {
  at = bench()
})
afterEach(() => at.close())

const PROJECT = '.claude/projects/-home-me-shop'

/** One prompt as Claude Code writes it down. */
function prompt(sessionId: string, n: number, text: string, more: object = {}): string {
  return `${JSON.stringify({
    parentUuid: n > 1 ? `${sessionId}-${n - 1}` : null,
    isSidechain: false,
    userType: 'external',
    cwd: '/home/me/shop',
    sessionId,
    version: '2.1.0',
    type: 'user',
    message: { role: 'user', content: text },
    uuid: `${sessionId}-${n}`,
    timestamp: new Date(NOON + n * 1000).toISOString(),
    ...more,
  })}\n`
}

function append(sessionId: string, text: string, project = PROJECT): void {
  const folder = path.join(at.home, project)
  fs.mkdirSync(folder, { recursive: true })
  fs.appendFileSync(path.join(folder, `${sessionId}.jsonl`), text)
}

test('the first request is a preview; the nth is whole; only real requests are numbered', async () => {
  const long = `${'word '.repeat(40)}👩‍👩‍👧‍👦`
  await at.write({ id: 'chat-one' }, [
    say(1, 'context of the tool', { kind: 'injected' }),
    say(2, long),
    say(3, 'Sure.', { role: 'assistant' }),
    say(4, 'taken back', { undone: true }),
    say(5, '/compact', { kind: 'command' }),
    say(6, 'Second.\nIn two lines.'),
  ])
  const first = await firstRequest(at, { sessionId: 'chat-one' })
  assert.deepEqual(first, {
    success: true,
    sessionId: 'chat-one',
    firstRequest: preview(long),
    timestamp: NOON + 120_000,
    requestsCount: 2,
  })
  assert.deepEqual(await oneRequest(at, { sessionId: 'chat-', index: 1 }), {
    success: true,
    sessionId: 'chat-one',
    request: long,
    index: 1,
    timestamp: NOON + 120_000,
    totalRequests: 2,
  })
  assert.deepEqual(await listRequests(at, { sessionId: 'claude-code:chat-one', from: 2 }), {
    success: true,
    sessionId: 'chat-one',
    totalRequests: 2,
    requests: [{ index: 2, preview: 'Second. In two lines.', timestamp: NOON + 360_000 }],
  })
})

test('a page of requests ends where the limit says', async () => {
  await at.write(
    { id: 'many-requests' },
    Array.from({ length: 30 }, (_, i) => say(i, `request ${i + 1}`)),
  )
  const listed = await listRequests(at, { sessionId: 'many-requests' })
  assert.equal(listed.success && listed.requests.length, 20)
  const page = await listRequests(at, { sessionId: 'many-requests', from: 29, limit: 5 })
  assert.deepEqual(page.success && page.requests.map((each) => each.index), [29, 30])
})

test('where the client takes less, a long request says what is missing and how to get it', async () => {
  const text = 'quoted "words"\n'.repeat(2_000)
  await at.write({ id: 'long-one' }, [say(0, 'reminder', { kind: 'injected' }), say(1, text)])
  const whole = await oneRequest(at, { sessionId: 'long-one', index: 1 })
  assert.equal(whole.success && whole.request, text)
  const cut = await oneRequest(at, { sessionId: 'long-one', index: 1 }, { room: 10_000 })
  assert.ok(cut.success && JSON.stringify(cut).length <= 10_000)
  assert.equal(cut.request.length + cut.leftOut!.characters, text.length)
  assert.match(cut.leftOut!.how, /gather_chats with chatIds \["long-one"\], from 1, to 1/)
  await at.write(
    { id: 'many-long' },
    Array.from({ length: 100 }, (_, i) => say(i, 'long words '.repeat(30), { id: `l${i}` })),
  )
  const listed = await listRequests(at, { sessionId: 'many-long', limit: 100 }, { room: 5_000 })
  assert.ok(listed.success && JSON.stringify(listed).length <= 5_000 && listed.requests.length > 20)
})

test('every error has the text of the contract', async () => {
  await at.write({ id: 'has-two' }, [say(1, 'a'), say(2, 'b')])
  await at.write({ id: 'only-answers' }, [say(1, 'hello', { role: 'assistant' })])
  await at.write({ id: 'header-only' }, [])
  const cases: [unknown, string][] = [
    [await firstRequest(at, {}), 'No active dialog found'],
    [await firstRequest(at, { sessionId: 'current' }), 'No active dialog found'],
    [await listRequests(at, {}), 'No active dialog found'],
    [await oneRequest(at, { index: 1 }), 'No active dialog found'],
    [await firstRequest(at, { sessionId: 'nowhere' }), 'Session not found: nowhere'],
    [await oneRequest(at, { sessionId: 'no', index: 1 }), 'Session not found: no'],
    [await firstRequest(at, { sessionId: 42 }), 'Session not found: 42'],
    [await firstRequest(at, { sessionId: 'only-answers' }), 'First request not available'],
    [await oneRequest(at, { sessionId: 'has-two' }), 'Index parameter is required'],
    [await oneRequest(at, { sessionId: 'has-two', index: null }), 'Index parameter is required'],
    [await oneRequest(at, { sessionId: 'has-two', index: 0 }), 'Index must be 1 or greater'],
    [await oneRequest(at, { sessionId: 'has-two', index: -1 }), 'Index must be 1 or greater'],
    [await oneRequest(at, { sessionId: 'has-two', index: 1.5 }), 'Index must be 1 or greater'],
    [await oneRequest(at, { sessionId: 'has-two', index: 'one' }), 'Index must be 1 or greater'],
    [await oneRequest(at, { sessionId: 'has-two', index: 3 }), 'Index 3 exceeds total requests (2)'],
    [await oneRequest(at, { sessionId: 'only-answers', index: 1 }), 'Index 1 exceeds total requests (0)'],
    [await firstRequest(at, { sessionId: 'header-only' }), 'Chat data not available for session'],
    [await oneRequest(at, { sessionId: 'header-only', index: 1 }), 'Chat data not available for session'],
  ]
  for (const [answer, error] of cases) assert.deepEqual(answer, { success: false, error })
})

test('a busy or broken archive is temporarily unavailable', async () => {
  const failures = [
    new RecollectError('ARCHIVE_BUSY', 'x'),
    new RecollectError('ARCHIVE_UNWRITABLE', 'x'),
    Object.assign(new Error('database is locked'), { errcode: 5 }),
  ]
  for (const failure of failures) {
    const archive = {
      ...at.archive,
      resolveChat: () => Promise.reject(failure),
    } as Archive
    assert.deepEqual(await firstRequest({ ...at, archive }, { sessionId: 'any-chat' }), {
      success: false,
      error: 'Service temporarily unavailable',
    })
  }
})

test('an ambiguous prefix lists the candidates', async () => {
  await at.write({ id: 'same-1' }, [say(1, 'a')])
  await at.write({ id: 'same-2' }, [say(1, 'b')])
  const answer = await firstRequest(at, { sessionId: 'same' })
  assert.match(answer.success ? '' : answer.error, /same could be any of 2 chats:[\s\S]*same-1[\s\S]*/)
})

test('a message sent a second ago counts, although no sync has run since', async () => {
  append('aaaa1111', prompt('aaaa1111', 1, 'first words'))
  await at.sync()
  at.caller = { assistant: 'claude-code', workspace: '/home/me/shop' }
  const before = await firstRequest(at, {})
  assert.equal(before.success && before.requestsCount, 1)
  append('aaaa1111', prompt('aaaa1111', 2, 'sent just now'))
  const last = await oneRequest(at, { index: 2 })
  assert.equal(last.success && last.request, 'sent just now')
  const named = await oneRequest(at, { index: 2, sessionId: 'aaaa' })
  assert.equal(named.success && named.request, 'sent just now')
  const [chat] = await at.archive.listChats({})
  assert.equal(chat?.messageCount, 1, 'looking does not write')
})

test('a chat that no sync has seen is found by its id and as the current dialog', async () => {
  append('bbbb2222', prompt('bbbb2222', 1, 'brand new'))
  at.caller = { sessionId: 'bbbb2222' }
  const hinted = await firstRequest(at, {})
  assert.equal(hinted.success && hinted.firstRequest, 'brand new')
  at.caller = { assistant: 'claude-code', workspace: '/home/me/shop/' }
  const current = await firstRequest(at, {})
  assert.equal(current.success && current.sessionId, 'bbbb2222')
})

test('the current dialog is the one that is named, or the only one going on; never one of two', async () => {
  append('cccc3333', prompt('cccc3333', 1, 'in shop, older'))
  append('dddd4444', prompt('dddd4444', 5, 'in shop, newer'))
  append('eeee5555', prompt('eeee5555', 9, 'elsewhere', { cwd: '/home/me/other' }), '.claude/projects/other')
  const current = async (caller: Bench['caller'], env: Record<string, string> = {}) => {
    const answer = await firstRequest({ ...at, caller, machine: { ...at.machine, env } }, {})
    if (answer.success) return answer.sessionId
    const candidates = answer.candidates?.map(({ sessionId }) => sessionId) ?? []
    return [answer.error, ...candidates.sort()].join(' ')
  }
  const none = 'No active dialog found'
  for (const synced of [false, true]) {
    if (synced) await at.sync()
    const shop = '/home/me/shop'
    const unsure = `${none} cccc3333 dddd4444`
    assert.equal(await current({ assistant: 'claude-code', workspace: shop }), unsure)
    assert.equal(await current({ workspace: `${shop}/src` }), unsure)
    assert.equal(await current({ assistant: 'codex', workspace: shop }), none, 'of another assistant')
    assert.equal(await current({ assistant: 'claude-code', workspace: '/home/me/other' }), 'eeee5555')
    assert.equal(await current({ workspace: '/home/me/third' }), none)
    assert.equal(await current({ assistant: 'claude-code' }), `${unsure} eeee5555`)
    assert.equal(await current({}), none)
    assert.equal(await current({ workspace: shop, sessionId: 'cccc3333' }), 'cccc3333')
    assert.equal(await current({ workspace: shop, sessionId: 'claude-code:cccc3333' }), 'cccc3333')
    assert.equal(await current({ workspace: shop, sessionId: 'codex:cccc3333' }), unsure)
    assert.equal(await current({ workspace: shop, sessionId: 'cccc' }), unsure, 'a host says ids whole')
    assert.equal(await current({ workspace: shop, sessionId: 'gone9999' }), unsure)
    const other = { workspace: '/home/me/other', sessionId: 'gone9999' }
    assert.equal(await current(other), `${none} eeee5555`, 'the host means another')
    const env = { RECOLLECT_SESSION: 'cccc3333' }
    assert.equal(await current({ workspace: shop, sessionId: 'eeee5555' }, env), 'cccc3333')
    assert.equal(await current({}, { RECOLLECT_SESSION: 'gone9999' }), 'Session not found: gone9999')
  }
})

test('a forgotten chat is not brought back by looking at its file', async () => {
  append('ffff6666', prompt('ffff6666', 1, 'a secret'))
  await at.sync()
  await at.archive.forget(await at.archive.listChats({}))
  append('ffff6666', prompt('ffff6666', 2, 'another'))
  at.caller = { assistant: 'claude-code', workspace: '/home/me/shop' }
  assert.deepEqual(await firstRequest(at, {}), { success: false, error: 'No active dialog found' })
  const named = await firstRequest(at, { sessionId: 'ffff6666' })
  assert.equal(!named.success && named.error, 'Session not found: ffff6666')
})

test('a preview has at most 80 characters as people count them, and never half of one', () => {
  const family = '👩‍👩‍👧‍👦'
  const count = (text: string) => [...new Intl.Segmenter().segment(text)].length
  for (const text of [family.repeat(100), 'x'.repeat(81), 'e\u0301'.repeat(200), '漢'.repeat(90)]) {
    const shown = preview(text)
    assert.equal(count(shown), 80)
    assert.ok(shown.endsWith('…') && shown.isWellFormed())
  }
  assert.equal(preview(family.repeat(80)), family.repeat(80))
  assert.equal(preview('  a \n b  '), 'a b')
})

test('how a request came is told where it was no ordinary prompt', async () => {
  const asker = bench()
  try {
    await asker.write({ id: 'ways' }, [say(1, 'Do it'), say(2, 'And test it', { via: 'queued' })])
    const list = await listRequests(asker, { sessionId: 'ways' }, { clean: (value) => value })
    assert.ok(list.success)
    assert.deepEqual(
      list.requests.map(({ via }) => via),
      [undefined, 'queued'],
    )
    const one = await oneRequest(
      asker,
      { sessionId: 'ways', index: 2 },
      { clean: (value) => value, room: 10_000 },
    )
    assert.ok(one.success)
    assert.equal(one.via, 'queued')
  } finally {
    await asker.close()
  }
})
