import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { syncOnce } from '../../../src/sync/once.ts'
import { dialogIn } from '../../src/current/token.ts'
import { placesOf } from '../../src/places.ts'
import { host, Uri } from './fake-vscode.ts'
import { openWindow, requestOf, type TestWindow, writeDialog } from './kit.ts'

const FIRST = 'aaaaaaaa-0000-4000-8000-000000000001'
const SECOND = 'aaaaaaaa-0000-4000-8000-000000000002'

const TOKENS: [string, unknown, string | undefined][] = [
  ['1.104', { sessionId: FIRST }, FIRST],
  ['1.107', { sessionId: FIRST, sessionResource: resource(SECOND) }, FIRST],
  ['1.116 and later', { sessionResource: resource(FIRST), workingDirectory: undefined }, FIRST],
  ['another agent', { sessionResource: { scheme: 'copilotcli', path: `/${FIRST}` } }, FIRST],
  [
    'another kind of session',
    { sessionResource: { scheme: 'vscode-chat-session', authority: 'cloud', path: `/${FIRST}` } },
    FIRST,
  ],
  ['none', undefined, undefined],
  ['something else', { sessionResource: 'text', sessionId: 5 }, undefined],
  ['an empty path', { sessionResource: { scheme: 'vscode-chat-session', path: '/' } }, undefined],
]
for (const [host, token, id] of TOKENS) {
  test(`the dialog that a token names: ${host}`, () => assert.equal(dialogIn(token), id))
}

describe('where a window keeps its dialogs', () => {
  const at = (global: string, storage?: string) =>
    placesOf({
      globalStorageUri: Uri.file(global),
      storageUri: storage ? Uri.file(storage) : undefined,
    } as unknown as Parameters<typeof placesOf>[0])
  const user = path.join(path.sep, 'data', 'User')
  const storage = path.join(user, 'workspaceStorage', 'ab12')

  test('beside our own storage', () => {
    const { chats, user: found } = at(path.join(user, 'globalStorage', 'us'), path.join(storage, 'us'))
    assert.deepEqual([found, chats], [user, path.join(storage, 'chatSessions')])
  })
  test('with the first window of the folder', () => {
    const { chats } = at(path.join(user, 'globalStorage', 'us'), path.join(`${storage}-1`, 'us'))
    assert.equal(chats, path.join(storage, 'chatSessions'))
  })
  test('without a folder, in the default profile', () => {
    const { chats, user: found } = at(path.join(user, 'profiles', 'p1', 'globalStorage', 'us'))
    assert.deepEqual([found, chats], [user, path.join(user, 'globalStorage', 'emptyWindowChatSessions')])
  })
})

test('without a word from the host none of two dialogs is taken: both are named', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['older'])
  age(window, FIRST, 60)
  writeDialog(window.chats, SECOND, ['newer', 'and more'])
  const answer = await window.call('get_request', { index: 2 })
  assert.deepEqual([answer.success, answer.error], [false, 'No active dialog found'])
  assert.deepEqual(firstWords(answer), [
    [SECOND, 'newer'],
    [FIRST, 'older'],
  ])
})

test('without a word from the host the only dialog going on is taken, and the answer says so', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['yesterday'], { at: Date.now() - 86_400_000 })
  age(window, FIRST, 86_400)
  writeDialog(window.chats, SECOND, ['newer', 'and more'])
  const answer = await window.call('get_request', { index: 2 })
  assert.deepEqual([answer.sessionId, answer.request], [SECOND, 'and more'])
  assert.match(String(answer.matched), /^medium: /)
})

test('a dialog in which nothing was asked is passed over', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['asked'])
  age(window, FIRST, 60)
  writeDialog(window.chats, SECOND, [])
  assert.equal((await window.call('get_first_request', {})).firstRequest, 'asked')
})

test('the dialog that the host names is meant, however old', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['older'])
  age(window, FIRST, 60)
  writeDialog(window.chats, SECOND, ['newer'])
  const answer = await window.call('get_request', { index: 1 }, { toolInvocationToken: { sessionId: FIRST } })
  assert.equal(answer.request, 'older')
})

test('what was sent a moment ago counts, though it is not in the file yet', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['written'])
  showDialog(FIRST, ['written', 'only on the screen'])
  const token = { toolInvocationToken: { sessionResource: resource(FIRST) } }
  const answer = await window.call('get_request', { index: 2 }, token)
  assert.deepEqual([answer.request, answer.totalRequests], ['only on the screen', 2])
  assert.equal((await window.call('list_requests', { sessionId: 'current' }, token)).totalRequests, 2)
})

