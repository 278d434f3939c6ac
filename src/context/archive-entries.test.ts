import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { archiveContext } from './archive-entries.ts'
import { entriesIn } from './entry.ts'
import { archivePlace } from './place.ts'
import { contentOf, emptyWorkspace, entriesOf, workspaceWith } from './test-kit.ts'

const entry = (n: number, eol = '\n') => `## 2026-05-01 10:0${n} — e${n}${eol}${eol}text ${n}${eol}${eol}`
const file = (eol = '\n') => `# Head${eol}${eol}${[1, 2, 3, 4, 5].map((n) => entry(n, eol)).join('')}`
const titles = (place: { file: string }) =>
  entriesIn(fs.readFileSync(place.file)).map((each) => `${each.title}: ${each.content}`)

test('older entries move to the archive, in order, and the head stays', async () => {
  const place = workspaceWith(file())
  const archive = archivePlace(place)
  const answer = await archiveContext(place, 2)
  assert.deepEqual(answer, {
    success: true,
    path: place.file,
    archivePath: archive.file,
    archived: 3,
    kept: 2,
  })
  assert.equal(path.basename(archive.file), 'context.archive.md')
  assert.equal(contentOf(place), `# Head\n\n${entry(4)}${entry(5)}`)
  assert.deepEqual(titles(archive), ['e1: text 1', 'e2: text 2', 'e3: text 3'])
  await archiveContext(place, 0)
  assert.deepEqual(
    titles(archive),
    [1, 2, 3, 4, 5].map((n) => `e${n}: text ${n}`),
  )
  assert.equal(contentOf(place), '# Head\n\n')
})

test('nothing happens where there are no more than are kept', async () => {
  const place = workspaceWith(file())
  assert.equal((await archiveContext(place)).archived, 0)
  assert.equal(contentOf(place), file())
  assert.equal(fs.existsSync(archivePlace(place).file), false)
})

test('an archive that a killed run has written already is not written twice', async () => {
  const place = workspaceWith(file())
  const archive = archivePlace(place)
  await archiveContext(place, 3)
  // As if the run had been killed before it came to shorten the file.
  fs.writeFileSync(place.file, file())
  await archiveContext(place, 2)
  assert.deepEqual(titles(archive), ['e1: text 1', 'e2: text 2', 'e3: text 3'])
})

test('line ends and odd bytes are moved as they are', async () => {
  const bytes = Buffer.concat([Buffer.from(file('\r\n')), Buffer.from([0xff, 0xfe, 0x0d, 0x0a])])
  const place = workspaceWith(bytes)
  await archiveContext(place, 0)
  const moved = fs.readFileSync(archivePlace(place).file)
  assert.ok(moved.includes(Buffer.from(entry(1, '\r\n'))))
  assert.ok(moved.includes(Buffer.from([0xff, 0xfe])))
  assert.equal(moved.toString('latin1').replaceAll('\r\n', '').includes('\n'), false)
})

test('an entry that ends in a letter whose last byte is a blank in Latin-1 is moved whole', async () => {
  const letters = ['là', 'ТЕРРОР', 'ꠠ', '🚠']
  const place = workspaceWith(
    letters.map((each, n) => `## 2026-05-01 10:0${n} — e${n}\n\n${each}\n\n`).join(''),
  )
  for (const keep of [3, 2, 0]) await archiveContext(place, keep)
  assert.deepEqual(
    titles(archivePlace(place)),
    letters.map((each, n) => `e${n}: ${each}`),
  )
})

test('FILE_NOT_FOUND without a file; WRITE_ERROR where it is read-only, and both files stay', async () => {
  await assert.rejects(archiveContext(emptyWorkspace()), { code: 'FILE_NOT_FOUND' })
  const place = workspaceWith(file())
  fs.writeFileSync(archivePlace(place).file, '# Old\n', { mode: 0o444 })
  await assert.rejects(archiveContext(place, 1), { code: 'WRITE_ERROR' })
  assert.equal(entriesOf(place).length, 5)
  assert.equal(fs.readFileSync(archivePlace(place).file, 'utf8'), '# Old\n')
})

test('a file of many thousand entries is archived in one pass', async () => {
  const entry = (n: number) => `## 2026-05-01 10:00 — e${n}\n\n${'word '.repeat(60)}\n`
  // Compared entry by entry with what is there, these would take minutes.
  const place = workspaceWith(`# Head\n\n${Array.from({ length: 30_000 }, (_, n) => entry(n)).join('\n')}`)
  const { archived, kept } = await archiveContext(place)
  assert.deepEqual({ archived, kept }, { archived: 29_980, kept: 20 })
})
