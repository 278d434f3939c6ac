import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { unpackBackup } from '../src/archive/sqlite/backup.ts'
import { openSqliteArchive } from '../src/archive/sqlite/index.ts'
import { line, PASSWORD, session, TOKEN } from './redact-kit.ts'
import { machine, recollect } from './run-cli.ts'

/** Secrets taken out at rest are in no byte of the archive, its log, index, vectors, checkpoints or backups. */

const BARE = 'tamarind42vibe'

/** What is in a file: as it is, and in what is packed in rows and pages. */
function* texts(file: string): Generator<string> {
  yield fs.readFileSync(file, 'latin1')
  if (file.endsWith('.backup')) {
    const into = `${file}.unpacked`
    unpackBackup(file, into)
    try {
      yield* texts(into)
      yield* rows(into)
    } finally {
      fs.rmSync(into)
    }
  }
  if (file.endsWith('.pages')) yield* frames(fs.readFileSync(file))
  if (file.endsWith('.db')) yield* rows(file)
}

function* rows(file: string): Generator<string> {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all())
      for (const row of db.prepare(`SELECT * FROM "${name}"`).all())
        for (const value of Object.values(row)) {
          if (!(value instanceof Uint8Array)) yield String(value)
          else {
            yield Buffer.from(value).toString('latin1')
            yield* frames(Buffer.from(value))
          }
        }
  } finally {
    db.close()
  }
}

/** Every frame of zstd, as far as it can be unpacked. */
function* frames(bytes: Buffer): Generator<string> {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  for (let at = bytes.indexOf(magic); at >= 0; ) {
    const next = bytes.indexOf(magic, at + 4)
    try {
      yield zlib.zstdDecompressSync(bytes.subarray(at, next < 0 ? undefined : next)).toString('latin1')
    } catch {
      // The magic number may be part of what is packed.
    }
    at = next
  }
}

function holding(folder: string, words: string[]): string[] {
  const found: string[] = []
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (!fs.statSync(file).isFile()) continue
    const all = [...texts(file)]
    for (const word of words)
      if (all.some((text) => text.toLowerCase().includes(word.toLowerCase()))) found.push(`${name}: ${word}`)
  }
  return found
}

async function indexed(folder: string, words: string[]): Promise<string[]> {
  const archive = openSqliteArchive(folder)
  try {
    return await archive.searching((view) =>
      words.filter((word) =>
        (['said', 'thought', 'tools', 'title'] as const).some(
          (field) => view.postings(field, word.toLowerCase()).size > 0,
        ),
      ),
    )
  } finally {
    await archive.close()
  }
}

test('redact says what is in the archive, and takes it out for good, in backups too', async () => {
  const me = machine()
  after(() => me.remove())
  const { id, file } = session(me)
  await me.run(['sync'])
  const other = path.join(me.home, 'other-backups')
  for (const args of [['backup'], ['backup', other]]) assert.equal((await me.run(args)).code, 0)
  fs.appendFileSync(file, line(id, 3, 'one more about the orchard'))
  await me.run(['sync'])
  assert.equal((await me.run(['backup'])).code, 0)
  const words = [TOKEN, PASSWORD]
  assert.ok(holding(me.archive, words).length >= 4, holding(me.archive, words).join('\n'))
  assert.deepEqual(await indexed(me.archive, [PASSWORD]), [PASSWORD])

  const plain = await me.run(['redact'])
  assert.equal(plain.code, 0, plain.err)
  assert.match(plain.out, /2 secrets in 2 messages of 1 chat/)
  assert.match(plain.out, /1 {2}GitHub token/)
  for (const word of words) assert.ok(!plain.out.includes(word), plain.out)
  const { secrets, kinds, chats } = JSON.parse((await me.run(['redact', '--json'])).out)
  assert.deepEqual([secrets, kinds], [2, { password: 1, 'GitHub token': 1 }])
  assert.deepEqual([chats[0].chatId, chats[0].messages], [id, 2])

  assert.equal((await me.run(['redact', '--at-rest'])).code, 2)
  const done = await me.run(['redact', '--at-rest', '--yes', '--json'])
  assert.equal(done.code, 0, done.err)
  const said = JSON.parse(done.out)
  assert.deepEqual([said.rewritten.chats, said.rewritten.messages, said.rewritten.pending], [1, 3, false])
  assert.equal(said.copies.rewritten.length, 3, done.out)
  assert.deepEqual(said.elsewhere.assistants, [file])
  for (const folder of [me.archive, other]) assert.deepEqual(holding(folder, words), [], folder)
  assert.deepEqual(await indexed(me.archive, [PASSWORD]), [])

  const isOut = async (when: string) => {
    await me.run(['sync'])
    assert.deepEqual(holding(me.archive, words), [], when)
    assert.match(
      (await me.run(['show', id, '--reveal', '--no-pager'])).out,
      /DB_PASSWORD=\[redacted: password\]/,
      when,
    )
  }
  await isOut('after a sync')
  const later = new Date(Date.now() + 5_000)
  fs.utimesSync(file, later, later)
  await isOut('when the file is read again')
  fs.appendFileSync(file, line(id, 4, `again ${PASSWORD} alone`) + line(id, 5, 'the end'))
  await isOut('when the file goes on with it')
  const { out } = await me.run(['show', id, '--reveal', '--no-pager'])
  assert.match(out, /again \[redacted: secret\] alone/)
  assert.match(out, /why is \[redacted: secret\] refused by the orchard/)
  assert.match((await me.run(['search', 'orchard', 'refused'])).out, /refused/)
  assert.match((await me.run(['doctor', '--deep'])).out, /sound|nothing is wrong|is fine/i)

  // Where the assistant's file is still there, what it says beyond the archive is read from it.
  fs.rmSync(file)
  const restored = await me.run(['restore'])
  assert.equal(restored.code, 0, restored.err)
  assert.match(
    (await me.run(['show', id, '--reveal', '--no-pager'])).out,
    /orchard token \[redacted: GitHub token\]/,
  )
  assert.match((await me.run(['redact'])).out, /No secrets/)
})