test('a new dialog that has no file yet is known by what is on the screen', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['older'], { at: Date.now() - 60_000 })
  showDialog(SECOND, ['brand new'])
  const named = await window.call('get_request', { index: 1 }, { toolInvocationToken: { sessionId: SECOND } })
  assert.deepEqual([named.sessionId, named.request], [SECOND, 'brand new'])
  assert.match(String(named.matched), /^exact: named by the client/)
  const unnamed = await window.call('get_request', { index: 1 })
  assert.deepEqual(firstWords(unnamed), [[FIRST, 'older']], 'offered, not taken: the other has no id yet')
})

test('a new dialog whose file has nothing in it yet is known by what is on the screen', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, SECOND, [])
  const token = { toolInvocationToken: { sessionId: SECOND } }
  showDialog(SECOND, ['brand new'])
  const answer = await window.call('get_request', { index: 1 }, token)
  assert.deepEqual([answer.sessionId, answer.request], [SECOND, 'brand new'])
})

test('an empty dialog on the screen is not taken for the one that calls', async () => {
  await using window = await openWindow()
  const transcripts = path.join(window.chats, '..', 'GitHub.copilot-chat', 'transcripts')
  fs.mkdirSync(transcripts, { recursive: true })
  const said = { type: 'user.message', data: { content: 'asked before' }, id: 'u1', timestamp: new Date() }
  fs.writeFileSync(path.join(transcripts, `${FIRST}.jsonl`), `${JSON.stringify(said)}\n`)
  showDialog(SECOND, [])
  const answer = await window.call('get_request', { index: 1 }, { toolInvocationToken: { sessionId: FIRST } })
  assert.deepEqual([answer.sessionId, answer.request], [FIRST, 'asked before'])
})

test('what a transcript told before, under other ids, is not counted twice', async () => {
  await using window = await openWindow()
  const transcripts = path.join(window.chats, '..', 'GitHub.copilot-chat', 'transcripts')
  fs.mkdirSync(transcripts, { recursive: true })
  const events = [
    { type: 'session.start', data: { sessionId: FIRST, version: 1 } },
    { type: 'user.message', data: { content: 'first' } },
    { type: 'assistant.message', data: { messageId: 'm1', content: 'Answer to first' } },
  ].map((event, n) =>
    JSON.stringify({ ...event, id: `e${n}`, timestamp: '2026-05-01T10:00:00Z', parentId: null }),
  )
  fs.writeFileSync(path.join(transcripts, `${FIRST}.jsonl`), `${events.join('\n')}\n`)
  const secretary = await window.api.secretary()
  await syncOnce({ archive: secretary.archive, ...secretary.readable() })
  showDialog(FIRST, ['first', 'second'])
  const answer = await window.call('list_requests', {}, { toolInvocationToken: { sessionId: FIRST } })
  assert.equal(answer.totalRequests, 2)
})

test('what another dialog shows is not mixed in', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['mine'])
  writeDialog(window.chats, SECOND, ['other'])
  showDialog(SECOND, ['other', 'on the screen'])
  const answer = await window.call('list_requests', {}, { toolInvocationToken: { sessionId: FIRST } })
  assert.deepEqual(
    (answer.requests as { preview: string }[]).map(({ preview }) => preview),
    ['mine'],
  )
})

test('an editor whose export fails, or writes nonsense, is no reason to fail', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, FIRST, ['asked'])
  for (const write of [
    () => {
      throw new Error('no chat here')
    },
    (target: Uri) => fs.writeFileSync(target.fsPath, 'half a {'),
    (target: Uri) => fs.writeFileSync(target.fsPath, '[]'),
    () => {},
  ]) {
    host.builtIn.set('workbench.action.chat.export', write)
    assert.equal((await window.call('get_request', { index: 1 })).request, 'asked')
  }
})

function firstWords({ candidates }: Record<string, unknown>): string[][] {
  return (candidates as { sessionId: string; firstRequest: string }[]).map((each) => [
    each.sessionId,
    each.firstRequest,
  ])
}

function resource(id: string) {
  return {
    scheme: 'vscode-chat-session',
    authority: 'local',
    path: `/${Buffer.from(id).toString('base64url')}`,
  }
}

/** As VS Code's own command exports the dialog in focus: without its id. */
function showDialog(id: string, requests: string[]): void {
  const at = Date.now()
  const shown = {
    responderUsername: 'GitHub Copilot',
    initialLocation: 'panel',
    requests: requests.map((text, n) => requestOf(id, text, n, at)),
  }
  host.builtIn.set('workbench.action.chat.export', (target: Uri) =>
    fs.writeFileSync(target.fsPath, JSON.stringify(shown)),
  )
}

function age({ chats }: TestWindow, id: string, seconds: number): void {
  const time = Date.now() / 1_000 - seconds
  fs.utimesSync(path.join(chats, `${id}.jsonl`), time, time)
}
