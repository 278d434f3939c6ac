import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Lease } from '../archive/archive.ts'
import { connect } from '../archive/sqlite/connection.ts'
import { lookFurther } from '../archive/sqlite/seen-secrets.ts'
import { allCapabilities } from '../capabilities/index.ts'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { forgetterFor } from './forgetter.ts'
import { readerFor } from './reader.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

/** What was a secret once in a chat is masked everywhere in it, also where it is said without a name. */

const SECRET = 'hunter2xyz'
const OTHER = 'Tr0mbone-77q'
const AGENT: Caller = { kind: 'agent', budget: 9_000 }

let at: Bench
let service: Service

beforeEach(() => {
  at = bench()
  service = serviceAt(at, [...allCapabilities])
})
afterEach(() => at.close())

/** Named in message 3, said alone in messages 0, 20 and 40, and as the title. */
async function archived(): Promise<void> {
  const messages = Array.from({ length: 41 }, (_, n) =>
    say(n, n === 3 ? `Set DB_PASSWORD=${SECRET} there` : `step ${n} of the migration`, {
      role: n % 2 ? 'assistant' : 'user',
    }),
  )
  messages[0] = say(0, `why does ${SECRET} fail at the login of the warehouse`)
  messages[20] = say(20, '', {
    role: 'assistant',
    toolCalls: [{ id: 'c', tool: 'bash', args: { command: `login ${SECRET}` } }],
  })
  messages[40] = say(40, `and now the warehouse says that ${SECRET} is wrong`)
  await at.write({ id: 'chat-with-a-password', title: `Trying ${SECRET}` }, messages)
  await at.write({ id: 'chat-of-another-one' }, [
    say(0, `in the warehouse ${SECRET} is only a name`, { id: 'another' }),
  ])
}

async function asked(name: string, given: object): Promise<string> {
  const { answer, failure } = await call(service, name, given, AGENT)
  assert.equal(failure, undefined, name)
  return JSON.stringify(answer)
}

async function checkAll(): Promise<void> {
  const id = 'chat-with-a-password'
  const calls: [string, object][] = [
    ['gather_chats', { chatIds: [id], from: 40, to: 40 }],
    ['gather_chats', { chatIds: [id, 'chat-of-another-one'], from: 40 }],
    ['gather_chats', { chatIds: [id], from: 20, to: 20 }],
    ['get_first_request', { sessionId: id }],
    ['list_requests', { sessionId: id }],
    ['get_request', { sessionId: id, index: 21 }],
    ['list_chats', {}],
    ['resolve_ids', { chatIdPrefix: 'chat-with' }],
    ['collect_evidence', { chatIds: [id] }],
    ['export_chats', { chatIds: [id], format: 'markdown' }],
    ['search_conversations', { query: 'warehouse says wrong', topK_chats: 1 }],
    ['search_conversations', { regex: 'says that \\w+', topK_chats: 1 }],
    ['search_conversations', { query: 'trying', topK_chats: 1 }],
  ]
  for (const [name, given] of calls) {
    const said = (await asked(name, given)).replace(/[^"]*is only a name[^"]*/g, '')
    assert.ok(!said.includes(SECRET), `${name} ${JSON.stringify(given)}\n${said}`)
  }
  const last = await asked('gather_chats', { chatIds: [id], from: 40, to: 40 })
  assert.match(last, /and now the warehouse says that \[redacted: secret\] is wrong/)
  // Elsewhere it is a word like others.
  assert.match(await asked('gather_chats', { chatIds: ['chat-of-another-one'] }), /hunter2xyz is only a name/)
  const reader = readerFor(service, { kind: 'owner' })
  const read = [
    await reader.open(id),
    await reader.messages(id, { from: 40, to: 40 }),
    await reader.message(id, 20),
    await reader.find(id, SECRET),
    await reader.chats({ titleContains: 'Trying' }),
    await reader.archived(id),
  ]
  for (const each of read) assert.ok(!JSON.stringify(each).includes(SECRET), JSON.stringify(each))
  const shown = await call(service, 'read_chat', { chatId: id, from: 40 }, { kind: 'owner' })
  assert.ok(!JSON.stringify(shown).includes(SECRET))
  const revealed = await call(service, 'read_chat', { chatId: id, from: 40 }, { kind: 'owner', reveal: true })
  assert.ok(JSON.stringify(revealed).includes(SECRET))
}

