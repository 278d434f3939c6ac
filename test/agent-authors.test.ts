import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Lease } from '../src/archive/archive.ts'
import { citationList } from '../src/cli/chat/cited.ts'
import { agentBench } from './agent-kit.ts'

const QUESTION = 'how do we keep the kingfisher queue short?'
const CITED = 'context://sessions/c1@Anna#m0'

test('an agent looks through chats of colleagues too, is told whose they are, and its answer names them', async () => {
  const { archive, model, run, close } = await agentBench({
    scripts: [
      {
        when: QUESTION,
        turns: [
          { calls: [{ tool: 'search_conversations', args: { query: 'kingfisher' } }] },
          { calls: [{ tool: 'gather_chats', args: { chatIds: ['c1@Anna'] } }] },
          { text: `Anna settled it: "drop what is older than a day" ${CITED}` },
        ],
      },
    ],
  })
  after(close)
  const lease = (await archive.takeLease('test', 'hub')) as Lease
  const message = {
    id: 'm1',
    order: 0,
    role: 'user' as const,
    kind: 'request' as const,
    createdAt: 1_770_000_000_000,
  }
  await archive.applyRemote(
    {
      ...{ space: 'team', kind: 'team', from: 0, to: 1 },
      chats: [
        {
          ...{
            author: 'Anna',
            machine: 'annas-desk',
            chat: { source: 'codex', id: 'c1', title: 'The queue' },
          },
          messages: [{ ...message, text: 'kingfisher: drop what is older than a day' }],
        },
      ],
    },
    lease,
  )
  await archive.releaseLease(lease)

  const { citations } = await run(QUESTION)
  assert.match(JSON.stringify(model.requests[0]!.body.system), /name that author wherever you use it/)
  // What the tools gave back names them: the search, and what was read.
  for (const { body } of model.requests.slice(1, 3)) {
    const told = JSON.stringify((body.messages as unknown[]).at(-1)).replaceAll('\\', '')
    assert.match(told, /"author": ?"Anna"/)
  }
  assert.deepEqual(
    citations?.map(({ verified, author, chatId }) => [verified, author, chatId]),
    [[true, 'Anna', 'c1@Anna']],
  )
  assert.match(citationList(citations).join('\n'), /The queue, 2026-02-02, by Anna/)
})
