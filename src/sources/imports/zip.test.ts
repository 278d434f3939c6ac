import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { canLink } from '../../platform/test-links.ts'
import { randomFrom } from '../mutations.ts'
import { filesOf } from './files.ts'
import { mayHoldChats } from './import-file.ts'
import { tempFolder, type ZipEntry, zipped } from './test-files.ts'

const folder = tempFolder()
const CHATS = { name: 'conversations.json', data: '[{"uuid":"a","chat_messages":[]}]' }

/** What a target offers: `name: content`, or what is wrong with it. */
async function offered(target: string): Promise<string[]> {
  const seen: string[] = []
  const extent = { files: 0, bytes: 0 }
  for await (const file of filesOf(target, extent)) {
    const where = path.relative(folder, file.origin)
    seen.push(
      file.path === undefined ? `${where} ! ${file.problem}` : `${where}: ${fs.readFileSync(file.path)}`,
    )
    if (file.path !== undefined && file.path !== file.origin && process.platform !== 'win32')
      assert.equal(fs.statSync(file.path).mode & 0o777, 0o600)
  }
  return seen
}

async function zip(entries: ZipEntry[], change = (bytes: Buffer) => bytes): Promise<string[]> {
  const file = path.join(folder, 'x.zip')
  fs.writeFileSync(file, change(zipped(entries)))
  return offered(file)
}

const refused = (why: RegExp) => ({ code: 'UNSAFE_ZIP', message: why })

test('the chats of a zip, and nothing else of it', async () => {
  assert.deepEqual(
    await zip([
      { name: 'folder/', data: '' },
      { name: 'folder/conversations-001.json', data: '[2]' },
      { name: 'folder/conversations-000.json', data: '[1]', stored: true },
      { name: 'chat.html', data: '<html>' },
      { name: 'providers.json', data: '{"key":"secret"}' },
      { name: '__MACOSX/._conversations.json', data: 'x' },
      { name: '__MACOSX/conversations.json', data: 'x' },
    ]),
    ['x.zip!/folder/conversations-000.json: [1]', 'x.zip!/folder/conversations-001.json: [2]'],
  )
})

test('zips in a zip are opened, those in them not', async () => {
  const inner = zipped([CHATS, { name: 'deeper.zip', data: zipped([CHATS]) }])
  assert.deepEqual(await zip([{ name: 'conversations-000.zip', data: inner, stored: true }]), [
    `x.zip!/conversations-000.zip!/conversations.json: ${CHATS.data}`,
    'x.zip!/conversations-000.zip!/deeper.zip ! a zip in a zip in a zip is not opened',
  ])
})

test('tricks are refused before anything is unpacked', async () => {
  const zeros = Buffer.alloc(30_000_000)
  const tricks: [entry: ZipEntry, why: RegExp][] = [
    [{ name: '../evil.json', data: '1' }, /points out of it/],
    [{ name: 'a/../../evil.json', data: '1' }, /points out of it/],
    [{ name: '..\\evil.json', data: '1' }, /points out of it/],
    [{ name: '/etc/evil.json', data: '1' }, /points out of it/],
    [{ name: 'C:/evil.json', data: '1' }, /points out of it/],
    [{ name: 'link.json', data: '/etc/passwd', attributes: 0o120777 * 0x10000 }, /is a link/],
    [{ name: 'secret.json', data: '1', flags: 0x801 }, /is encrypted/],
    [{ name: 'zeros.json', data: zeros }, /200 times its size/],
    [{ name: 'zeros.bin', data: zeros }, /200 times its size/],
  ]
  for (const [entry, why] of tricks) await assert.rejects(zip([CHATS, entry]), refused(why), entry.name)
})

test('an entry that unpacks to another size than it says is not read', async () => {
  const seen = await zip([CHATS, { name: 'liar.json', data: 'x'.repeat(100_000), size: 10 }])
  assert.equal(seen[0], `x.zip!/conversations.json: ${CHATS.data}`)
  assert.match(seen[1]!, /^x\.zip!\/liar\.json ! /)
  assert.equal(seen.length, 2)
})

