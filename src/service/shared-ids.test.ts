import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

const SHARED = 'bbbb0000-0000-4000-8000-000000000001'
const ALONE = 'cccc0000-0000-4000-8000-000000000002'
let at: Bench
let service: Service

before(async () => {
  at = bench()
  const { write } = at
  await write({ id: SHARED, source: 'codex' }, [say(0, 'codex question one', { id: 'm-1' })], '/codex/1')
  await write(
    { id: SHARED, source: 'claude-code' },
    [say(0, 'claude question one', { id: 'm-2' })],
    '/claude/1',
  )
  await write(
    { id: ALONE, source: 'claude-code' },
    [say(0, 'claude question two', { id: 'm-3' })],
    '/claude/2',
  )
  await write(
    { id: 'codex:odd', source: 'claude-code' },
    [say(0, 'a colon in an ostrich', { id: 'm-4' })],
    '/claude/3',
  )
  service = serviceAt(at)
})
after(() => at.close())

interface Found {
  topChatIds: string[]
  results: { chatId: string; source: string; snippets: { text: string }[] }[]
  guidance: { nextActions: { tool: string; args: { chatIds: string[] } }[] }
}

async function asked(tool: string, given: object, caller: Caller): Promise<Record<string, unknown>> {
  const { answer, failure } = await call(service, tool, { ...given }, caller)
  assert.ok(answer, JSON.stringify(failure))
  return answer as Record<string, unknown>
}

const CALLERS: [who: string, caller: Caller][] = [
  ['a model', { kind: 'agent', budget: 10_000 }],
  ['a person', { kind: 'owner' }],
]
const SEARCHES = [
  { query: 'question one' },
  { query: 'claude question' },
  { query: 'codex' },
  { query: 'question', source: 'claude-code' },
  { regex: 'question one' },
  { query: 'ostrich' },
]

for (const [who, caller] of CALLERS)
  for (const given of SEARCHES)
    test(`two assistants, one id: what ${who} is told of ${JSON.stringify(given)} is read by its name`, async () => {
      const found = (await asked('search_conversations', given, caller)) as unknown as Found
      assert.equal(new Set(found.topChatIds).size, found.results.length)
      for (const [i, name] of found.topChatIds.entries()) {
        const { messages } = (await asked('gather_chats', { chatIds: [name] }, caller)) as {
          messages: { content: string }[]
        }
        assert.equal(found.results[i]!.snippets[0]!.text, messages[0]!.content)
      }
      const [next] = found.guidance.nextActions
      assert.equal(next?.tool, 'gather_chats')
      const { messages } = (await asked(next.tool, next.args, caller)) as { messages: { content: string }[] }
      assert.equal(found.results[0]!.snippets[0]!.text, messages[0]!.content)
    })

test('an id that is one chat’s alone is given alone', async () => {
  const { topChatIds } = await asked('search_conversations', { query: 'question two' }, { kind: 'owner' })
  assert.equal((topChatIds as string[])[0], ALONE)
  const brief = await asked('search_conversations', { query: 'question two' }, CALLERS[0]![1])
  assert.equal((brief.topChatIds as string[])[0], ALONE.slice(0, 8))
})

test('text for people names the assistant of such an id', async () => {
  const { text } = await asked(
    'search_conversations',
    { query: 'question', response_mode: 'text' },
    { kind: 'owner' },
  )
  assert.match(String(text), new RegExp(`codex:${SHARED}`))
  assert.match(String(text), new RegExp(`claude-code:${SHARED}`))
})
