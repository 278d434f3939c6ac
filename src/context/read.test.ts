import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { canLink } from '../platform/test-links.ts'
import { appendContext } from './append.ts'
import { contextPlace, workspaceFolder } from './place.ts'
import { lastEntries, readContext, summarizeContext } from './read.ts'
import { emptyWorkspace, workspaceWith } from './test-kit.ts'

const entry = (n: number, text = 'text') =>
  `## 2026-05-01 ${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')} — e${n}\n\n${text}\n\n`

test('the workspace: argument, environment, client root, nearest project, working directory', () => {
  const { workspace: base } = emptyWorkspace()
  const deep = path.join(base, 'repo', 'pkg', 'src')
  fs.mkdirSync(deep, { recursive: true })
  fs.mkdirSync(path.join(base, 'repo', '.git'))
  fs.writeFileSync(path.join(base, 'repo', 'pkg', 'package.json'), '{}')
  const env = { WORKSPACE: '/from/env' }
  for (const [where, expected] of [
    [{ workspace: '/given', env, root: '/root', cwd: deep }, '/given'],
    [{ workspace: 'src', env, cwd: path.join(base, 'repo') }, path.join(base, 'repo', 'src')],
    [{ workspace: 'file:///a%20b', env, cwd: deep }, '/a b'],
    [{ env, root: '/root', cwd: deep }, '/from/env'],
    [{ env: {}, root: 'file:///root', cwd: deep }, '/root'],
    [{ env: {}, cwd: deep }, path.join(base, 'repo', 'pkg')],
    [{ env: {}, cwd: path.join(base, 'repo') }, path.join(base, 'repo')],
    [{ env: {}, cwd: '/' }, '/'],
  ] as const) {
    assert.equal(workspaceFolder(where), expected)
  }
})

test('CONTEXT_FILE_NAME is a bare name, or refused with the code of the tool', () => {
  const place = contextPlace({ workspace: '/w', env: { CONTEXT_FILE_NAME: 'HANDOVER.md' } }, 'READ_ERROR')
  assert.equal(place.file, path.resolve('/w/HANDOVER.md'))
  for (const name of [
    '../x.md',
    'a/b.md',
    'a\\b.md',
    '/etc/passwd',
    '.',
    '..',
    'c:x',
    ' x',
    'a\0b',
    'a\nb',
  ]) {
    for (const code of ['READ_ERROR', 'WRITE_ERROR', 'EXPORT_ERROR'] as const) {
      assert.throws(() => contextPlace({ workspace: '/w', env: { CONTEXT_FILE_NAME: name } }, code), { code })
    }
  }
})

test('the whole file, its last entries, no entries', async () => {
  const text = `# Head\n\n${entry(1)}${entry(2)}${entry(3)}`
  const place = workspaceWith(text)
  const whole = await readContext(place)
  assert.equal(whole.content, text)
  assert.equal(whole.metadata.sessionCount, 3)
  assert.equal(whole.metadata.size, Buffer.byteLength(text))
  assert.equal(whole.metadata.lastModified, fs.statSync(place.file).mtime.toISOString())
  assert.equal(whole.metadata.truncated, undefined)
  const two = await readContext(place, { lastSessions: 2 })
  assert.equal(two.content, entry(2) + entry(3))
  assert.equal(two.metadata.sessionCount, 3)
  assert.equal((await readContext(place, { lastSessions: 3 })).content, text)
  assert.equal((await readContext(place, { lastSessions: 9 })).content, text)
  assert.equal((await readContext(place, { lastSessions: 0 })).content, '')
  assert.equal((await readContext(workspaceWith(''))).content, '')
})

test('maxBytes keeps the end, from an entry where one fits, else from a line', async () => {
  const place = workspaceWith(`# Head\n\n${entry(1)}${entry(2)}${entry(3)}`)
  const end = await readContext(place, { maxBytes: entry(2).length + entry(3).length + 5 })
  assert.deepEqual([end.content, end.metadata.truncated], [entry(2) + entry(3), true])
  const line = await readContext(place, { maxBytes: 12, lastSessions: 1 })
  assert.deepEqual([line.content, line.metadata.truncated], ['\ntext\n\n', true])
  const one = await readContext(workspaceWith('日'.repeat(100)), { maxBytes: 10 })
  assert.deepEqual([one.content, one.metadata.truncated], ['日'.repeat(3), true])
})

test('plain text has no marks, no comments and no escapes', async () => {
  const place = workspaceWith('\ufeff# Head\r\n')
  await appendContext(place, {
    title: 'T',
    content:
      '**Bold** and `code`, [a link](https://x.test)\n\n## 2026-01-01 10:00 — quoted\n\n```sh\n# stays\n```',
  })
  const { content } = await readContext(place, { format: 'plain' })
  assert.match(
    content,
    /^Head\n\n\d{4}-.* — T\n\nBold and code, a link \(https:\/\/x\.test\)\n\n2026-01-01 10:00 — quoted\n\n# stays\n$/,
  )
})

