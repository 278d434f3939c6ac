import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { machine, root } from './run-cli.ts'

const me = machine()
after(() => me.remove())

const { archive } = me
const project = path.join(me.home, 'proj')
const id = randomUUID()
const session = path.join(me.home, '.claude/projects/proj', `${id}.jsonl`)

function line(sessionId: string, text: string): string {
  const about = { uuid: randomUUID(), sessionId, cwd: project, timestamp: '2026-05-01T10:00:00.000Z' }
  return `${JSON.stringify({ type: 'user', ...about, message: { role: 'user', content: text } })}\n`
}

async function json(...args: string[]) {
  const { code, out, err } = await me.run([...args, '--json'])
  assert.deepEqual([code, err], [0, ''], out)
  return JSON.parse(out)
}

async function ids(): Promise<string[]> {
  await me.run(['sync'])
  return (await json('list')).chats.map((chat: { chatId: string }) => chat.chatId)
}

test('forget says where else the words are; copies of the file stay out; undo brings the chat back', async () => {
  fs.mkdirSync(project, { recursive: true })
  fs.mkdirSync(path.dirname(session), { recursive: true })
  fs.writeFileSync(session, line(id, 'Where do we keep the zirconium ledger of the bank?'))
  const other = randomUUID()
  fs.writeFileSync(path.join(path.dirname(session), `${other}.jsonl`), line(other, 'Something else'))
  assert.equal((await ids()).length, 2)
  const exported = path.join(me.home, 'chat.md')
  assert.equal((await me.run(['export', id, '--out', exported])).code, 0)
  const context = path.join(project, 'context.md')
  const provenance = JSON.stringify({ chat: `claude-code:${id}`, hash: 'h', written: 'w' })
  fs.writeFileSync(context, `## 2026-05-01 10:00 — Ledger\n<!-- recollect: ${provenance} -->\nIt is blue.\n`)

  const dry = await json('forget', id, '--dry-run')
  assert.equal(dry.chats, 1)
  assert.deepEqual(dry.elsewhere, {
    assistants: [session],
    copies: [],
    exports: [exported],
    contexts: [context],
  })
  const { out } = await me.run(['forget', id, '--yes'])
  assert.match(out, /^Forgot 1 chat with 1 message\./)
  for (const file of [session, exported, context]) assert.ok(out.includes(file), out)

  const copy = randomUUID()
  const text = fs.readFileSync(session, 'utf8')
  fs.appendFileSync(session, line(id, 'And a later turn about zirconium'))
  fs.writeFileSync(
    path.join(path.dirname(session), `${copy}.jsonl`),
    text.replaceAll(id, copy) + line(copy, 'More'),
  )
  assert.deepEqual(await ids(), [other])
  for (const name of fs.readdirSync(archive, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(archive, name)
    if (fs.statSync(file).isFile()) assert.ok(!fs.readFileSync(file).includes('zirconium'), file)
  }
  const listed = await json('forget', '--list')
  assert.deepEqual(listed.forgotten.map((chat: { id: string }) => chat.id).sort(), [id, copy].sort())

  assert.equal((await me.run(['forget', '--undo', 'nosuch'])).code, 1)
  assert.match((await me.run(['forget', '--undo', id.slice(0, 8)])).out, /2 chats will be read again/)
  assert.deepEqual((await ids()).sort(), [id, copy, other].sort())
  assert.equal((await json('requests', id)).requests.length, 2)
})

test('forgotten chats are taken out of the copy of an older archive, which its version can go on with', async () => {
  const old = machine()
  after(() => old.remove())
  const folder = old.archive
  fs.mkdirSync(folder, { recursive: true })
  const fixture = path.join(root, 'src/archive/sqlite/fixtures/archive-0.1.0.db.br')
  fs.writeFileSync(path.join(folder, 'archive.db'), brotliDecompressSync(fs.readFileSync(fixture)))
  const { chats } = JSON.parse((await old.run(['list', '--json'])).out)
  const copy = path.join(folder, fs.readdirSync(folder).find((name) => name.startsWith('archive-of-0.1.0'))!)
  const db = new DatabaseSync(copy)
  const forkedFrom = db
    .prepare('SELECT original.chat FROM message JOIN message AS original ON original.key = message.copy_of')
    .get()
  const { key, chat } = db.prepare('SELECT key, id AS chat FROM chat WHERE key = ?').get(forkedFrom!.chat!)!
  const texts = db.prepare('SELECT text FROM message WHERE chat = ? AND length(text) > 20').all(key!)
  const before = Number(db.prepare('SELECT count(*) AS n FROM message').get()!.n)
  const columns = 'SELECT m.name, c.name AS column FROM sqlite_master AS m, pragma_table_info(m.name) AS c'
  const tables = db.prepare(columns).all()
  db.close()
  assert.ok(texts.length > 0 && chats.length > 1)

  const said = JSON.parse((await old.run(['forget', String(chat), '--yes', '--json'])).out)
  assert.deepEqual(said.elsewhere.copies, [copy])
  assert.ok(fs.readFileSync(copy).includes(String(texts[0]!.text)))
  assert.equal((await old.run(['forget', '--copies', 'shred'])).code, 2)
  const rewritten = await old.run(['forget', '--copies', 'rewrite', '--yes'])
  assert.match(rewritten.out, /Taken out of 1 copy/, rewritten.err)
  const bytes = fs.readFileSync(copy)
  for (const { text } of texts) assert.ok(!bytes.includes(String(text)), String(text))
  const now = new DatabaseSync(copy, { readOnly: true })
  assert.equal(now.prepare('PRAGMA integrity_check').get()!.integrity_check, 'ok')
  assert.deepEqual(now.prepare(columns).all(), tables)
  assert.equal(now.prepare('SELECT count(*) AS n FROM chat WHERE id = ?').get(chat!)!.n, 0)
  const left = Number(now.prepare('SELECT count(*) AS n FROM message').get()!.n)
  assert.ok(left > 0 && left < before)
  now.close()
  if (process.platform !== 'win32') assert.equal(fs.statSync(copy).mode & 0o777, 0o600)
  assert.match((await old.run(['forget', '--copies', 'delete', '--yes'])).out, /Deleted 1 file/)
  assert.ok(!fs.existsSync(copy))
})
