import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { addBackup } from '../add/backup.ts'
import { addCompletion } from '../add/completion.ts'
import { addEvidence } from '../add/evidence.ts'
import { addExport } from '../add/export.ts'
import { addGather } from '../add/gather.ts'
import { addHub } from '../add/hub.ts'
import { addInit } from '../add/init.ts'
import { addMetrics } from '../add/metrics.ts'
import { addPick } from '../add/pick.ts'
import { addRequests } from '../add/requests.ts'
import { addResolve } from '../add/resolve.ts'
import { addToken } from '../add/token.ts'
import { completed, type Lookup } from './complete.ts'

const cli = new Command('recollect').option('--sample', 'the sample archive')
for (const add of [
  ...[addRequests, addGather, addResolve, addEvidence, addMetrics, addExport, addHub],
  ...[addCompletion, addInit, addPick, addToken, addBackup],
])
  add(cli)

const asked: string[] = []
const lookup: Lookup = async (kind, begun) => {
  asked.push(`${kind} ${begun}`)
  return [{ value: `${kind}-one`, about: 'first' }, { value: `${kind}-two` }]
}

async function values(...words: string[]): Promise<string | string[]> {
  const found = await completed(cli, words, lookup)
  return typeof found === 'string' ? found : found.map(({ value }) => value)
}

const CASES: [words: string[], values: string | string[]][] = [
  [['evid'], ['evidence']],
  [['help', 'res'], ['resolve']],
  [['hub', 'le'], ['leave']],
  [['hub', 'leave', '--ta'], ['--take-back']],
  [
    ['gather', 'chat'],
    ['chat-one', 'chat-two'],
  ],
  [['gather', 'chat-one', 'chat-t'], ['chat-two']],
  [['--sample', 'gather', 'chat-t'], ['chat-two']],
  [
    ['metrics', '--source', ''],
    ['source-one', 'source-two'],
  ],
  [['metrics', '--source=source-t'], ['--source=source-two']],
  // Bash parts words at an equals sign.
  [
    ['metrics', '--source', '='],
    ['source-one', 'source-two'],
  ],
  [['metrics', '--source', '=', 'source-t'], ['source-two']],
  [
    ['export', '--format', 'json'],
    ['json', 'jsonl'],
  ],
  [['export', '--out', ''], 'files'],
  [['backup', ''], 'folders'],
  [
    ['token', ''],
    ['create', 'list', 'revoke'],
  ],
  [['token', 'create', ''], []],
  [
    ['token', 'create', 'x', '--scope', 'read', 'a'],
    ['ask', 'approve'],
  ],
  [['token', 'create', 'x', '--days', ''], []],
  [['completion', 'f'], ['fish']],
  [['init', 'po'], []],
  [['gather', '--', '--no'], []],
  [['gather', '--no-t'], ['--no-tools']],
  [['gather', '--no-tools', '--no-t'], []],
  [['frobnicate', ''], []],
]

for (const [words, wanted] of CASES)
  test(`completes ${words.map((word) => `"${word}"`).join(' ')}`, async () => {
    assert.deepEqual(await values(...words), wanted)
  })

test('asks for what begins as it is typed', async () => {
  asked.length = 0
  await values('gather', '3fa9')
  assert.deepEqual(asked, ['chat 3fa9'])
})