test('the last five entries of 50 MB cost neither the time nor the memory of 50 MB', async () => {
  const place = emptyWorkspace()
  const filler = `${'All work and no play. '.repeat(45)}\n`.repeat(10)
  const block = Array.from({ length: 100 }, (_, n) => entry(n, filler)).join('')
  const fd = fs.openSync(place.file, 'w')
  for (let n = 0; n < 52; n++) fs.writeSync(fd, block)
  fs.closeSync(fd)
  assert.ok(fs.statSync(place.file).size > 50e6)

  await readContext(place, { lastSessions: 5 }) // counts all entries, once
  const reads = countReads()
  const before = process.memoryUsage().rss
  const { content, metadata } = await readContext(place, { lastSessions: 5 })
  const read = reads.stop()
  assert.equal(content, [95, 96, 97, 98, 99].map((n) => entry(n, filler)).join(''))
  assert.equal(metadata.sessionCount, 5_200)
  assert.ok(read < 300_000, `${read} bytes were read`)
  assert.ok(process.memoryUsage().rss - before < 20e6)

  await appendContext(place, { title: 'new', content: 'x' })
  const afterwards = countReads()
  assert.equal((await readContext(place, { lastSessions: 1 })).metadata.sessionCount, 5_201)
  const again = afterwards.stop()
  assert.ok(again < 300_000, `only what was appended is counted: ${again} bytes`)
  assert.equal((await lastEntries(place, 1))[0]?.title, 'new')
})

test('a count is not believed once the file was changed elsewhere than at its end', async () => {
  const place = workspaceWith(Array.from({ length: 50 }, (_, n) => entry(n)).join(''))
  const count = async () => (await readContext(place, { lastSessions: 1 })).metadata.sessionCount
  assert.equal(await count(), 50)
  fs.writeFileSync(place.file, `${entry(0)}${fs.readFileSync(place.file, 'utf8')}`)
  assert.equal(await count(), 51)
  fs.writeFileSync(place.file, entry(1) + entry(2))
  assert.equal(await count(), 2)
})

test('the summary counts, and previews the last five', async () => {
  const place = workspaceWith(`# Head of it\n\n${[1, 2, 3, 4, 5, 6].map((n) => entry(n)).join('')}end`)
  const { stats, recentSessions, exists, lastModified } = await summarizeContext(place)
  assert.deepEqual(stats, {
    size: fs.statSync(place.file).size,
    lines: 27,
    words: 4 + 6 * 6 + 1,
    sessions: 6,
  })
  assert.equal(exists, true)
  assert.ok(Date.parse(lastModified) > 0)
  assert.deepEqual(
    recentSessions.map(({ preview }) => preview),
    ['e2', 'e3', 'e4', 'e5', 'e6'],
  )
  assert.equal(recentSessions[0]?.timestamp, '2026-05-01 00:02')
  const long = workspaceWith(`## 2026-05-01 10:00 — ${'🇩🇪'.repeat(150)}\n`)
  const [session] = (await summarizeContext(long)).recentSessions
  assert.equal(session?.preview, `${'🇩🇪'.repeat(99)}…`)
})

test('FILE_NOT_FOUND where there is no file, no workspace', async () => {
  const place = emptyWorkspace()
  await assert.rejects(readContext(place), { code: 'FILE_NOT_FOUND' })
  await assert.rejects(summarizeContext(place), { code: 'FILE_NOT_FOUND' })
  const nowhere = contextPlace({ workspace: '/nonexistent/ws', env: {} }, 'READ_ERROR')
  await assert.rejects(readContext(nowhere), { code: 'FILE_NOT_FOUND' })
})

test('READ_ERROR: a folder, a link out of the workspace, another encoding', async () => {
  const folder = emptyWorkspace()
  fs.mkdirSync(folder.file)
  await assert.rejects(readContext(folder), { code: 'READ_ERROR' })
  if (canLink) {
    const link = emptyWorkspace()
    fs.symlinkSync(os.devNull, link.file)
    await assert.rejects(readContext(link), { code: 'READ_ERROR' })
  }
  await assert.rejects(readContext(workspaceWith(Buffer.from('\ufeffx', 'utf16le'))), { code: 'READ_ERROR' })
})

/** Bytes this process reads from files, as the system counts them (page cache included). */
function countReads(): { stop(): number } {
  if (process.platform !== 'linux') return { stop: () => 0 }
  const now = () => Number(/rchar: (\d+)/.exec(fs.readFileSync('/proc/self/io', 'utf8'))?.[1])
  const before = now()
  return { stop: () => now() - before }
}
