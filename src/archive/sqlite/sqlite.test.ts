import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { Message } from '../../model/chat.ts'
import { termsOfWord } from '../../model/terms.ts'
import type { Archive, Lease, UnitReading } from '../archive.ts'
import { openSqliteArchive } from './index.ts'

const folders: string[] = []
let folder: string
let archive: Archive
let lease: Lease

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-archive-'))
  folders.push(folder)
  archive = openSqliteArchive(folder)
  lease = (await archive.takeLease('test')) as Lease
})
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

function message(id: string, text: string, more: Partial<Message> = {}): Message {
  return {
    id,
    order: Number(id.replace(/\D/g, '')) || 0,
    role: 'user',
    kind: 'request',
    createdAt: 1_700_000_000_000,
    text,
    ...more,
  }
}

function reading(chatId: string, messages: Message[], more: Partial<UnitReading> = {}): UnitReading {
  return {
    source: 'claude-code',
    path: `/home/me/${chatId}.jsonl`,
    rank: 0,
    fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
    generation: 1,
    chats: [{ source: 'claude-code', id: chatId }],
    messages: messages.map((each) => ({ chatId, message: each })),
    problems: [],
    begins: true,
    completes: false,
    ...more,
  }
}

function born(at: number, of: UnitReading): UnitReading {
  return { ...of, fingerprint: { ...of.fingerprint, born: at } }
}

async function texts(chatId: string): Promise<string[]> {
  return (await archive.messages(await archive.resolveChat(chatId))).map(
    (each) => `${each.index} ${each.text}${each.undone ? ' (undone)' : ''}`,
  )
}

async function found(query: string): Promise<string[]> {
  const terms = query.split(' ').map((word) => termsOfWord(word)[0]!)
  return archive.searching((view) => {
    const having = terms.map(
      (term) =>
        new Set(
          (['said', 'thought', 'tools'] as const).flatMap((field) => {
            const { keys, size } = view.postings(field, term)
            return [...keys.subarray(0, size)]
          }),
        ),
    )
    const all = [...having[0]!].filter((key) => having.every((keys) => keys.has(key)))
    return all.map((key) => view.message(key).id).sort()
  })
}

test('the folder and every file in it are private', { skip: process.platform === 'win32' }, async () => {
  await archive.write([reading('c1aa', [message('m1', 'hello')])], lease)
  assert.equal(fs.statSync(folder).mode & 0o777, 0o700)
  for (const name of fs.readdirSync(folder))
    assert.equal(fs.statSync(path.join(folder, name)).mode & 0o777, 0o600, name)
})

test('all that a call used is kept', async () => {
  const usage = { input: 9, output: 8, cached: 7, cacheWrite: 6, reasoning: 5, searches: 4, cost: 0.25 }
  await archive.write([reading('used', [{ ...message('u1', 'found it'), usage }], { path: '/used' })], lease)
  const [told] = await archive.messages(await archive.resolveChat('used'))
  assert.deepEqual(told?.usage, usage)
})

test('a message told again with more in it is replaced, and found by its new words only', async () => {
  await archive.write([reading('c1aa', [message('m1', 'apple pie')])], lease)
  await archive.write([reading('c1aa', [message('m1', 'cherry pie')])], lease)
  assert.deepEqual(await texts('c1aa'), ['0 cherry pie'])
  assert.deepEqual(await found('apple'), [])
  assert.deepEqual(await found('cherry'), ['m1'])
})

test('a chat is named by the first of its requests that tells something, however they come in', async () => {
  const told = ['hi', 'Implement the following plan:\n\n# Add retries to uploads', 'and now the lexer']
  const messages = told.map((text, index) => message(`m${index + 1}`, text))
  for (const each of messages) await archive.write([reading('one-by-one', [each])], lease)
  await archive.write([reading('at-once', messages, { path: '/b' })], lease)
  await archive.write([reading('backwards', messages.toReversed(), { path: '/c' })], lease)
  await archive.write(
    [
      reading('named', messages, {
        path: '/d',
        chats: [{ source: 'claude-code', id: 'named', title: 'Continue' }],
      }),
    ],
    lease,
  )
  const titles = (await archive.listChats({})).map(({ title }) => title)
  assert.deepEqual(titles, Array(4).fill('Add retries to uploads'))
})

