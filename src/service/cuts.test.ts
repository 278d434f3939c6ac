import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Bench, bench, NOON, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { readerFor } from './reader.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

/** Wherever a text is cut, a secret lies across the cut: half of it has no form to be known by. */

const KEY = `ghp_${'Qw3rTy7uIo9pAs2dFg4hJk6lZx8cVb1nMm5K'}`
const LIMITS = [80, 160, 200, 300, 400, 2_000, 4_000, 5_000, 8_000, 16_384, 20_000, 24_384, 60_000, 200_000]
const owner: Caller = { kind: 'owner' }
const agent: Caller = { kind: 'agent', budget: 20_000 }

let at: Bench
let service: Service

before(async () => {
  at = bench()
  for (const [n, limit] of LIMITS.entries()) {
    const blank = `Hi${' '.repeat(limit - 22)}${KEY} and more`
    const filler = `${'.'.repeat(limit - 20)}\n${KEY}`
    const url = `See https://a.example/${'p'.repeat(Math.max(1, limit - 40))}?t=${KEY} there`
    await at.write({ id: `blank-${n}`, createdAt: NOON }, [
      say(1, blank),
      say(2, url, { role: 'assistant' }),
      say(3, '', {
        role: 'assistant',
        toolCalls: [{ id: 'c', tool: 'fetch', args: { url: url.slice(4, -6) } }],
        toolResults: [{ callId: 'c', text: url }],
      }),
    ])
    await at.write({ id: `filler-${n}`, createdAt: NOON }, [say(1, filler), say(2, blank)])
    await at.write({ id: `titled-${n}`, createdAt: NOON, title: blank }, [say(1, filler)])
  }
  service = serviceAt(at)
})
after(() => at.close())

function check(value: unknown, asked: string): void {
  const said = JSON.stringify(value)
  for (let i = 4; i + 8 <= KEY.length; i++)
    assert.ok(!said.includes(KEY.slice(i, i + 8)), `${asked} lets out ${KEY.slice(i, i + 8)}`)
}

test('a chat is opened without halves of secrets', async () => {
  const reader = readerFor(service, owner)
  for (const { source, id } of await reader.chats({}, { limit: 100 })) {
    const name = `${source}:${id}`
    const opened = await reader.open(name)
    check(opened, `open ${name}`)
    assert.ok(opened.requests.length > 0)
    check(await reader.messages(name, { from: 0, to: 99 }), `messages ${name}`)
    check(await reader.archived(name), `archived ${name}`)
  }
})

test('no capability gives half of a secret', async () => {
  const ids = LIMITS.flatMap((_, n) => [`blank-${n}`, `filler-${n}`, `titled-${n}`])
  for (const id of ids) {
    const asked: [string, object][] = [
      ['collect_evidence', { chatIds: [id] }],
      ['gather_chats', { chatIds: [id] }],
      ['list_requests', { sessionId: id }],
      ['get_first_request', { sessionId: id }],
      ['get_request', { sessionId: id, index: 1 }],
      ['export_chats', { chatIds: [id], format: 'markdown' }],
    ]
    for (const [name, given] of asked) check(await call(service, name, given, agent), `${name} ${id}`)
  }
  for (const query of ['more', 'there', 'Hi'])
    check(await call(service, 'search_conversations', { query, limit: 200 }, agent), query)
  check(await call(service, 'list_chats', { limit: 100 }, owner), 'list_chats')
})

test('what is written into a context file has no half of a secret in its title or its block', async () => {
  const folder = path.join(at.folder, 'work')
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'AGENTS.md'), `${'Rules. '.repeat(500)}${KEY}\n`)
  const here: Caller = { kind: 'agent', roots: [folder] }
  assert.ok((await call(service, 'init_context', {}, here)).answer)
  const content = `${'w'.repeat(50)} ${KEY}\n\nMore.`
  assert.ok((await call(service, 'append_context', { content }, here)).answer)
  check(fs.readFileSync(path.join(folder, 'context.md'), 'utf8').match(/^## .*$/gm), 'its title')
  assert.ok((await call(service, 'export_to_memory', { target: 'agents-md', apply: true }, here)).answer)
  const block = fs.readFileSync(path.join(folder, 'AGENTS.md'), 'utf8').split('recollect:begin')[1]
  assert.match(block ?? '', /More\./)
  check(block, 'its block')
})
