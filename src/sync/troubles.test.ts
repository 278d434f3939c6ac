import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { addedHomes, configSchema } from '../platform/config.ts'
import { withLinks } from '../platform/test-links.ts'
import { claudeCode } from '../sources/claude-code/index.ts'
import { lmStudio } from '../sources/lm-studio/index.ts'
import type { Source } from '../sources/source.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncInBackground } from './background.ts'
import { syncOnce } from './once.ts'
import type { SyncResult } from './sync.ts'
import { watch } from './watch.ts'

const folders: string[] = []
let home: string
let project: string
let archive: Archive

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-troubles-'))
  folders.push(home)
  project = path.join(home, '.claude', 'projects', '-home-me-proj')
  fs.mkdirSync(project, { recursive: true })
  archive = openSqliteArchive(path.join(home, 'archive'))
})
after(() => {
  for (const each of folders) fs.rmSync(each, { recursive: true, force: true })
})

const GOOD = '3432c3f8-cf30-4411-a70e-7c7f0f745f56'
const LATER = '0b1f6c1e-0000-4000-8000-0000000000a1'

/** A chat of Claude Code with one request. */
function putChat(id: string, words = 'where is the parser'): void {
  const record = {
    type: 'user',
    uuid: `u-${id}`,
    parentUuid: null,
    sessionId: id,
    timestamp: '2026-05-04T09:00:00.000Z',
    cwd: '/home/me/proj',
    message: { role: 'user', content: words },
  }
  fs.writeFileSync(path.join(project, `${id}.jsonl`), `${JSON.stringify(record)}\n`)
}

function selfLink(file: string): void {
  fs.symlinkSync(path.basename(file), file)
}

const options = (sources: Source[] = [claudeCode]) => ({ archive, sources, machine: machineAt(home) })
const sync = async (sources?: Source[]) => (await syncOnce(options(sources))) as SyncResult
const ids = async () => (await archive.listChats({})).map(({ id }) => id)
const problems = async () =>
  (await archive.problems()).map(({ path: file, reason }) => [path.basename(file), reason])

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const patience = Date.now() + 120_000
  while (!(await isSo())) {
    assert.ok(Date.now() < patience, what)
    await sleep(25)
  }
}

test(
  'a folder of an assistant that may not be looked at is noted, not taken for none',
  withLinks,
  async () => {
    const root = path.join(home, '.claude', 'projects')
    fs.rmSync(root, { recursive: true })
    selfLink(root)
    await sync()
    assert.deepEqual(await problems(), [
      ['projects', 'could not be looked at: the link points to itself (ELOOP)'],
    ])
    fs.rmSync(root)
    fs.mkdirSync(project, { recursive: true })
    putChat(GOOD)
    await sync()
    assert.deepEqual([await ids(), await problems()], [[GOOD], []])
  },
)

test('a link that points to itself is noted; all chats beside it are read', withLinks, async () => {
  putChat(GOOD)
  selfLink(path.join(project, 'loop.jsonl'))
  selfLink(path.join(home, '.claude', 'projects', '-round'))
  await sync()
  assert.deepEqual(await ids(), [GOOD])
  const expected = [
    ['loop.jsonl', 'could not be looked at: the link points to itself (ELOOP)'],
    ['-round', 'could not be looked at: the link points to itself (ELOOP)'],
  ]
  assert.deepEqual((await problems()).sort(), expected.sort())
  await sync()
  assert.equal((await problems()).length, 2, 'noted once')
})

test('once it can be looked at, or is gone, its problem is forgotten', withLinks, async () => {
  putChat(GOOD)
  selfLink(path.join(project, `${LATER}.jsonl`))
  selfLink(path.join(project, 'gone.jsonl'))
  await sync()
  assert.equal((await problems()).length, 2)
  fs.rmSync(path.join(project, `${LATER}.jsonl`))
  fs.rmSync(path.join(project, 'gone.jsonl'))
  putChat(LATER)
  await sync()
  assert.deepEqual(await problems(), [])
  assert.deepEqual((await ids()).sort(), [LATER, GOOD].sort())
})

test(
  'a file that could be read and cannot be looked at for a while goes on from where it was',
  withLinks,
  async () => {
    putChat(GOOD)
    await sync()
    const file = path.join(project, `${GOOD}.jsonl`)
    fs.renameSync(file, `${file}.away`)
    selfLink(file)
    await sync()
    assert.equal((await problems()).length, 1)
    fs.rmSync(file)
    fs.renameSync(`${file}.away`, file)
    const again = await sync()
    assert.deepEqual([again.read, again.unchanged], [0, 1], 'its checkpoint was kept')
    assert.deepEqual(await problems(), [])
  },
)

