import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hints, hintsIn } from './hints.ts'

const cases: [says: string, meta: unknown, hints: Hints][] = [
  ['nothing', undefined, {}],
  ['VS Code', { 'vscode.conversationId': 'a', 'vscode.requestId': 'b' }, { sessionId: 'a' }],
  [
    'Codex',
    { 'x-codex-turn-metadata': { session_id: 'a', thread_id: 'b', workspaces: { '/home/alex/shop': {} } } },
    { sessionId: 'b', workspace: '/home/alex/shop' },
  ],
  ['Codex outside of any project', { 'x-codex-turn-metadata': { thread_id: 'b' } }, { sessionId: 'b' }],
  ['something else', { 'vscode.conversationId': 7, 'x-codex-turn-metadata': 'b' }, {}],
  ['no object', 'vscode.conversationId', {}],
]

for (const [says, meta, hints] of cases) {
  test(`a host's hints: ${says}`, () => {
    assert.deepEqual(hintsIn(meta), { sessionId: undefined, workspace: undefined, ...hints })
  })
}