/** A chat that has secrets wherever something is called by a name. */
function named(me: ReturnType<typeof machine>) {
  const id = randomUUID()
  const file = path.join(me.home, '.claude/projects/shop', `${id}.jsonl`)
  const folder = { cwd: `/work/${PASSWORD}` }
  const call = `toolu/${TOKEN}`
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const answer = (content: object) => ({
    type: 'assistant',
    message: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: `claude/${TOKEN}`, content: [content] },
      usage: { input_tokens: 5, output_tokens: 5 },
    },
    ...folder,
  })
  const tool = {
    type: 'tool_use',
    id: call,
    name: `mcp__${PASSWORD}__ask`,
    input: { [PASSWORD]: { [TOKEN]: 1 } },
  }
  const result = { type: 'tool_result', tool_use_id: call, content: 'refused', is_error: true }
  fs.writeFileSync(
    file,
    line(id, 0, 'ask the orchard', folder) +
      line(id, 1, '', answer(tool)) +
      line(id, 2, '', { message: { role: 'user', content: [result] }, ...folder }) +
      line(id, 3, `<command-name>/deploy/${TOKEN}</command-name><command-args>now</command-args>`, folder) +
      line(id, 4, `DB_PASSWORD=${PASSWORD}`, folder),
  )
  return { id, file }
}

