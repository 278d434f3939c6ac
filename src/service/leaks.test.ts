import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { writes } from '../capabilities/capability.ts'
import { capabilities } from '../capabilities/index.ts'
import { redact } from '../platform/redact.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

/**
 * For any archive and any call by an agent: no string that redaction would change leaves, and no
 * piece of a secret either, however the answer is cut.
 */

const WORDS =
  'pool connection retry deadlock invoice refund deploy cache index the a of to fails with see'.split(' ')

let seed = 20_260_501

const PIECE = 10

let at: Bench
let service: Service
let folder: string
const secrets: string[] = []

before(async () => {
  at = bench()
  folder = path.join(at.folder, 'workspace')
  fs.mkdirSync(folder)
  for (let n = 0; n < 12; n++)
    await at.write({ id: `chat-${n}-${'x'.repeat(8)}`, ...headerOf(n) }, messagesOf(n))
  fs.writeFileSync(path.join(folder, 'context.md'), contextFile())
  fs.writeFileSync(path.join(folder, 'CLAUDE.md'), `Rules.\n\n${said(3)}\n`)
  service = serviceAt(at)
})
after(() => at.close())

test('nothing of a secret leaves, whatever an agent asks', async () => {
  let answers = 0
  for (let round = 0; round < 15; round++) {
    for (const capability of capabilities) {
      if (writes(capability) && !capability.name.endsWith('_memory') && capability.name !== 'export_chats')
        continue
      let given = inputFor(capability.name)
      for (let page = 0; page < 6; page++) {
        const { answer, failure } = await call(service, capability.name, given, {
          kind: 'agent',
          roots: [folder],
          budget: 2_000 + random(9_000),
        })
        const said = JSON.stringify(answer ?? failure)
        check(answer ?? failure, said, `${capability.name} ${JSON.stringify(given)}`)
        answers++
        // The last one: proposals of a search, which come first, have cursors of their own.
        const cursor = [...said.matchAll(/"(?:nextCursor|cursor)":"([^"]+)"/g)].at(-1)?.[1]
        if (!cursor) break
        given = { ...given, cursor }
      }
    }
  }
  assert.ok(answers > 300, String(answers))
})

test('what is searched for by the beginning of a secret does not come back as a word', async () => {
  for (const secret of secrets.filter((_, i) => i % 15 === 0)) {
    for (const precision_mode of ['basic', 'fuzzy']) {
      const given = {
        query: secret.slice(0, 6 + random(6)),
        precision_mode,
        expand: 'auto',
        snippet_window: 8,
      }
      const { answer, failure } = await call(service, 'search_conversations', given, {
        kind: 'agent',
        budget: 9_000,
      })
      // What was asked is said again by the guidance: that much the caller knew before.
      check(answer?.results ?? failure, JSON.stringify(answer?.results ?? failure), JSON.stringify(given))
      const named = JSON.stringify([answer?.tried, answer?.guidance]).replaceAll(given.query, '')
      check(undefined, named, JSON.stringify(given))
    }
  }
})

/** Every piece of every secret, in small letters: the index has them so. */
let pieces: Set<string> | undefined

function check(value: unknown, said: string, asked: string): void {
  for (const string of stringsIn(value)) assert.equal(redact(string), string, asked)
  pieces ??= new Set(secrets.flatMap((secret) => piecesOf(secret.toLowerCase())))
  const text = said.toLowerCase()
  for (const [i, piece] of piecesOf(text).entries()) {
    if (pieces.has(piece))
      assert.fail(`${asked}\nlets out ${piece}\n${said.slice(Math.max(0, i - 120), i + 60)}`)
  }
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, i) => text.slice(i, i + PIECE))
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (value && typeof value === 'object') for (const each of Object.values(value)) yield* stringsIn(each)
}

function random(n: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return (seed >>> 8) % n
}

function letters(
  length: number,
  from = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
): string {
  return Array.from({ length }, () => from[random(from.length)]).join('')
}

/** As people paste them: by its form, by its name, in an address, over several lines. Only what is known for a secret. */
function secret(): string {
  for (;;) {
    const { text, hidden } = pasted()
    if (hidden.some((each) => redact(`see ${text} now`).includes(each.slice(0, PIECE)))) continue
    secrets.push(...hidden)
    return text
  }
}