test('messages that vanish from their file stay, undone, where they stood', async () => {
  await archive.write(
    [reading('c1aa', [message('m1', 'one'), message('m2', 'two'), message('m3', 'three')])],
    lease,
  )
  const rewound = [message('m1', 'one'), message('m9', 'other', { order: 2 })]
  await archive.write([reading('c1aa', rewound, { generation: 2, completes: true })], lease)
  assert.deepEqual(await texts('c1aa'), ['0 one', '1 two (undone)', '2 three (undone)', '3 other'])
  assert.equal((await archive.resolveChat('c1aa')).requestCount, 2)
  await archive.write([reading('c1aa', [message('m10', 'more')], { generation: 2, begins: false })], lease)
  assert.deepEqual((await texts('c1aa')).at(-1), '4 more')
})

test('what a poorer file told goes when a better one tells the chat', async () => {
  await archive.write([reading('c1aa', [message('t1', 'a transcript line')], { path: '/transcript' })], lease)
  await archive.write(
    [reading('c1aa', [message('m1', 'the session itself')], { path: '/session', rank: 3 })],
    lease,
  )
  await archive.write([reading('c1aa', [], { path: '/transcript', generation: 2, completes: true })], lease)
  assert.deepEqual(await texts('c1aa'), ['0 the session itself'])
  assert.deepEqual(await found('transcript'), [])
})

test('a vanished message that comes back is no longer undone', async () => {
  await archive.write([reading('c1aa', [message('m1', 'one'), message('m2', 'two')])], lease)
  await archive.write([reading('c1aa', [message('m1', 'one')], { generation: 2, completes: true })], lease)
  await archive.write(
    [reading('c1aa', [message('m1', 'one'), message('m2', 'two')], { generation: 3, completes: true })],
    lease,
  )
  assert.deepEqual(await texts('c1aa'), ['0 one', '1 two'])
})

test('of two files that tell one message the higher rank is believed, whichever comes first', async () => {
  const log = reading('c1aa', [message('m1', 'from the log')], { path: '/a.jsonl', rank: 2 })
  const flat = reading('c1aa', [message('m1', 'from the flat file, though it is longer')], {
    path: '/a.json',
    rank: 1,
  })
  await archive.write([log, flat], lease)
  assert.deepEqual(await texts('c1aa'), ['0 from the log'])
  const other = (r: UnitReading) => ({
    ...r,
    chats: [{ source: 'claude-code', id: 'c2bb' }],
    messages: r.messages.map((m) => ({ ...m, chatId: 'c2bb', message: { ...m.message, id: 'n1' } })),
  })
  await archive.write([other(flat), other(log)], lease)
  assert.deepEqual(await texts('c2bb'), ['0 from the log'])
})

test('of two copies of equal rank the fuller message is kept', async () => {
  await archive.write([reading('c1aa', [message('m1', 'short')], { path: '/b.jsonl' })], lease)
  await archive.write([reading('c1aa', [message('m1', 'a longer telling')], { path: '/a.jsonl' })], lease)
  await archive.write(
    [reading('c1aa', [message('m1', 'short')], { path: '/b.jsonl', generation: 2, completes: true })],
    lease,
  )
  assert.deepEqual(await texts('c1aa'), ['0 a longer telling'])
})

test('a fork keeps its copied beginning, is linked, and its copies are found once', async () => {
  const shared = [
    message('m1', 'why is the moon grey'),
    message('m2', 'basalt', { role: 'assistant', kind: 'answer' }),
  ]
  await archive.write([born(1, reading('original', shared))], lease)
  await archive.write([born(2, reading('forked', [...shared, message('m3', 'and mars')]))], lease)
  assert.deepEqual(await texts('forked'), ['0 why is the moon grey', '1 basalt', '2 and mars'])
  assert.equal((await archive.resolveChat('forked')).forkOf, 'original')
  assert.deepEqual(await found('moon'), ['m1'])
  assert.deepEqual(await found('mars'), ['m3'])
})

test('the chat that was there first is the original, whichever is read first', async () => {
  const shared = [message('m1', 'why is the moon grey'), message('m2', 'basalt')]
  await archive.write([born(2, reading('aaaa', [...shared, message('m3', 'and mars')]))], lease)
  await archive.write([born(3, reading('bbbb', [...shared, message('m4', 'and venus')]))], lease)
  await archive.write([born(1, reading('cccc', shared.slice(0, 1)))], lease)
  await archive.write([born(1, reading('cccc', shared.slice(1)))], lease)
  const forks = async () =>
    Promise.all(['aaaa', 'bbbb', 'cccc'].map(async (id) => (await archive.resolveChat(id)).forkOf))
  assert.deepEqual(await forks(), ['cccc', 'cccc', undefined])
  assert.deepEqual(await found('moon'), ['m1'])
  assert.deepEqual(await found('basalt'), ['m2'])
  assert.deepEqual(await copies('cccc'), [false, false])
  assert.deepEqual(await copies('aaaa'), [true, true, false])
  assert.deepEqual(await copies('bbbb'), [true, true, false])
})