test('entries that share their bytes are refused', async () => {
  const bytes = zipped([CHATS, { ...CHATS, name: 'conversations.jso2' }])
  const second = bytes.lastIndexOf('PK\x01\x02')
  bytes.writeUInt32LE(0, second + 42)
  await assert.rejects(
    zip([], () => bytes),
    refused(/share their bytes/),
  )
})

test('a zip that was cut off', async () => {
  await assert.rejects(
    zip([CHATS], (bytes) => bytes.subarray(0, bytes.length - 30)),
    { code: 'DAMAGED_ZIP' },
  )
})

test('a damaged zip is refused or told of, and never more', async () => {
  const whole = zipped([CHATS, { name: 'inner.zip', data: zipped([CHATS]), stored: true }])
  const random = randomFrom(3)
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(
      whole.subarray(0, round % 4 === 0 ? Math.floor(random() * whole.length) : undefined),
    )
    for (let hits = round % 3; hits >= 0; hits--)
      bytes[Math.min(bytes.length - 1, 4 + Math.floor(random() * bytes.length))] = Math.floor(random() * 256)
    try {
      await zip([], () => bytes)
    } catch (error) {
      assert.match((error as { code: string }).code, /^(UNSAFE_ZIP|DAMAGED_ZIP)$/)
    }
  }
})

test('the files of a folder, ten folders deep, with zips and without links', async () => {
  const root = path.join(folder, 'export')
  const deep = path.join(root, '1/2/3/4/5/6/7/8/9/10/11')
  fs.mkdirSync(deep, { recursive: true })
  fs.writeFileSync(path.join(root, 'b.json'), 'b')
  fs.writeFileSync(path.join(root, 'a.jsonl'), 'a')
  fs.writeFileSync(path.join(root, 'kv.json'), 'secret')
  fs.writeFileSync(path.join(root, 'image.png'), 'x')
  fs.writeFileSync(path.join(root, 'broken.zip'), 'PK\x03\x04')
  fs.writeFileSync(path.join(root, 'z.zip'), zipped([CHATS]))
  fs.writeFileSync(path.join(deep, '../ten.json'), '10')
  fs.writeFileSync(path.join(deep, 'eleven.json'), '11')
  if (canLink) {
    const elsewhere = path.join(folder, 'elsewhere.json')
    fs.writeFileSync(elsewhere, 'not of this folder')
    fs.symlinkSync(elsewhere, path.join(root, 'link.json'))
  }
  const seen = await offered(root)
  assert.deepEqual(seen.slice(0, 2), ['export/a.jsonl: a', 'export/b.json: b'])
  assert.match(seen[2]!, /^export\/broken\.zip ! .*damaged/)
  assert.deepEqual(seen.slice(3), [
    `export/z.zip!/conversations.json: ${CHATS.data}`,
    'export/1/2/3/4/5/6/7/8/9/10/ten.json: 10',
  ])
})

test('nothing unpacked is left behind', async () => {
  const left = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('recollect-import-')).length
  const before = left()
  await zip([CHATS])
  const file = path.join(folder, 'x.zip')
  for await (const { origin } of filesOf(file, { files: 0, bytes: 0 })) if (origin) break
  const aborted = AbortSignal.abort()
  await assert.rejects(async () => {
    for await (const _ of filesOf(file, { files: 0, bytes: 0 }, aborted));
  })
  assert.ok(left() <= before)
})

test('which names are worth a look', () => {
  for (const name of ['conversations.json', 'a/b/chat-1.JSON', 'x.jsonl', 'conversations-000.zip'])
    assert.ok(mayHoldChats(name), name)
  for (const name of ['a.txt', '.hidden.json', 'Providers.json', 'x/config.json', '__MACOSX/a.json'])
    assert.ok(!mayHoldChats(name), name)
  assert.ok(mayHoldChats('no-ending', true))
})
