import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteArchive } from '../../archive/sqlite/index.ts'
import { zipped } from '../../sources/imports/test-files.ts'

const root = path.join(import.meta.dirname, '../../..')
const fixtures = path.join(root, 'src/sources/imports/fixtures')
const folders: string[] = []
let home: string
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-import-test-'))
  folders.push(home)
})
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
})

/** The sources, or what `npm test` bundled of them. */
const recollect = process.env.RECOLLECT_TESTED ?? path.join(root, 'bin', 'recollect')
const command = (...args: string[]) => [recollect, 'import', ...args]
const env = () => ({
  ...process.env,
  RECOLLECT_HOME: path.join(home, 'archive'),
  TMPDIR: home,
  // What is kept in the folder for temporary files otherwise: compiled once, not once for each test.
  NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache'),
})

function recollectImport(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, command(...args), {
    env: env(),
    encoding: 'utf8',
  })
  return { stdout, stderr, status }
}

function importJson(...args: string[]) {
  const { stdout, status } = recollectImport(...args, '--json')
  return { ...JSON.parse(stdout), status }
}

const fixture = (name: string) => fs.readFileSync(path.join(fixtures, name), 'utf8')

async function withArchive<T>(
  work: (archive: ReturnType<typeof openSqliteArchive>) => Promise<T>,
): Promise<T> {
  const archive = openSqliteArchive(path.join(home, 'archive'))
  try {
    return await work(archive)
  } finally {
    await archive.close()
  }
}

test('importing twice adds nothing, and a later export only what is new', async () => {
  const [tulips, greeting] = JSON.parse(fixture('chatgpt.json'))
  const file = path.join(home, 'export.zip')
  const shards = [tulips, greeting].map((chat, index) => ({
    name: `conversations-00${index}.json`,
    data: JSON.stringify([chat]),
  }))
  fs.writeFileSync(file, zipped([...shards, { name: 'user.json', data: '{}' }]))
  const first = importJson(file)
  const row = { source: 'chatgpt', name: 'ChatGPT', chats: 2, messages: 17, problems: 0 }
  assert.deepEqual(first.sources, [
    { ...row, chatsAdded: 2, messagesAdded: 17, messagesChanged: 0, messagesUnchanged: 0 },
  ])
  assert.equal(first.files, 2)
  const again = importJson(file)
  assert.deepEqual(again.sources, [
    { ...row, chatsAdded: 0, messagesAdded: 0, messagesChanged: 0, messagesUnchanged: 17 },
  ])

  greeting.mapping.a.children = ['q3']
  greeting.mapping.q3 = {
    parent: 'q',
    children: [],
    message: { ...greeting.mapping.a.message, id: 'q3', create_time: greeting.update_time + 60 },
  }
  greeting.current_node = 'q3'
  greeting.update_time += 60
  const later = path.join(home, 'zz-later.json')
  fs.writeFileSync(later, JSON.stringify([tulips, greeting]))
  const [grown] = importJson(later).sources
  assert.deepEqual([grown.chatsAdded, grown.messagesAdded, grown.messagesChanged], [0, 1, 1])
  // The older export again: what it knows less is not believed.
  const [older] = importJson(file).sources
  assert.deepEqual([older.messagesAdded, older.messagesChanged], [0, 0])
  await withArchive(async (archive) => {
    const messages = await archive.messages(await archive.resolveChat(`chatgpt:${greeting.conversation_id}`))
    assert.deepEqual(
      messages.map(({ id, undone }) => id + (undone ? ' undone' : '')),
      ['q', 'a undone', 'q3'],
    )
    assert.deepEqual(await archive.check(), [])
  })
})

