import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../src/archive/archive.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { capabilities } from '../src/capabilities/index.ts'
import type { Caller } from '../src/service/caller.ts'
import { call, type Service } from '../src/service/service.ts'
import { sources } from '../src/sources/index.ts'
import { syncOnce } from '../src/sync/once.ts'

/** What a model is given over the sample archive, for hundreds of queries, and what comes of what it proposes. */

const AGENT: Caller = { kind: 'agent', budget: 10_000 }
const MOST = 4_000
const QUERIES = 320
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-guidance-'))
let archive: Archive
let service: Service

before(async () => {
  const home = path.join(temp, 'home')
  fs.cpSync(path.join(import.meta.dirname, '..', 'sample'), home, { recursive: true })
  archive = openSqliteArchive(path.join(temp, 'archive'))
  const machine = { platform: 'linux' as const, home, env: {} }
  await syncOnce({ archive, sources, machine })
  service = {
    archive,
    env: {},
    readable: async () => ({ machine, sources }),
    capabilities: async () => capabilities,
    syncing: () => undefined,
  }
})
after(async () => {
  await archive.close()
  fs.rmSync(temp, { recursive: true, force: true })
})

interface Found {
  confidence: number
  totalFound: number
  guidance: { stopIf: string; nextActions: { tool: string; args: Record<string, unknown> }[] }
  results?: { chatId: string; snippets: { index: number }[] }[]
  text?: string
}

async function asked(tool: string, args: object): Promise<Record<string, unknown>> {
  const { answer, failure } = await call(service, tool, args, AGENT)
  assert.ok(answer, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(failure)}`)
  return answer as Record<string, unknown>
}

async function search(args: object): Promise<Found> {
  return (await asked('search_conversations', args)) as unknown as Found
}

/** Words of the sample alone and together, misspelt, cut, and words that stand nowhere. */
async function queries(): Promise<string[]> {
  const words = new Set<string>()
  for (const { source, id } of await archive.listChats({ subagents: true }, { limit: 100 })) {
    const { messages } = (await asked('gather_chats', { chatIds: [`${source}:${id}`] })) as {
      messages: { content: string }[]
    }
    for (const { content } of messages)
      for (const [word] of content.matchAll(/[\p{L}\p{N}_]{4,14}/gu)) words.add(word)
  }
  const all = [...words]
  const at = (i: number) => all[(i * 7919) % all.length]!
  const made = [
    (i: number) => at(i),
    (i: number) => `${at(i)} ${at(i + 1)}`,
    (i: number) => `where did we say ${at(i)} and ${at(i + 3)} ${at(i + 5)}?`,
    (i: number) => at(i).slice(1) + at(i).slice(0, 1),
    (i: number) => at(i).slice(0, 3),
    (i: number) => `${at(i)} zqxv${i} wjkp${i}`,
    (i: number) => `vwxq${i}`,
    (i: number) => `"${at(i)} ${at(i + 1)}"`,
  ]
  return Array.from({ length: QUERIES }, (_, i) => made[i % made.length]!(i))
}

test('over hundreds of queries: at most 4,000 characters, guidance first, and no proposal is a dead end', async () => {
  let followed = 0
  for (const [i, query] of (await queries()).entries()) {
    const mode = i % 3 === 2 ? { response_mode: 'text' } : {}
    let next: Found['guidance']['nextActions'] = [
      { tool: 'search_conversations', args: { intent_query: query, ...mode } },
    ]
    const seen = new Set<string>()
    for (let round = 0; next.length > 0; round++) {
      assert.ok(round < 4, `${query}: it goes on and on`)
      const [{ tool, args }] = next as [(typeof next)[number]]
      const answer = await asked(tool, args)
      const size = JSON.stringify(answer).length
      const most = Number(args.max_chars ?? (tool === 'search_conversations' ? MOST : AGENT.budget))
      assert.ok(size <= most, `${query}: ${tool} ${JSON.stringify(args)}: ${size}`)
      const shown = shownIn(answer)
      if (round > 0) {
        followed++
        assert.ok(shown.length > 0, `${query}: ${tool} ${JSON.stringify(args)} found nothing`)
        if (tool === 'search_conversations')
          assert.ok(
            shown.some((each) => !seen.has(each)),
            `${query}: ${JSON.stringify(args)} found nothing new`,
          )
      }
      for (const each of shown) seen.add(each)
      if (tool === 'search_conversations')
        assert.deepEqual(Object.keys(answer).slice(0, 4), ['status', 'confidence', 'totalFound', 'guidance'])
      next = (answer as unknown as Found).guidance?.nextActions ?? []
    }
  }
  assert.ok(followed > QUERIES / 2, String(followed))
})

/** Messages that an answer shows. */
function shownIn(answer: object): string[] {
  const {
    results = [],
    text = '',
    chat,
    messages = [],
  } = answer as Found & {
    chat?: { id: string }
    messages?: { index: number }[]
  }
  let current = ''
  return [
    ...results.flatMap(({ chatId, snippets }) => [
      chatId,
      ...snippets.map(({ index }) => `${chatId} ${index}`),
    ]),
    ...text.split('\n').flatMap((line) => {
      const index = /^#(\d+) /.exec(line)?.[1]
      if (index === undefined) current = line.split(' ')[0]!
      return index === undefined ? [] : [`${current} ${index}`]
    }),
    ...messages.map(({ index }) => `${chat?.id} ${index}`),
  ]
}

test('nonsense and pieces of words are not answered with confidence', async () => {
  for (const query of [
    'utf8mb4',
    'kubernetes helm chart',
    '想法',
    'quixotry zymurgy flumadiddle',
    'xq',
    'zz',
    'ба',
    'snorkel wombat umbrella',
  ]) {
    const { confidence, guidance } = await search({ query })
    assert.ok(confidence < 0.5, `${query}: ${confidence}`)
    assert.doesNotMatch(guidance.stopIf, /answers the question/)
  }
})

test('a short id is taken by every capability that takes an id', async () => {
  const { results } = await search({ query: 'deadlock ShareLock stock' })
  const { chatId } = results![0]!
  assert.equal(chatId.length, 8)
  const workspace = path.join(temp, 'home', 'project')
  fs.mkdirSync(workspace, { recursive: true })
  const owner: Caller = { kind: 'owner' }
  assert.ok((await call(service, 'init_context', { workspace }, owner)).answer)
  const calls: [tool: string, args: Record<string, unknown>, caller?: Caller][] = [
    ['gather_chats', { chatIds: [chatId] }],
    ['list_requests', { sessionId: chatId }],
    ['get_first_request', { sessionId: chatId }],
    ['get_request', { sessionId: chatId, index: 1 }],
    ['collect_evidence', { chatIds: [chatId] }],
    ['usage_metrics', { chatIds: [chatId] }],
    ['export_chats', { chatIds: [chatId], format: 'markdown' }],
    ['resolve_ids', { chatIdPrefix: chatId }],
    ['get_resume_command', { sessionId: chatId }],
    ['export_conversation', { sessionId: chatId, workspace }, owner],
    ['read_chat', { chatId }, owner],
  ]
  for (const [tool, args, caller = AGENT] of calls) {
    const { answer, failure } = await call(service, tool, args, caller)
    assert.ok(answer && answer.success !== false, `${tool}: ${JSON.stringify(failure ?? answer)}`)
    assert.match(JSON.stringify(answer), /b6fb68b8|deadlock|ShareLock|messages/i, tool)
  }
})
