import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { RecollectError } from '../model/errors.ts'
import { withLinks } from '../platform/test-links.ts'
import { appendContext } from './append.ts'
import { MOST_BYTES, readDocument, writeDocument } from './document.ts'
import { entryText } from './entry.ts'
import type { Place } from './place.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-document-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))
const place: Place = { workspace: folder, name: 'context.md', file: path.join(folder, 'context.md') }
beforeEach(() => fs.rmSync(place.file, { force: true }))

const written = () => fs.readFileSync(place.file, 'utf8')

test('there is nothing, it is begun, and it is changed', async () => {
  const none = readDocument(place)
  assert.deepEqual(none, { path: place.file, exists: false, content: '', etag: '', entries: [] })
  const begun = await writeDocument(place, { content: 'one\n', etag: '' })
  assert.equal(readDocument(place).etag, begun.etag)
  await writeDocument(place, { content: 'two\n', etag: begun.etag })
  assert.equal(written(), 'two\n')
})

test('what somebody else wrote meanwhile is not written over, and is told', async () => {
  const { etag } = await writeDocument(place, { content: '# Notes\n', etag: '' })
  await appendContext(place, { content: 'Done.', title: 'Work' })
  const theirs = written()
  await assert.rejects(writeDocument(place, { content: 'mine', etag }), (error) => {
    assert.ok(error instanceof RecollectError)
    assert.equal(error.code, 'CONFLICT')
    assert.deepEqual(error.details?.current, { content: theirs, etag: readDocument(place).etag })
    return true
  })
  assert.equal(written(), theirs)
})

test('of two that save at once, one does and the other hears of it', async () => {
  const { etag } = await writeDocument(place, { content: 'start', etag: '' })
  const saved = await Promise.allSettled(
    ['a', 'b', 'c'].map((content) => writeDocument(place, { content, etag })),
  )
  assert.deepEqual(saved.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
})

test('line ends and the byte order mark stay, though an editor knows neither', async () => {
  fs.writeFileSync(place.file, '\ufeffone\r\ntwo\r\n')
  const { content, etag } = readDocument(place)
  assert.equal(content, 'one\ntwo\n')
  await writeDocument(place, { content: `${content}three\n`, etag })
  assert.equal(written(), '\ufeffone\r\ntwo\r\nthree\r\n')
})

test('entries are named, with the chats that they were made from', () => {
  const provenance = { chat: 'codex:1', hash: 'x' }
  const entry = { timestamp: '2026-05-01 14:03', title: 'Work', content: 'Done', provenance }
  fs.writeFileSync(place.file, `# Notes\n\n${entryText(entry, '\n')}\n## 2026-05-02 10:00 — More\n\nText\n`)
  assert.deepEqual(readDocument(place).entries, [
    { timestamp: '2026-05-01 14:03', title: 'Work', sessionIds: ['codex:1'] },
    { timestamp: '2026-05-02 10:00', title: 'More', sessionIds: [] },
  ])
})

test('a link out of the workspace is not followed', withLinks, async () => {
  const outside = path.join(folder, '..', `outside-${process.pid}.md`)
  fs.writeFileSync(outside, 'theirs')
  fs.symlinkSync(outside, place.file)
  assert.throws(() => readDocument(place), { code: 'READ_ERROR' })
  await assert.rejects(writeDocument(place, { content: 'x', etag: '' }), { code: 'WRITE_ERROR' })
  fs.rmSync(outside)
})

test('a huge file is not read, a missing folder is named', async () => {
  fs.writeFileSync(place.file, Buffer.alloc(MOST_BYTES + 1, 'x'))
  assert.throws(() => readDocument(place), { code: 'READ_ERROR' })
  const gone = {
    ...place,
    workspace: path.join(folder, 'gone'),
    file: path.join(folder, 'gone', 'context.md'),
  }
  await assert.rejects(writeDocument(gone, { content: 'x', etag: '' }), { code: 'WRITE_ERROR' })
})
