import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { addSpace, letIn } from './admin.ts'
import { pack, unpack } from './body.ts'
import { setPhrase } from './membership.ts'
import { keyOf, newPhrase, newSeal, openSeal, plainWriting, sealedWriting } from './seal.ts'
import { readHub } from './settings.ts'
import { type TestHub, testHub } from './test-hub.ts'
import { noServer } from './test-kit.ts'
import { PHRASE, say, type TestMachine } from './test-machine.ts'

describe('a seal', () => {
  const { seal, key } = newSeal('correct horse battery')
  const writing = sealedWriting(key, '7')

  it('opens with its phrase, however it is typed, and with no other', () => {
    assert.deepEqual(openSeal('  Correct  HORSE battery ', seal, 'x'), key)
    assert.throws(() => openSeal('correct horse', seal, 'x'), { code: 'HUB_WRONG_PHRASE' })
    assert.match(newPhrase(), /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    assert.notDeepEqual(keyOf('a', seal), keyOf('b', seal))
  })

  it('refuses a body that was changed, moved to another message or another space, or put there in the clear', () => {
    const said = { id: 'm', text: 'x'.repeat(500) }
    const { format, bytes } = pack(said, writing, 'chat\0m')
    assert.deepEqual(unpack(format, bytes, writing, 'chat\0m'), said)
    assert.throws(() => unpack(format, bytes, writing, 'chat\0n'))
    assert.throws(() => unpack(format, bytes, sealedWriting(key, '8'), 'chat\0m'))
    for (const at of [0, 13, bytes.length - 1]) {
      const other = Buffer.from(bytes)
      other[at]! ^= 1
      assert.throws(() => unpack(format, other, writing, 'chat\0m'))
    }
    const clear = pack(said, plainWriting, '')
    assert.throws(() => unpack(clear.format, clear.bytes, writing, 'chat\0m'))
    assert.throws(() => unpack(format, bytes, plainWriting, 'chat\0m'))
    assert.throws(() => unpack(format, Buffer.alloc(5), writing, 'chat\0m'))
  })

  it('names and hashes alike on every machine, and so that nobody else can guess them', () => {
    const other = sealedWriting(keyOf('another', seal), '7')
    assert.equal(writing.name('chat', 'codex', '1'), sealedWriting(key, '7').name('chat', 'codex', '1'))
    assert.notEqual(writing.name('chat', 'codex', '1'), other.name('chat', 'codex', '1'))
    assert.notEqual(writing.name('chat', 'codex', '1'), writing.name('message', 'codex', '1'))
    assert.notEqual(writing.hashOf(Buffer.from('yes')), other.hashOf(Buffer.from('yes')))
  })

  it('plain names are what PostgreSQL can keep', () => {
    for (const id of ['a\0b', 'x'.repeat(5000), '\ud800'])
      assert.match(plainWriting.name('message', id), /^#[\w-]{43}$/)
    assert.equal(plainWriting.name('chat', 'codex', '1'), 'codex:1')
  })
})

describe('a sealed space', { skip: noServer() ?? false }, () => {
  const NEEDLES = [
    'needle-in-text',
    'needle-in-title',
    'needle-folder',
    'needle-chat-id',
    'needle-thought',
    'needle-gone',
  ]
  let hub: TestHub
  let laptop: TestMachine
  let desktop: TestMachine

  before(async () => {
    hub = await testHub({ spaces: [] })
    laptop = await hub.machine('Ada', 'laptop')
    desktop = await hub.machine('Ada', 'desktop')
    await laptop.share("Ada's own", { all: true })
  })
  after(() => hub?.end())

  it('holds nothing that can be read, in any file of the server, also of what was forgotten', async () => {
    const chat = { id: 'needle-chat-id', title: 'needle-in-title', workspace: '/home/needle-folder' }
    await laptop.write(chat, [
      say(1, 'needle-in-text', { thinking: 'needle-thought' }),
      // Long enough to be compressed, so that it is not found for that alone.
      say(2, `needle-in-text ${'and more '.repeat(50)}`),
    ])
    await laptop.write({ id: 'g', title: 'needle-gone' }, [say(1, 'needle-gone')])
    await laptop.exchange()
    const [gone] = (await laptop.archive.listChats({})).filter(({ id }) => id === 'g')
    await laptop.archive.forget([gone!])
    await laptop.exchange()
    await desktop.exchange()
    assert.equal((await desktop.lines()).filter((line) => line.includes('needle-in-text')).length, 2)
    await hub.admin.query('CHECKPOINT')
    if (!hub.server.folder) return
    const found = needlesIn(hub.server.folder, [...NEEDLES, PHRASE])
    assert.deepEqual(found, [])
    // It can be found where it is: the same in a team's plain space.
    await addSpace(hub.admin, { name: 'plain', kind: 'team' })
    await letIn(hub.admin, 'Ada', 'plain')
    await laptop.exchange()
    await laptop.share('plain', { workspace: '/home/needle-folder' })
    await laptop.exchange()
    await hub.admin.query('CHECKPOINT')
    assert.ok(needlesIn(hub.server.folder, NEEDLES).includes('needle-in-text'))
  })

  it('says so where the phrase is another, and reads nothing until it is right', async () => {
    const tablet = await hub.machine('Eve', 'tablet')
    const { seal, key } = newSeal('the phrase of the sealed team')
    await addSpace(hub.admin, { name: 'sealed', kind: 'team', seal })
    for (const name of ['Ada', 'Eve']) await letIn(hub.admin, name, 'sealed')
    await laptop.exchange()
    const [trouble] = (await tablet.exchange()).filter(({ space }) => space === 'sealed')
    assert.equal(trouble?.trouble?.code, 'HUB_NO_PHRASE')
    await assert.rejects(setPhrase(tablet.folder, 'sealed', 'wrong'), { code: 'HUB_WRONG_PHRASE' })
    await setPhrase(laptop.folder, 'sealed', 'the phrase of the sealed team')
    assert.equal(
      readHub(laptop.folder)?.spaces.find(({ name }) => name === 'sealed')?.key,
      key.toString('base64'),
    )
    await laptop.share('sealed', { workspace: '/home/needle-folder' })
    await laptop.exchange()
    await setPhrase(tablet.folder, 'sealed', 'The phrase of the sealed team')
    await tablet.exchange()
    assert.equal((await tablet.lines()).length, 2)
  })

  it('stays so though the server says that it is not, or wants more than was agreed to', async () => {
    await hub.admin.query(`UPDATE hub.space SET seal = NULL, answers = true WHERE name = 'sealed'`)
    await laptop.write({ id: 'later', workspace: '/home/needle-folder/in' }, [say(1, 'needle-said-later')])
    for (let time = 0; time < 2; time++) await laptop.exchange()
    const [{ clear, all } = {}] = await hub.admin.query<{ clear: string; all: string }>(
      `SELECT count(*) FILTER (WHERE format <> 3) AS clear, count(*) AS all FROM hub.message m
       JOIN hub.space s ON s.id = m.space WHERE s.name = 'sealed'`,
    )
    assert.deepEqual([clear, all], ['0', '3'])
    const space = readHub(laptop.folder)?.spaces.find(({ name }) => name === 'sealed')
    assert.deepEqual([space?.sealed, space?.answers], [true, false])
  })
})

function needlesIn(folder: string, needles: string[]): string[] {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
  const found = new Set<string>()
  for (const file of files) {
    const bytes = fs.readFileSync(path.join(file.parentPath, file.name))
    for (const needle of needles) if (bytes.includes(needle)) found.add(needle)
  }
  return [...found]
}
