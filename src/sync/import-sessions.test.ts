import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Archive } from '../archive/archive.ts'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import type { RecollectError } from '../model/errors.ts'
import { zipped } from '../sources/imports/test-files.ts'
import { sources } from '../sources/index.ts'
import { fixtureHomes } from '../sources/test-homes.ts'
import { machineAt } from '../sources/test-kit.ts'
import { Importer } from './import.ts'
import { syncOnce } from './once.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-sessions-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
let folders = 0
const folder = () => path.join(temp, String(++folders))

const brought = (from: string, archive: string, dryRun = false) =>
  new Importer({
    openArchive: () => openSqliteArchive(archive),
    signal: new AbortController().signal,
    dryRun,
  }).import(from)

async function synced(home: string, folder: string) {
  const archive = openSqliteArchive(folder)
  try {
    return await syncOnce({ archive, sources, machine: machineAt(home) })
  } finally {
    await archive.close()
  }
}

/** What an archive says, without which file said it. */
async function said(folder: string) {
  const archive = openSqliteArchive(folder)
  try {
    return await chatsIn(archive)
  } finally {
    await archive.close()
  }
}

async function chatsIn(archive: Archive) {
  const chats = await archive.listChats({ subagents: true }, { limit: 1000 })
  const told = await Promise.all(
    chats.map(async (chat) => ({
      chat: `${chat.source}:${chat.id}`,
      requests: chat.requestCount,
      messages: (await archive.messages(chat)).map(({ id, kind, text, undone }) => ({
        id,
        kind,
        text,
        undone,
      })),
    })),
  )
  return told.sort((a, b) => (a.chat < b.chat ? -1 : 1))
}

for (const { id, name, put } of fixtureHomes) {
  test(`${name}: a copied home is imported as it would be synced, and once`, async () => {
    const home = folder()
    put(home)
    const [native, imported] = [folder(), folder()]
    await synced(home, native)
    const first = await brought(home, imported)
    assert.deepEqual(
      first.sources.map(({ source }) => source),
      [id],
    )
    assert.deepEqual(await said(imported), await said(native))
    const again = await brought(home, imported)
    assert.deepEqual(
      [again.sources[0]?.chatsAdded, again.sources[0]?.messagesAdded, again.sources[0]?.messagesChanged],
      [0, 0, 0],
    )
    const late = await brought(home, native)
    assert.deepEqual(
      [late.sources[0]?.chatsAdded, late.sources[0]?.messagesAdded, late.sources[0]?.messagesChanged],
      [0, 0, 0],
    )
    await synced(home, imported)
    assert.deepEqual(await said(imported), await said(native))
  })
}

test("what is nobody's is refused, with what would be taken", async () => {
  const file = path.join(folder(), 'notes.jsonl')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, '{"type":"note","text":"milk"}\n{"type":"note","text":"bread"}\n')
  await assert.rejects(brought(file, folder()), (error: RecollectError) => {
    assert.equal(error.code, 'UNKNOWN_IMPORT')
    assert.match(error.hint ?? '', /session files of .*Codex.*: one, a folder of them, or a copied home/)
    return true
  })
})

test('a home copied from Windows or macOS', async () => {
  const places = ['AppData/Roaming/Code/User', 'Library/Application Support/Code/User']
  for (const place of places) {
    const home = folder()
    fixtureHomes.find(({ name }) => name === 'vscode old/v2.json')!.put(home)
    fs.mkdirSync(path.dirname(path.join(home, place)), { recursive: true })
    fs.renameSync(path.join(home, '.config/Code/User'), path.join(home, place))
    const { sources: rows } = await brought(home, folder())
    assert.deepEqual(
      rows.map(({ source, chats }) => [source, chats]),
      [['vscode', 1]],
    )
  }
})

test('session files in a zip are those of a folder', async () => {
  for (const wanted of ['codex real', 'cline vscode', 'claude-code projects']) {
    const home = folder()
    fixtureHomes.find(({ name }) => name === wanted)!.put(home)
    const entries = filesIn(home).map((name) => ({
      name: `backup/${name}`,
      data: fs.readFileSync(path.join(home, name)),
    }))
    const zip = `${home}.zip`
    fs.writeFileSync(zip, zipped(entries))
    const [fromZip, fromHome] = [folder(), folder()]
    await brought(zip, fromZip)
    await brought(home, fromHome)
    assert.deepEqual(await said(fromZip), await said(fromHome), wanted)
    const [again] = (await brought(zip, fromZip)).sources
    assert.deepEqual([again?.chatsAdded, again?.messagesAdded, again?.messagesChanged], [0, 0, 0])
  }
})

function filesIn(home: string): string[] {
  return fs
    .readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)))
}