test('before anybody looked through the chat', async () => {
  await archived()
  await checkAll()
})

test('after a sync looked through it, and when it goes on', async () => {
  await archived()
  const lease = (await at.archive.takeLease('test')) as Lease
  await at.archive.markSynced(lease)
  await at.archive.releaseLease(lease)
  assert.equal(at.archive.secretsSeen((await at.archive.resolveChat('chat-with-a-password')).key).size, 1)
  await checkAll()
  await at.write({ id: 'chat-with-a-password' }, [
    say(41, `the new api_key: "${OTHER}" then`),
    say(42, `${OTHER} or ${SECRET} it is`),
  ])
  const said = await asked('gather_chats', { chatIds: ['chat-with-a-password'], from: 42, to: 42 })
  assert.match(said, /\[redacted: secret\] or \[redacted: secret\] it is/)
})

test('while nothing else is to be done, what waits is looked through, and nothing that was written meanwhile is passed over', async () => {
  await archived()
  const { key } = await at.archive.resolveChat('chat-with-a-password')
  await at.write({ id: 'chat-with-a-password' }, [say(43, `DB_PASSWORD=${OTHER}`)])
  const connection = connect(await at.archive.folder())
  const waiting = () =>
    connection.prepare('SELECT chat FROM secret_todo WHERE chat = ?').get(key) !== undefined
  assert.equal(waiting(), true)
  // Somebody else writes before what was found is noted.
  const other = connect(await at.archive.folder())
  const disturbed = {
    ...connection,
    transaction<T>(work: () => T): T {
      other.prepare(`INSERT OR REPLACE INTO setting (name, value) VALUES ('test', 1)`).run()
      return connection.transaction(work)
    },
  }
  assert.equal(
    lookFurther(
      disturbed,
      () => {},
      () => {},
    ),
    true,
  )
  assert.equal(waiting(), true)
  other.close()
  const lease = (await at.archive.takeLease('test')) as Lease
  for (let turn = 0; turn < 50 && waiting(); turn++) await at.archive.lookForSecrets(lease)
  assert.equal(waiting(), false)
  assert.ok(
    Number(connection.prepare('SELECT count(*) AS n FROM chat_secret WHERE chat = ?').get(key)!.n) >= 2,
  )
  await at.archive.releaseLease(lease)
  connection.close()
  await checkAll()
})

test('what is not synced yet counts too', async () => {
  const folder = path.join(at.home, '.claude/projects/-home-me-shop')
  fs.mkdirSync(folder, { recursive: true })
  const id = '7b0a3f43-1a5e-4d0c-9d0c-0a3b1f2c4d5e'
  const file = path.join(folder, `${id}.jsonl`)
  const line = (n: number, content: string) =>
    `${JSON.stringify({
      ...{ parentUuid: n ? `u${n - 1}` : null, isSidechain: false, userType: 'external', type: 'user' },
      ...{ cwd: '/home/me/shop', sessionId: id, version: '2.1.325', uuid: `u${n}` },
      ...{ timestamp: `2026-05-01T10:0${n}:00.000Z`, message: { role: 'user', content } },
    })}\n`
  fs.writeFileSync(file, line(0, `the warehouse: ${SECRET}`))
  await at.sync()
  fs.appendFileSync(file, line(1, `DB_PASSWORD=${SECRET}`) + line(2, `and ${SECRET} alone`))
  assert.match(
    await asked('get_request', { sessionId: id, index: 3 }),
    /"request":"and \[redacted: secret\] alone"/,
  )
  assert.match(await asked('get_first_request', { sessionId: id }), /the warehouse: \[redacted: secret\]/)
  const reader = readerFor(service, { kind: 'owner' })
  assert.match(
    JSON.stringify(await reader.messages(id, { from: 2, to: 2 })),
    /and \[redacted: secret\] alone/,
  )
})

/** With capitals, which the key of a model has not. */
const NAMED = 'Hunter2Xyz'