test('problems of a file are forgotten with the file; its chat stays', async () => {
  putChat(GOOD)
  fs.appendFileSync(path.join(project, `${GOOD}.jsonl`), '{bad\n')
  await sync()
  assert.deepEqual(await problems(), [[`${GOOD}.jsonl`, 'not valid JSON']])
  fs.rmSync(path.join(project, `${GOOD}.jsonl`))
  await sync()
  assert.deepEqual(await problems(), [])
  assert.deepEqual(await ids(), [GOOD])
})

for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
  test(`${code} of one file and of one folder: the others are read`, async () => {
    putChat(GOOD)
    putChat(LATER)
    fs.mkdirSync(path.join(home, '.claude', 'projects', '-locked'))
    const fails = (file: unknown) => /0000000000a1\.jsonl$|-locked$/.test(String(file))
    const failing = (real: (...args: never[]) => unknown) =>
      function (this: unknown, ...args: never[]) {
        if (fails(args[0])) throw Object.assign(new Error(`${code}: no`), { code })
        return Reflect.apply(real, this, args)
      }
    mock.method(fs, 'statSync', failing(fs.statSync))
    mock.method(fs, 'readdirSync', failing(fs.readdirSync))
    try {
      await sync()
    } finally {
      mock.restoreAll()
    }
    assert.deepEqual(await ids(), [GOOD])
    assert.deepEqual((await problems()).map(([file]) => file).sort(), ['-locked', `${LATER}.jsonl`].sort())
    await sync()
    assert.deepEqual(await problems(), [])
    assert.equal((await ids()).length, 2)
  })
}

test('a file that does not let itself be opened is tried again, though nothing changed', async () => {
  putChat(GOOD)
  const real = fs.openSync
  mock.method(fs, 'openSync', (...args: Parameters<typeof fs.openSync>) => {
    if (String(args[0]).includes(GOOD))
      throw Object.assign(new Error('EBUSY: held'), { code: 'EBUSY', syscall: 'open' })
    return real(...args)
  })
  try {
    await sync()
    await sync()
  } finally {
    mock.restoreAll()
  }
  assert.deepEqual(await problems(), [
    [`${GOOD}.jsonl`, 'could not be read: another program holds it (EBUSY)'],
  ])
  await sync()
  assert.deepEqual(await problems(), [])
  assert.equal((await archive.messages(await archive.resolveChat(GOOD))).length, 1)
})

test('a document that does not let itself be opened is tried again, though nothing changed', async () => {
  const file = path.join(home, '.lmstudio', 'conversations', '1.conversation.json')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const versions = [{ role: 'user', content: [{ type: 'text', text: 'where is the parser' }] }]
  fs.writeFileSync(file, JSON.stringify({ messages: [{ versions }] }))
  const denied = () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open' })
  }
  const { openSync, readFileSync } = fs
  mock.method(fs, 'openSync', (...args: Parameters<typeof openSync>) =>
    args[0] === file ? denied() : openSync(...args),
  )
  mock.method(fs, 'readFileSync', (...args: Parameters<typeof readFileSync>) =>
    args[0] === file ? denied() : readFileSync(...args),
  )
  try {
    await sync([lmStudio])
  } finally {
    mock.restoreAll()
  }
  assert.deepEqual(await problems(), [
    ['1.conversation.json', 'could not be read: no right to read it (EACCES)'],
  ])
  await sync([lmStudio])
  assert.deepEqual(await problems(), [])
  assert.deepEqual(await ids(), ['1'])
})

test('an assistant whose reader fails keeps no other from being read', async () => {
  putChat(GOOD)
  const broken = (part: Partial<Source>): Source => ({ ...claudeCode, ...part, id: 'broken', name: 'Broken' })
  const fault = () => {
    throw new Error('a fault in the reader')
  }
  for (const part of [{ roots: fault }, { enters: fault }, { unit: fault }] as Partial<Source>[]) {
    await sync([broken(part), claudeCode])
    assert.deepEqual(await ids(), [GOOD])
    const told = (await archive.problems()).map(({ source, reason }) => `${source} ${reason}`)
    assert.deepEqual(told, ['broken could not be looked at: a fault in the reader'])
  }
})

test('what cannot be archived is noted for its file; the others are archived', async () => {
  putChat(GOOD)
  putChat(LATER)
  const reader = await claudeCode.reader()
  const faulty: Source = {
    ...claudeCode,
    reader: async () => ({
      *read(unit, from, machine) {
        for (const found of reader.read(unit, from, machine)) {
          // A value no database takes.
          if ('message' in found && unit.path.includes(LATER))
            yield { ...found, message: { ...found.message, order: {} as number } }
          else yield found
        }
      },
    }),
  }
  await sync([faulty])
  assert.ok((await ids()).includes(GOOD))
  assert.equal((await archive.messages(await archive.resolveChat(GOOD))).length, 1)
  const told = await problems()
  assert.deepEqual(
    told.map(([file]) => file),
    [`${LATER}.jsonl`],
  )
  assert.match(told[0]![1]!, /^could not be archived: /)
})