test('a token that only the address of the repository or a title holds is told of, and taken out', async () => {
  const me = machine()
  after(() => me.remove())
  const id = randomUUID()
  const file = path.join(me.home, '.claude/projects/shop', `${id}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(
    file,
    line(id, 0, 'why does the orchard not build?', { gitBranch: `try/${TOKEN}` }) +
      `${JSON.stringify({ type: 'custom-title', sessionId: id, customTitle: `DB_PASSWORD=${PASSWORD}` })}\n`,
  )
  await me.run(['sync'])
  const report = await me.run(['redact'])
  assert.match(report.out, /^2 secrets in names of 1 chat/)
  for (const word of [TOKEN, PASSWORD]) assert.ok(!report.out.includes(word), report.out)
  assert.equal((await me.run(['redact', '--at-rest', '--yes'])).code, 0)
  assert.deepEqual(holding(me.archive, [TOKEN, PASSWORD]), [])
  assert.match((await me.run(['redact'])).out, /No secrets were found/)
})

test('names are rewritten too: of models, tools, calls, arguments, commands and folders', async () => {
  const me = machine()
  after(() => me.remove())
  const { id, file } = named(me)
  const words = [TOKEN, PASSWORD]
  await me.run(['sync'])
  // What was used is summed up and kept.
  for (let n = 0; n < 40; n++) session(me)
  await me.run(['sync'])
  await me.run(['backup'])
  const done = await me.run(['redact', '--at-rest', '--yes', '--json'])
  assert.equal(done.code, 0, done.err)
  assert.deepEqual(holding(me.archive, words), [])
  assert.deepEqual(await indexed(me.archive, words), [])
  assert.equal(JSON.parse((await me.run(['redact', '--json'])).out).secrets, 0)
  assert.match((await me.run(['redact', '--at-rest', '--yes'])).out, /Rewrote 0 messages of 0 chats/)
  const used = JSON.parse((await me.run(['metrics', id, '--by', 'tool', '--json'])).out)
  assert.deepEqual(used.groups, [{ key: '[redacted: secret]/ask', tools: { calls: 1, failures: 1 } }])

  const later = new Date(Date.now() + 5_000)
  fs.utimesSync(file, later, later)
  await me.run(['sync'])
  assert.deepEqual(holding(me.archive, words), [], 'when the file is read again')
  fs.appendFileSync(file, line(id, 5, 'the end', { cwd: `/work/${PASSWORD}` }))
  await me.run(['sync'])
  assert.deepEqual(holding(me.archive, words), [], 'when the file goes on')
  assert.match((await me.run(['redact', '--at-rest', '--yes'])).out, /Rewrote 0 messages of 0 chats/)
  assert.equal((await me.run(['doctor', '--deep'])).code, 0)
})

test('with redactAtRest no name is written with a secret either', async () => {
  const me = machine()
  after(() => me.remove())
  fs.mkdirSync(me.archive, { recursive: true })
  fs.writeFileSync(path.join(me.archive, 'config.json'), JSON.stringify({ redactAtRest: true }))
  named(me)
  await me.run(['sync'])
  assert.deepEqual(holding(me.archive, [TOKEN, PASSWORD]), [])
})

test('a chat whose own id looks like a key is rewritten, and so are backups of it', async () => {
  const me = machine()
  after(() => me.remove())
  const folder = path.join(me.home, '.copilot/session-state', TOKEN)
  fs.mkdirSync(folder, { recursive: true })
  const event = (type: string, data: object) =>
    `${JSON.stringify({ type, data, id: randomUUID(), timestamp: '2026-05-01T10:00:00.000Z', parentId: null })}\n`
  fs.writeFileSync(path.join(folder, 'workspace.yaml'), `id: ${TOKEN}\ncwd: /work/shop\n`)
  fs.writeFileSync(
    path.join(folder, 'events.jsonl'),
    event('session.start', { sessionId: TOKEN, version: 1, copilotVersion: '1.0.94' }) +
      event('user.message', { content: `DB_PASSWORD=${PASSWORD}`, messageId: 'm1', interactionId: 'i' }),
  )
  await me.run(['sync'])
  await me.run(['backup'])
  for (const args of [[TOKEN], []]) {
    const done = await me.run(['redact', ...args, '--at-rest', '--yes', '--json'])
    assert.equal(done.code, 0, done.err)
    assert.deepEqual(holding(me.archive, [PASSWORD]), [])
    const { elsewhere, rewritten } = JSON.parse(done.out)
    if (args.length > 0) assert.equal(rewritten.messages, 1)
    if (args.length > 0) assert.equal(elsewhere.assistants.length, 1)
  }
})

test('vectors of what held a secret go, and archives that were set aside are rewritten too', async () => {
  const me = machine()
  after(() => me.remove())
  const { id, file } = session(me)
  fs.appendFileSync(file, line(id, 3, 'one more about the orchard'))
  await me.run(['sync'])
  const SIZE = 16
  const archive = openSqliteArchive(me.archive)
  const texts = await archive.textsOf(await archive.withoutVector('test'))
  const vectors = texts.map((of, i) => ({
    of,
    vector: Array.from({ length: SIZE }, (_, n) => Math.sin(i * SIZE + n)),
  }))
  await archive.saveVectors('test', vectors)
  await archive.close()
  const vectorsIn = (name: string) => {
    const db = new DatabaseSync(path.join(me.archive, name), { readOnly: true })
    const bytes = Number(db.prepare('SELECT coalesce(sum(length(data)), 0) AS n FROM vector').get()!.n)
    db.close()
    return bytes / SIZE
  }
  assert.equal(vectorsIn('archive.db'), 4)
  await me.run(['backup'])
  // The present archive is set aside, with all that it holds.
  assert.equal((await me.run(['restore'])).code, 0)
  const isAside = (name: string) => name.startsWith('archive-set-aside-')
  const [aside, ...others] = fs.readdirSync(me.archive).filter(isAside)
  assert.deepEqual(others, [])
  assert.equal(vectorsIn(aside!), 4)
  const words = [TOKEN, PASSWORD]
  assert.ok(holding(me.archive, words).some(isAside))

  const done = await me.run(['redact', '--at-rest', '--yes', '--json'])
  assert.equal(done.code, 0, done.err)
  assert.ok(JSON.parse(done.out).copies.rewritten.some((each: string) => path.basename(each) === aside))
  assert.deepEqual(holding(me.archive, words), [])
  for (const name of ['archive.db', aside!]) assert.equal(vectorsIn(name), 1, name)
  assert.equal((await me.run(['doctor', '--deep'])).code, 0)

  fs.rmSync(file)
  fs.rmSync(path.join(me.archive, 'archive.db'))
  fs.renameSync(path.join(me.archive, aside!), path.join(me.archive, 'archive.db'))
  assert.equal((await me.run(['doctor', '--deep'])).code, 0)
  const { out } = await me.run(['show', id, '--reveal', '--no-pager'])
  assert.match(out, /DB_PASSWORD=\[redacted: password\]/)
  assert.match(out, /one more about the orchard/)
})

test('with redactAtRest nothing of a secret is ever written, also where it is named only later', async () => {
  const me = machine()
  after(() => me.remove())
  fs.mkdirSync(me.archive, { recursive: true })
  fs.writeFileSync(path.join(me.archive, 'config.json'), JSON.stringify({ redactAtRest: true }))
  const { id, file } = session(me)
  await me.run(['sync'])
  const words = [TOKEN, PASSWORD]
  assert.deepEqual(holding(me.archive, words), [])
  assert.deepEqual(await indexed(me.archive, [PASSWORD]), [])
  fs.appendFileSync(file, line(id, 3, `what is ${BARE}?`))
  await me.run(['sync'])
  assert.ok(holding(me.archive, [BARE]).length > 0)
  fs.appendFileSync(file, line(id, 4, `SMTP_PASSWORD=${BARE}`))
  await me.run(['sync'])
  await me.run(['sync'])
  assert.deepEqual(holding(me.archive, [...words, BARE]), [])
  assert.match((await me.run(['show', id, '--reveal', '--no-pager'])).out, /what is \[redacted: secret\]\?/)
  assert.equal(JSON.parse((await me.run(['requests', id, '--json'])).out).totalRequests, 5)
})

test('killed at any moment it loses nothing, and running it again takes the rest out', async () => {
  const me = machine()
  after(() => me.remove())
  const ids = Array.from({ length: 12 }, () => session(me).id)
  await me.run(['sync'])
  await me.run(['backup'])
  const words = [TOKEN, PASSWORD]
  const env = { ...process.env, RECOLLECT_HOME: me.archive, HOME: me.home }
  for (const afterMs of [250, 350, 450, 600, 800]) {
    const child = spawn(process.execPath, [recollect, 'redact', '--at-rest', '--yes', '--json'], {
      env,
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    await sleep(afterMs)
    child.kill('SIGKILL')
    await ended
  }
  const done = await me.run(['redact', '--at-rest', '--yes', '--json'])
  assert.equal(done.code, 0, done.err)
  assert.deepEqual(holding(me.archive, words), [])
  const parts = fs
    .readdirSync(me.archive, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('.part-'))
  assert.deepEqual(parts, [])
  for (const id of ids) {
    const { requests } = JSON.parse((await me.run(['requests', id, '--json'])).out)
    assert.equal(requests.length, 3)
  }
  assert.equal((await me.run(['doctor', '--deep'])).code, 0)
  assert.equal((await me.run(['restore'])).code, 0)
  assert.equal(JSON.parse((await me.run(['list', '--json'])).out).chats.length, ids.length)
})

test('a chat is forgotten in backups as well', async () => {
  const me = machine()
  after(() => me.remove())
  const { id } = session(me)
  await me.run(['sync'])
  await me.run(['backup'])
  const said = await me.run(['forget', id, '--yes'])
  assert.match(said.out, /Perhaps still in copies of the archive/)
  assert.ok(holding(me.archive, ['orchard']).length > 0)
  const done = await me.run(['forget', '--copies', 'rewrite', '--yes', '--json'])
  assert.equal(done.code, 0, done.err)
  assert.equal(JSON.parse(done.out).copies.rewritten.length, 1)
  assert.deepEqual(holding(me.archive, ['orchard', TOKEN, PASSWORD]), [])
  assert.equal((await me.run(['restore'])).code, 0)
  await me.run(['sync'])
  assert.deepEqual(JSON.parse((await me.run(['list', '--json'])).out).chats, [])
})