/** A chat that names a password, and has it in its folder, its model, its tools and the name of an argument. */
async function archivedWithNames(): Promise<void> {
  const named = { role: 'assistant', model: `claude-${NAMED}` } as const
  await at.write(
    {
      id: 'chat-with-names',
      title: `Trying ${NAMED}`,
      workspace: `/home/me/${NAMED}`,
      repository: `github.com/me/${SECRET}`,
      resume: `claude --cwd /home/me/${NAMED} --resume chat-with-names`,
    },
    [
      say(0, 'the login of the warehouse'),
      say(1, '', {
        ...named,
        usage: { input: 5, output: 5 },
        toolCalls: [
          { id: 'c', tool: `mcp__${NAMED}__ask`, args: { [NAMED]: 1, [`${NAMED}!`]: { deep: 2 } } },
        ],
      }),
      say(2, '', { ...named, role: 'tool', kind: 'tool', toolResults: [{ callId: 'c', error: 'refused' }] }),
      say(3, `Set DB_PASSWORD=${NAMED} and PROXY_PASSWORD=${SECRET} there`),
    ],
    path.join(at.folder, `${NAMED}.jsonl`),
  )
  fs.writeFileSync(path.join(at.folder, `${NAMED}.jsonl`), '')
  await at.write({ id: 'chat-of-another-one', forkOf: 'chat-with-names' }, [
    say(0, 'else', { id: 'another' }),
  ])
}

async function checkNames(): Promise<void> {
  const id = 'chat-with-names'
  const reader = readerFor(service, { kind: 'owner' })
  const chats = await at.archive.listChats({}, { limit: 10 })
  const read = {
    family: await reader.family('chat-of-another-one'),
    files: await reader.files(chats),
    folders: await reader.groups({}, 'folder'),
    workspaces: await reader.workspaces(),
    origins: await reader.origins(),
    facets: await reader.facets({}),
    foundFacets: await reader.facets({ query: 'warehouse' }),
    whole: await reader.whole(id),
    elsewhere: await forgetterFor(service, { kind: 'owner' }).elsewhere(at.folder, chats),
  }
  for (const [name, each] of Object.entries(read)) {
    const said = JSON.stringify(each)
    assert.ok(!said.toLowerCase().includes(NAMED.toLowerCase()), `${name}\n${said}`)
    assert.match(said, /\[redacted: secret\]/, name)
  }
  const calls: [string, object][] = [
    ['usage_metrics', {}],
    ['usage_metrics', { group_by: 'tool' }],
    ['usage_metrics', { group_by: 'model' }],
    ['usage_metrics', { group_by: 'workspace' }],
    ['usage_metrics', { group_by: 'repository' }],
    ['usage_metrics', { group_by: 'chat' }],
    ['list_chats', { workspace: '/nope' }],
    ['list_chats', { repository: 'nope' }],
    ['get_resume_command', { workspace: at.folder, sessionId: id }],
    ['gather_chats', { chatIds: [id], includeTools: true }],
    ['export_chats', { chatIds: [id], format: 'json' }],
  ]
  for (const [name, given] of calls) {
    const said = await asked(name, given)
    assert.ok(!said.toLowerCase().includes(NAMED.toLowerCase()), `${name} ${JSON.stringify(given)}\n${said}`)
    assert.match(said, /\[redacted: secret\]/, `${name} ${JSON.stringify(given)}\n${said}`)
  }
  // Whoever runs the command gets it as it is.
  const owner = readerFor(service, { kind: 'owner', reveal: true })
  assert.match((await owner.open(id)).chat.resume ?? '', /--cwd \/home\/me\/Hunter2Xyz/)
}

test('lists that are made of many chats have it in no name either', async () => {
  await archivedWithNames()
  await checkNames()
  const lease = (await at.archive.takeLease('test')) as Lease
  await at.archive.markSynced(lease)
  await at.archive.releaseLease(lease)
  await checkNames()
})

test('ordinary words that once were a password mask nothing', async () => {
  await at.write({ id: 'chat-of-words' }, [
    say(0, 'password: "warehouse" and password=swordfish99 and DB_PASSWORD=staging-2024'),
    say(1, 'the warehouse of staging-2024 has fish', { role: 'assistant' }),
  ])
  const said = await asked('gather_chats', { chatIds: ['chat-of-words'], from: 1, to: 1 })
  assert.match(said, /the warehouse of staging-2024 has fish/)
})

test('nobody finds out what a secret in a title is by asking for titles', async () => {
  await archived()
  const found = async (title: string) => /chat-with-a-password/.test(await asked('list_chats', { title }))
  assert.ok(await found('trying'))
  for (const guess of [SECRET, 'Trying h', 'Trying hu', 'hunter2', 'g [redacted'])
    assert.equal(await found(guess), false, guess)
})