test('what was read where its assistant keeps it is believed before an export of it', async () => {
  await withArchive(async (archive) => {
    const lease = await archive.takeLease('test')
    assert.ok('holder' in lease)
    await archive.write(
      [
        {
          source: 'vscode',
          path: '/live',
          rank: 0,
          fingerprint: { stamp: '', inode: 0, size: 0, mtime: 0, head: '', tail: '' },
          generation: 1,
          chats: [{ source: 'vscode', id: 'request_1' }],
          messages: [
            {
              chatId: 'request_1',
              message: { id: 'request_1', order: 0, role: 'user', kind: 'request', text: 'As it was' },
            },
          ],
          problems: [],
          begins: true,
          completes: false,
        },
      ],
      lease,
    )
    await archive.releaseLease(lease)
  })
  const [row] = importJson(path.join(fixtures, 'vscode.json')).sources
  assert.deepEqual([row.chatsAdded, row.messagesAdded, row.messagesChanged], [0, 1, 0])
  await withArchive(async (archive) => {
    const [request] = await archive.messages(await archive.resolveChat('request_1'))
    assert.equal(request!.text, 'As it was')
  })
})

test('a folder of several kinds, told to people', () => {
  const folder = path.join(home, 'exports')
  fs.cpSync(fixtures, folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), '{}')
  fs.writeFileSync(path.join(folder, 'cut.json'), fixture('claude-ai.json').slice(0, -100))
  const { stdout, status } = recollectImport(folder)
  assert.equal(status, 0)
  assert.match(stdout, /^ChatGPT: 2 chats \(2 new\), 17 messages \(17 new, 0 changed\)\.$/m)
  assert.match(stdout, /^LibreChat: 2 chats/m)
  assert.match(stdout, /^1 problem:$/m)
  assert.match(stdout, /cut\.json at byte \d+: the file ends before its list does$/m)
})

test('a dry run tells what it would read, and writes nothing', () => {
  const { stdout } = recollectImport(path.join(fixtures, 'open-webui.json'), '--dry-run')
  assert.equal(stdout, 'Open WebUI: 1 chat, 9 messages.\nNothing was written.\n')
  assert.ok(!fs.existsSync(path.join(home, 'archive')))
})

test('an unknown kind is an error that says what was looked for, and leaves no archive', () => {
  const file = path.join(home, 'x.json')
  fs.writeFileSync(file, '{"hello": "world"}')
  const { stderr, status } = recollectImport(file)
  assert.equal(status, 2)
  assert.match(stderr, /Nothing in ".*x\.json" is an export/)
  assert.match(stderr, /ChatGPT's data export/)
  assert.ok(!fs.existsSync(path.join(home, 'archive')))
  assert.equal(importJson(file).error.code, 'UNKNOWN_IMPORT')
  assert.equal(importJson(path.join(home, 'missing.json')).error.code, 'FILE_NOT_FOUND')
})

test('Ctrl-C keeps what was imported', async () => {
  const file = path.join(home, 'conversations.json')
  const text = 'some words of a message that is not long, but long enough. '.repeat(20)
  const chat = (index: number) => ({
    uuid: `c${index}`,
    chat_messages: Array.from({ length: 10 }, (_, place) => ({
      uuid: `${index}-${place}`,
      sender: 'human',
      text,
    })),
  })
  const fd = fs.openSync(file, 'w')
  for (let index = 0; index < 1_500; index++)
    fs.writeSync(fd, `${index === 0 ? '[' : ','}${JSON.stringify(chat(index))}`)
  fs.writeSync(fd, ']')
  fs.closeSync(fd)
  const child = spawn(process.execPath, command(file, '--json'), { env: env() })
  let stdout = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  const ended = once(child, 'close')
  // Any of them may be gone between being named and being looked at.
  const sizeOf = (name: string) =>
    fs.statSync(path.join(home, 'archive', name), { throwIfNoEntry: false })?.size ?? 0
  const written = () =>
    fs.existsSync(path.join(home, 'archive')) &&
    fs.readdirSync(path.join(home, 'archive')).some((name) => sizeOf(name) > 1_000_000)
  while (!written() && child.exitCode === null) await sleep(20)
  child.kill('SIGINT')
  const [code] = await ended
  assert.equal(code, 130)
  const result = JSON.parse(stdout)
  assert.equal(result.interrupted, true)
  const [row] = result.sources
  assert.ok(row.messagesAdded > 0 && row.messagesAdded < 15_000, String(row.messagesAdded))
  const [rest] = importJson(file).sources
  assert.equal(rest.messagesAdded, 15_000 - row.messagesAdded)
  assert.deepEqual(
    fs.readdirSync(home).filter((name) => name.startsWith('recollect-import')),
    [],
  )
})