test('a chat that ran in the background is the copy, though its file is the older one', async () => {
  const shared = [message('m1', 'why is the moon grey'), message('m2', 'basalt')]
  const inBackground = born(1, reading('aaaa', [...shared, message('m3', 'and mars')]))
  inBackground.chats = [{ source: 'claude-code', id: 'aaaa', background: true }]
  await archive.write([inBackground], lease)
  await archive.write([born(2, reading('bbbb', shared))], lease)
  assert.deepEqual(await copies('aaaa'), [true, true, false])
  assert.deepEqual(await copies('bbbb'), [false, false])
  assert.equal((await archive.resolveChat('aaaa')).forkOf, 'bbbb')
})

test('a chat that turns out to be a copy later gives its words back', async () => {
  const shared = [message('m1', 'why is the moon grey'), message('m2', 'basalt')]
  await archive.write([born(1, reading('aaaa', shared)), born(2, reading('bbbb', shared))], lease)
  assert.deepEqual(await copies('bbbb'), [true, true])
  const told = reading('aaaa', [], { begins: false })
  told.chats = [{ source: 'claude-code', id: 'aaaa', forkOf: 'bbbb' }]
  await archive.write([told], lease)
  assert.deepEqual(await copies('aaaa'), [true, true])
  assert.deepEqual(await copies('bbbb'), [false, false])
  assert.equal((await archive.resolveChat('bbbb')).forkOf, undefined)
  assert.deepEqual(await found('basalt'), ['m2'])
})

async function copies(chatId: string): Promise<boolean[]> {
  return (await archive.messages(await archive.resolveChat(chatId))).map((each) => each.copy ?? false)
}

test('equal ids in unrelated chats are no fork', async () => {
  await archive.write([reading('aaaa', [message('m1', 'first')])], lease)
  await archive.write([reading('bbbb', [message('m1', 'second', { createdAt: 1_600_000_000_000 })])], lease)
  assert.deepEqual(await found('second'), ['m1'])
  assert.equal((await archive.resolveChat('bbbb')).forkOf, undefined)
})

test('injected context is kept but never found', async () => {
  await archive.write([reading('c1aa', [message('m1', 'reminder zebra', { kind: 'injected' })])], lease)
  assert.deepEqual(await texts('c1aa'), ['0 reminder zebra'])
  assert.deepEqual(await found('zebra'), [])
})

test('forget erases every byte, and sync does not bring the chat back', async () => {
  const secret = 'xylophonequartz'
  const detail = { thinking: `${secret}thought`, toolResults: [{ callId: 't', text: `${secret}result` }] }
  await archive.write(
    [
      reading('c1aa', [message('m1', `${secret} spoken`, detail)]),
      reading('c2bb', [message('m2', 'harmless')]),
    ],
    lease,
  )
  const checkpoint = { offset: 10, state: { last: secret } }
  await archive.write(
    [
      reading('c1aa', [], {
        checkpoint,
        chats: [{ source: 'claude-code', id: 'c1aa', title: `${secret} title` }],
      }),
    ],
    lease,
  )
  assert.ok(bytesHave(secret))

  const forgotten = await archive.forget([await archive.resolveChat('c1aa')])
  assert.deepEqual(forgotten, { chats: 1, messages: 1, pending: false })
  assert.ok(!bytesHave(secret), 'the words are still in a file of the archive')
  await archive.write(
    [reading('c1aa', [message('m1', `${secret} spoken`)], { generation: 2, checkpoint })],
    lease,
  )
  await assert.rejects(archive.resolveChat('c1aa'), /Session not found: c1aa/)
  assert.ok(!bytesHave(secret))
  assert.deepEqual(await found('harmless'), ['m2'])
})

function bytesHave(text: string): boolean {
  return fs.readdirSync(folder).some((name) => fs.readFileSync(path.join(folder, name)).includes(text))
}

test('forgetting a chat forgets its sub-agents too', async () => {
  await archive.write([reading('parent', [message('m1', 'a')])], lease)
  const child = reading('child', [message('m2', 'b')])
  child.chats = [{ source: 'claude-code', id: 'child', parentId: 'parent', subagent: true }]
  await archive.write([child], lease)
  assert.equal((await archive.forget([await archive.resolveChat('parent')])).chats, 2)
})