test('what could not be archived or read to its end is no problem any more once it was', async () => {
  for (const isThrown of [false, true]) {
    putChat(GOOD)
    await sync()
    const line = fs.readFileSync(path.join(project, `${GOOD}.jsonl`), 'utf8')
    const reader = await claudeCode.reader()
    const faulty: Source = {
      ...claudeCode,
      reader: async () => ({
        *read(unit, from, machine) {
          for (const found of reader.read(unit, from, machine)) {
            if ('message' in found && isThrown) throw new Error('a fault')
            yield 'message' in found
              ? { ...found, message: { ...found.message, order: {} as number } }
              : found
          }
        },
      }),
    }
    const more = (id: string) =>
      fs.appendFileSync(path.join(project, `${GOOD}.jsonl`), line.replace('u-', id))
    more('v-')
    await sync([faulty])
    assert.equal((await problems()).length, 1)
    more('w-')
    await sync()
    assert.deepEqual(await problems(), [])
    assert.equal((await archive.messages(await archive.resolveChat(GOOD))).length, 3)
  }
})

test(
  'watching goes on beside links that point to themselves, those that come later too',
  withLinks,
  async () => {
    putChat(GOOD)
    selfLink(path.join(project, 'loop.jsonl'))
    const ending = new AbortController()
    const watching = watch({ ...options(), signal: ending.signal })
    try {
      await until('the first chat', async () => (await ids()).includes(GOOD))
      selfLink(path.join(project, 'later.jsonl'))
      selfLink(path.join(home, '.claude', 'projects', '-round'))
      putChat(LATER)
      await until('the chat beside the links', async () => (await ids()).includes(LATER))
    } finally {
      ending.abort()
      await watching
    }
  },
)

test('the syncing behind reads on beside a link that points to itself', withLinks, async () => {
  putChat(GOOD)
  selfLink(path.join(project, 'loop.jsonl'))
  const told: string[] = []
  const behind = syncInBackground(
    { folder: path.join(home, 'archive'), sources: ['claude-code'], machine: machineAt(home), homes: [] },
    (reason) => told.push(reason),
  )
  try {
    await until('the first chat', async () => (await ids()).includes(GOOD))
    putChat(LATER)
    await until('the later chat', async () => (await ids()).includes(LATER))
    assert.deepEqual(told, [])
  } finally {
    await behind.stop()
  }
})

/** Under a made-up name the paths of the name are not those of the disk. */
const isRenamed = process.platform === 'win32' && path.sep === '/'

test('the syncing behind reads an added home of Windows by the paths of this system', {
  skip: isRenamed,
}, async () => {
  putChat(GOOD)
  const own = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-troubles-'))
  folders.push(own)
  const homes = addedHomes(configSchema.parse({ homes: [{ path: home, platform: 'win32' }] }))
  const behind = syncInBackground(
    { folder: path.join(home, 'archive'), sources: ['claude-code'], machine: machineAt(own), homes },
    () => {},
  )
  try {
    await until('the chat of that home', async () => (await ids()).includes(GOOD))
  } finally {
    await behind.stop()
  }
})

test('a process and a thread that die are started again', async () => {
  const code = path.join(home, 'dying.mjs')
  const starts = path.join(home, 'starts')
  fs.writeFileSync(
    code,
    `import fs from 'node:fs'
     import { onTold, tell } from '${pathToFileURL(path.join(import.meta.dirname, '../platform/beside-line.ts'))}'
     onTold((told) => told === 'stop' && process.exit())
     fs.appendFileSync(${JSON.stringify(starts)}, 'x')
     if (fs.readFileSync(${JSON.stringify(starts)}, 'utf8').length < 3) throw new Error('died')
     tell({ state: 'in step' })`,
  )
  const told: string[] = []
  const behind = syncInBackground(
    { folder: home, sources: [], machine: machineAt(home), homes: [] },
    (reason) => told.push(reason),
    { code: pathToFileURL(code), processCode: pathToFileURL(code), firstMs: 10 },
  )
  // The threads and the timers do not keep this process alive: this does.
  const alive = setInterval(() => {}, 50)
  try {
    await until('the third start', async () => behind.state.state === 'in step')
    assert.deepEqual(told, ['died'])
  } finally {
    await behind.stop()
    clearInterval(alive)
  }
})
