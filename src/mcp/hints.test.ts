import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hints, hintsIn } from './hints.ts'

const cases: [says: string, meta: unknown, hints: Hints][] = [
  ['nothing', undefined, {}],
  ['VS Code', { 'vscode.conversationId': 'a', 'vscode.requestId': 'b' }, { dialog: 'a' }],
  [
    'Codex',
    {
      'x-codex-turn-metadata': {
        session_id: 'a',
        thread_id: 'b',
        workspaces: { '/home/alex/shop': {}, '/home/alex/docs': {} },
      },
    },
    { dialog: 'b', userDialog: 'a', workspaces: ['/home/alex/shop', '/home/alex/docs'] },
  ],
  ['Codex outside of any project', { 'x-codex-turn-metadata': { thread_id: 'b' } }, { dialog: 'b' }],
  ['Codex, of itself', { threadId: 'b', sessionId: 'b', callId: 'c' }, { dialog: 'b' }],
  [
    'Goose',
    { 'agent-session-id': '20261115_1', 'agent-working-dir': '/home/alex/shop' },
    { dialog: '20261115_1', workspaces: ['/home/alex/shop'] },
  ],
  ['Claude Code', { 'claudecode/toolUseId': 'toolu_1' }, { callId: 'toolu_1' }],
  ['a session without a thread', { sessionId: 'b' }, {}],
  ['something else', { 'vscode.conversationId': 7, 'x-codex-turn-metadata': 'b' }, {}],
  ['no object', 'vscode.conversationId', {}],
]

for (const [says, meta, hints] of cases) {
  test(`a host's hints: ${says}`, () => {
    assert.deepEqual(hintsIn(meta), hints)
  })
}