test('ids resolve whole, by a beginning, with their source, and by file; never by guess', async () => {
  await archive.write(
    [reading('abcd-1111', [message('m1', 'one')]), reading('abcd-2222', [message('m2', 'two')])],
    lease,
  )
  const id = async (reference: string) => (await archive.resolveChat(reference)).id
  assert.equal(await id('abcd-1111'), 'abcd-1111')
  assert.equal(await id('abcd-2'), 'abcd-2222')
  assert.equal(await id('claude-code:abcd-1'), 'abcd-1111')
  assert.equal(await id('/home/me/abcd-2222.jsonl'), 'abcd-2222')
  await assert.rejects(id('abcd'), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'AMBIGUOUS_ID')
    assert.match(error.message, /abcd-1111[\s\S]*abcd-2222|abcd-2222[\s\S]*abcd-1111/)
    return true
  })
  await assert.rejects(id('abc'), /Session not found: abc/)
  await assert.rejects(id('zzzz'), { code: 'SESSION_NOT_FOUND' })
  for (const odd of ['%', "'; DROP TABLE chat", 'a*b_c%', '\u0000', ''])
    await assert.rejects(id(odd), { code: 'SESSION_NOT_FOUND' })
})

test('only the holder of the lease writes', async () => {
  const second = openSqliteArchive(folder)
  const other = await second.takeLease('test')
  assert.ok('pid' in other && other.pid === process.pid)
  await assert.rejects(second.write([reading('c1aa', [])], { holder: 'somebody else' }), {
    code: 'LEASE_LOST',
  })
  await archive.releaseLease(lease)
  assert.ok('holder' in (await second.takeLease('test')))
  await assert.rejects(archive.write([reading('c1aa', [])], lease), { code: 'LEASE_LOST' })
  await second.close()
})

test('a workspace is found by its path, by folders above it, and by its name', async () => {
  const inFolder = (id: string, workspace: string) =>
    reading(id, [message('m1', id)], { chats: [{ source: 'claude-code', id, workspace }] })
  await archive.write(
    [
      inFolder('aaaa', '/home/me/shop'),
      inFolder('bbbb', '/home/me/shop/api'),
      inFolder('cccc', '/home/me/shopping'),
    ],
    lease,
  )
  const ids = async (workspace: string) =>
    (await archive.listChats({ workspace })).map((chat) => chat.id).sort()
  assert.deepEqual(await ids('/home/me/shop'), ['aaaa', 'bbbb'])
  assert.deepEqual(await ids('/home/me/shop/'), ['aaaa', 'bbbb'])
  assert.deepEqual(await ids('Shop'), ['aaaa'])
  assert.deepEqual(await ids('sh_p'), [])
})

test('one folder of Windows is found by each of its spellings, and counted once', async () => {
  const inFolder = (id: string, workspace: string) =>
    reading(id, [message(`m-${id}`, id)], { chats: [{ source: 'claude-code', id, workspace }] })
  await archive.write(
    [
      inFolder('aaaa', 'C:\\Work\\Proj'),
      inFolder('bbbb', 'c:\\Work\\Proj'),
      inFolder('cccc', 'C:\\Work\\Proj\\sub'),
      inFolder('dddd', 'C:\\Work\\Proj2'),
    ],
    lease,
  )
  const spellings = [
    'C:\\Work\\Proj',
    'c:\\work\\proj\\',
    'C:/Work/Proj',
    'file:///c%3A/Work/Proj',
    '/mnt/c/Work/Proj',
    '\\\\?\\C:\\Work\\Proj',
  ]
  for (const workspace of spellings) {
    const found = await archive.listChats({ workspace })
    assert.deepEqual(found.map((chat) => chat.id).sort(), ['aaaa', 'bbbb', 'cccc'], workspace)
  }
  const workspaces = await archive.workspaces()
  assert.deepEqual(workspaces.map(({ chats }) => chats).sort(), [1, 1, 2])
  const newest = await archive.newestWorkspaces(8)
  const anyCase = (folders: string[]) => folders.map((folder) => folder.toLowerCase()).sort()
  assert.deepEqual(anyCase(newest), anyCase(workspaces.map(({ path }) => path)))
  assert.equal((await archive.newestWorkspaces(2)).length, 2)
  const { rows } = await archive.usage({}, 'workspace')
  assert.deepEqual(rows.map(({ messages }) => messages).sort(), [1, 1, 2])
})
