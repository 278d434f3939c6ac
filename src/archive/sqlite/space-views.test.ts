import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import type { Archive, Lease, RemoteChat } from '../archive.ts'
import { openSqliteArchive } from './index.ts'
import { createTables } from './migrate.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-within-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

let whole: Archive
let red: Archive
let hub: Lease

function remote(author: string, id: string, words: string): RemoteChat {
  return {
    author,
    machine: `${author}-machine`,
    chat: {
      source: 'codex',
      id,
      title: `Title ${words}`,
      workspace: `/home/${author}/${words}`,
      repository: `git@host.example:${words}/x.git`,
    },
    messages: [
      {
        id: `${id}-1`,
        order: 0,
        role: 'user',
        kind: 'request',
        createdAt: 1_700_000_000_000,
        text: `asks ${words}`,
      },
      {
        ...{
          id: `${id}-2`,
          order: 1,
          role: 'assistant',
          kind: 'answer',
          text: `common answer ${words}`,
          model: `model-${words}`,
        },
        toolCalls: [{ id: 't1', tool: `tool-${words}`, args: {} }],
        usage: { input: 10, output: 5, cost: 1 },
      },
    ],
  }
}

before(async () => {
  whole = openSqliteArchive(folder)
  const sync = (await whole.takeLease('test')) as Lease
  hub = (await whole.takeLease('test', 'hub')) as Lease
  const page = { kind: 'team' as const, from: 0, to: 1 }
  await whole.applyRemote({ ...page, space: 'red', chats: [remote('anna', 'red1', 'redwine')] }, hub)
  await whole.applyRemote({ ...page, space: 'blue', chats: [remote('bob', 'blue1', 'bluecheese')] }, hub)
  await whole.write(
    [
      {
        ...{
          source: 'codex',
          path: '/local',
          rank: 0,
          generation: 1,
          begins: true,
          completes: false,
          problems: [{ reason: 'localtrouble' }],
        },
        fingerprint: { stamp: '1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
        chats: [{ source: 'codex', id: 'loc1', workspace: '/home/me/localcoffee' }],
        messages: [
          {
            chatId: 'loc1',
            message: { id: 'l1', order: 1, role: 'user', kind: 'request', text: 'localcoffee' },
          },
        ],
      },
    ],
    sync,
  )
  await whole.markSynced(sync)
  red = openSqliteArchive(folder, { spaces: ['red'] })
})
after(async () => {
  await red.close()
  await whole.close()
})

const FOREIGN = /blue|bob|cheese|local|coffee/i

test('all that can be asked of an archive within a space tells nothing of others', async () => {
  const chats = await red.listChats({ subagents: true })
  assert.deepEqual(
    chats.map(({ id }) => id),
    ['red1@anna'],
  )
  const [chat] = chats
  const told: Record<string, unknown> = {
    chats,
    overview: await red.overview(),
    page: await red.pageChats({}, { sort: 'title', limit: 10 }),
    begun: [
      await red.chatsBegunWith('', 100),
      await red.chatsBegunWith('blue', 10),
      await red.chatNamesBegunWith('', 100),
    ],
    messagesBegun: [await red.messagesBegunWith('blue', 10), await red.messagesBegunWith('l1', 10)],
    messages: await red.messages(chat!),
    known: await red.known(chat!),
    outline: await red.outline(chat!),
    units: await red.unitsOf(chat!),
    relatives: await red.relatives(chat!),
    usage: await Promise.all(
      (['day', 'model', 'source', 'workspace', 'tool'] as const).map(async (by) => {
        const { rows, tools, latencies } = await red.usage({}, by)
        return { rows, tools, latencies: [...latencies] }
      }),
    ),
    changes: await red.changes(),
    since: await red.changes(0),
    workspaces: await red.workspaces(),
    newest: await red.newestWorkspaces(8),
    origins: await red.origins(),
    authors: await red.authorsOf([1, 2, 3, 4, 5]),
    counts: [await red.chatCount(), await red.countChats({}), await red.groupChats({}, 'folder')],
    formats: await red.formats(),
    problems: await red.problems(),
    unknown: await red.unknownRecords(),
    secrets: red.secretsSeen(2).size,
  }
  for (const [name, answer] of Object.entries(told))
    assert.ok(
      !FOREIGN.test(JSON.stringify(answer).replaceAll('red1@anna', '')),
      `${name}: ${JSON.stringify(answer)}`,
    )
  assert.equal(await red.chatCount(), 1)
  assert.equal((told.overview as { messages: number }).messages, 2)
  for (const id of ['blue1', 'blue1@bob', 'codex:blue1@bob', 'loc1', '/local', 'blue'])
    await assert.rejects(red.resolveChat(id), (error: Error) => {
      assert.match(error.message, /^Session not found/)
      return true
    })
  // By a key that was seen elsewhere.
  const [foreign] = await whole.listChats({ author: 'bob' })
  assert.deepEqual(await red.outline(foreign!), { requests: [], sizes: [], focus: [] })
  assert.deepEqual((await red.known(foreign!)).messages, [])
})

test('words of others are not found, counted, corrected to or completed', async () => {
  await red.searching((view) => {
    for (const field of ['said', 'thought', 'tools', 'title'] as const) {
      for (const term of ['bluechees', 'bluecheese', 'localcoffe', 'localcoffee']) {
        assert.equal(view.postings(field, term).size, 0, `${field} ${term}`)
        assert.equal(view.messagesWith(field, term), 0)
      }
      for (const letter of 'abcdefghijklmnopqrstuvwxyz')
        for (const { term } of view.termsFrom(field, letter, 1000)) assert.doesNotMatch(term, FOREIGN)
    }
    const { messages, chats } = view.documents
    assert.deepEqual([messages.said, messages.title, chats], [2, 1, 1])
    assert.equal(view.messagesWith('said', 'common'), 1)
    assert.deepEqual([...view.chatKeys({ subagents: true })].length, 1)
    assert.equal(view.nearest('m', [1], () => true, 5).messages.length, 0)
  })
})

test('what comes through the space later is there, and what leaves is gone', async () => {
  await whole.applyRemote(
    { space: 'red', kind: 'team', from: 1, to: 2, chats: [remote('eve', 'red2', 'redrose')] },
    hub,
  )
  const words = () =>
    red.searching((view) =>
      view
        .termsFrom('said', 'red', 10)
        .map(({ term }) => term.slice(0, 6))
        .sort(),
    )
  assert.deepEqual(await words(), ['redros', 'redwin'])
  assert.equal(await red.chatCount(), 2)
  const gone = [{ author: 'eve', source: 'codex', id: 'red2' }]
  await whole.applyRemote({ space: 'red', kind: 'team', from: 2, to: 3, chats: [], gone }, hub)
  assert.deepEqual(await words(), ['redwin'])
  assert.equal(await red.chatCount(), 1)
})

test('nothing can be written, and what is not reading is refused', async () => {
  await assert.rejects(red.takeLease('x'), /only read/)
  await assert.rejects(red.forget([]), /only read/)
  await assert.rejects(red.forgottenChats(), /only read/)
  await assert.rejects(red.spaces(), /only read/)
  await assert.rejects(red.changesSince(undefined), /only read/)
})

test('every table is one that is known to hold nothing of others, or hidden', () => {
  const db = new DatabaseSync(':memory:')
  createTables(db)
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map((row) => String(row.name))
  db.close()
  const source = fs.readFileSync(path.join(import.meta.dirname, 'space-views.ts'), 'utf8')
  // Read by the index reader alone, which leaves out the rest; notes that name no chat; sums and seals of what is hidden.
  const open = ['word_segment', 'word_block', 'setting', 'unsealed', 'unsummed']
  for (const table of tables)
    assert.ok(open.includes(table) || new RegExp(`(?:^|\\W)${table}(?:'|:)`, 'm').test(source), table)
})