function pasted(): { text: string; hidden: string[] } {
  const key = letters(30 + random(40))
  const named = (before: string, value: string, after = '') => ({
    text: before + value + after,
    hidden: [value],
  })
  switch (random(11)) {
    case 0:
      return named('', `ghp_${key}1a`)
    case 1:
      return named('', `sk-ant-api03-${key}7Zk`)
    case 2:
      return named('DB_PASSWORD=', `${letters(14)}9x!`)
    case 3:
      return named('postgres://app:', `${letters(16)}4`, '@db.example.org/shop')
    case 4:
      return named('', `AKIA${letters(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`)
    case 5:
      return named('Authorization: Bearer ', `${letters(40)}8`)
    case 6: {
      const [first, rest] = [letters(60), letters(30)]
      return { text: `${' '.repeat(random(9))}sk-ant-api03-${first}\n${rest}\n`, hidden: [first, rest] }
    }
    case 7: {
      const [first, rest] = [letters(9), letters(40)]
      return { text: `key = "sk-proj-${first}" + "${rest}"`, hidden: [rest] }
    }
    case 8:
      return named('db=postgres%3A%2F%2Fapp%3A', `${letters(16)}4`, '%40db.example.org%2Fshop')
    case 9:
      return named('user,password,host\nbob,', `${letters(12)}5a`, ',db.example.org\n')
    default: {
      const lines = Array.from({ length: 20 + random(20) }, () => letters(64))
      const text = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join('\n')}\n-----END RSA PRIVATE KEY-----`
      return { text, hidden: [lines[0]!, lines[9]!, lines.at(-1)!] }
    }
  }
}

function kept(value: string): string {
  secrets.push(value)
  return value
}

/** Prose with secrets in it, at any distance from where it may be cut. */
function said(count: number): string {
  let text = ''
  for (let n = 0; n < count; n++) {
    for (let word = random(60); word > 0; word--)
      text += `${WORDS[random(WORDS.length)]}${random(9) === 0 ? '\n' : ' '}`
    text += `${secret()} `
  }
  return text + WORDS.join(' ')
}

function headerOf(n: number) {
  const title =
    n % 3 === 0
      ? undefined
      : `${WORDS[n]} ${said(1)}`.replace(/\s+/g, ' ').slice(0, n % 3 === 1 ? 200 : 2_000)
  return { ...(title && { title }), workspace: folder }
}

function messagesOf(n: number) {
  return Array.from({ length: 8 }, (_, i) => {
    const role = (['user', 'assistant', 'tool'] as const)[i % 3]!
    const tools = role === 'tool' && {
      toolResults: [{ callId: `c${i}`, text: said(4) }],
    }
    const calls = role === 'assistant' && {
      toolCalls: [
        {
          id: `c${i + 1}`,
          tool: 'bash',
          args: { command: said(2), env: { API_TOKEN: kept(`${letters(24)}3b`) } },
        },
      ],
    }
    return say(i, role === 'tool' ? '' : said(1 + random(5)), {
      id: `m${n}-${i}`,
      role,
      createdAt: Date.UTC(2026, 4, 1 + n, 10, i),
      ...tools,
      ...calls,
    })
  })
}

function contextFile(): string {
  const entries = Array.from(
    { length: 12 },
    (_, n) => `## 2026-05-${10 + n} 10:00 — ${WORDS[n]} ${said(1).replaceAll('\n', ' ')}\n\n${said(3)}\n`,
  )
  return `# Shop\n\n${entries.join('\n')}`
}

function inputFor(name: string): Record<string, unknown> {
  const chat = `chat-${random(12)}`
  const word = WORDS[random(11)]!
  switch (name) {
    case 'get_first_request':
    case 'list_requests':
      return { sessionId: chat }
    case 'get_request':
      return { sessionId: chat, index: 1 + random(3) }
    case 'search_conversations':
      return {
        query: word,
        snippet_window: 8 + random(400),
        limit_snippets_per_chat: 5,
        ...(random(2) && { response_mode: 'text' }),
        ...(random(2) && { precision_mode: 'fuzzy', expand: 'auto' }),
      }
    case 'gather_chats':
      return {
        chatIds: random(2) ? [chat] : [chat, 'chat-1-', 'chat-2-'],
        ...(random(2) && { max_chars: 2_000 + random(5_000) }),
      }
    case 'list_chats':
      return { sort: ['updated', 'title'][random(2)]!, limit: 1 + random(12) }
    case 'resolve_ids':
      return { chatIdPrefix: 'chat', messageIdPrefix: `m1-${random(8)}` }
    case 'collect_evidence':
      return { chatIds: [chat] }
    case 'usage_metrics':
      return { group_by: 'tool' }
    case 'export_chats':
      return { chatIds: [chat], format: ['markdown', 'json', 'jsonl', 'html', 'finetune-openai'][random(5)] }
    case 'read_context':
      return {
        ...(random(2) && { maxBytes: 100 + random(8_000) }),
        ...(random(2) && { lastSessions: random(5) }),
        format: ['plain', 'markdown'][random(2)],
      }
    default:
      return {}
  }
}
