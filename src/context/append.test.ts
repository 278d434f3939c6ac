import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { withLinks } from '../platform/test-links.ts'
import { appendContext, initContext } from './append.ts'
import { entriesIn, escapeContent, headingsIn, unescapeContent } from './entry.ts'
import { at, contentOf, emptyWorkspace, entriesOf, workspaceWith } from './test-kit.ts'

const noon = at('2026-05-01 12:00')

test('a new file is the standard template, without entries', async () => {
  const place = emptyWorkspace()
  const answer = await initContext(place, {
    projectName: 'Shop\n## x',
    projectDescription: 'Sells things.\n\n## 2026-01-01 10:00 — not an entry',
  })
  assert.deepEqual(answer, { success: true, path: place.file, template: 'standard' })
  assert.match(contentOf(place), /^# Shop ## x: shared context\n\nSells things\.\n/)
  assert.equal(entriesOf(place).length, 0)
})

test('the project is named after its package, else after its folder', async () => {
  const named = emptyWorkspace()
  fs.writeFileSync(path.join(named.workspace, 'package.json'), '{"name":"@me/shop"}')
  await initContext(named, {})
  assert.match(contentOf(named), /^# @me\/shop: /)
  const other = emptyWorkspace()
  await initContext(other, {})
  assert.ok(contentOf(other).startsWith(`# ${path.basename(other.workspace)}: `))
})

test('FILE_EXISTS: a file that is there is never overwritten', async () => {
  const place = workspaceWith('mine')
  await assert.rejects(initContext(place, {}), { code: 'FILE_EXISTS' })
  assert.equal(contentOf(place), 'mine')
})

test('FILE_NOT_FOUND says to call init_context', async () => {
  await assert.rejects(appendContext(emptyWorkspace(), { content: 'x' }), {
    code: 'FILE_NOT_FOUND',
    hint: /init_context/,
  })
})

test('an entry is set off by a blank line, whatever the file ends with', async () => {
  const entry = '## 2026-05-01 12:00 — Done\n\nAll of it.\n'
  for (const [before, after] of [
    ['', entry],
    ['# Head\n', `# Head\n\n${entry}`],
    ['# Head', `# Head\n\n${entry}`],
    ['\ufeff# Head\r\nText\r\n', `\ufeff# Head\r\nText\r\n\r\n${entry.replaceAll('\n', '\r\n')}`],
    ['\ufeff# Head\r\nText', `\ufeff# Head\r\nText\r\n\r\n${entry.replaceAll('\n', '\r\n')}`],
  ] as const) {
    const place = workspaceWith(before)
    const answer = await appendContext(place, { title: 'Done', content: 'All of it.\r\n' }, noon)
    assert.equal(contentOf(place), after)
    assert.deepEqual(answer, { success: true, timestamp: '2026-05-01 12:00', path: place.file })
  }
})

test('bytes that are not UTF-8 are kept as they are; a file in UTF-16 is refused', async () => {
  const odd = Buffer.from([0x23, 0x20, 0xe9, 0xff, 0x0a])
  const place = workspaceWith(odd)
  await appendContext(place, { content: 'x' })
  assert.deepEqual(fs.readFileSync(place.file).subarray(0, odd.length), odd)
  const wide = workspaceWith(Buffer.from('\ufeff# Head\n', 'utf16le'))
  await assert.rejects(appendContext(wide, { content: 'x' }), { code: 'WRITE_ERROR', message: /UTF-16/ })
})

const TRICKY = [
  '## 2026-01-01 10:00 — looks like an entry',
  '\\## 2026-01-01 10:00 — is escaped already',
  '# Heading\n## Another\n### 2026-01-01 10:00 — deeper\ntext ## 2026-01-01 10:00 — inside',
  '```\n## 2026-01-01 10:00 — in a fence\n```',
  '<!-- recollect: {"chat":"x","hash":"y"} -->\nforged',
  'Title\n=====\n\nTitle\n-----\n\n---',
  '   leading and trailing   ',
  '\\\\\\## 2026-01-01 10:00\n\\<!-- recollect: x',
]

test('content never counts as entries and is read back as it was given', async () => {
  const place = workspaceWith('')
  for (const content of TRICKY) await appendContext(place, { title: 't', content })
  const entries = entriesOf(place)
  assert.equal(entries.length, TRICKY.length)
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.content, TRICKY[index]!.trimEnd())
    assert.equal(entry.provenance, undefined)
  }
})

test('escaping is reversible and hides every heading: 3,000 made-up texts', () => {
  const parts = [
    '## 2026-01-01 10:00',
    ' — x',
    '\\',
    '\n',
    '<!-- recollect:',
    ' {"hash":""} -->',
    '```',
    'é',
    ' ',
  ]
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let n = 0; n < 3_000; n++) {
    const text = Array.from({ length: random(12) }, () => parts[random(parts.length)]).join('')
    assert.equal(unescapeContent(escapeContent(text)), text)
    assert.deepEqual(headingsIn(Buffer.from(escapeContent(text))), [])
  }
})

test('a fence or comment left open is closed, so that the next entry is not swallowed', async () => {
  const place = workspaceWith('')
  await appendContext(place, { content: '~~~js\nlet a' })
  await appendContext(place, { content: 'text\n<!-- note' })
  assert.deepEqual(
    entriesOf(place).map((entry) => entry.content),
    ['~~~js\nlet a\n~~~', 'text\n<!-- note\n-->'],
  )
})

test('the title is one line; without one it is the first line of the content', async () => {
  const place = workspaceWith('')
  await appendContext(place, { title: 'two\nlines\u0007', content: 'x' })
  await appendContext(place, { content: '\n\n## **Fixed** the `pool`\nmore' })
  await appendContext(place, { content: '👨‍👩‍👧'.repeat(100) })
  const titles = entriesOf(place).map((entry) => entry.title)
  assert.deepEqual(titles, ['two lines', 'Fixed the pool', `${'👨‍👩‍👧'.repeat(71)}…`])
})

test('times never go back, except where the file is out of all reason', async () => {
  const place = workspaceWith('')
  const stamps: string[] = []
  for (const clock of ['2026-05-01 12:00', '2026-05-01 11:30', '2026-05-01 12:01', '2026-04-01 09:00']) {
    stamps.push((await appendContext(place, { content: 'x' }, at(clock))).timestamp)
  }
  assert.deepEqual(stamps, ['2026-05-01 12:00', '2026-05-01 12:00', '2026-05-01 12:01', '2026-04-01 09:00'])
})

test('people may write entries by hand, with another dash', () => {
  const text =
    '\ufeff## 2026-05-01 12:00 - by hand\r\n\r\ntext\r\n## 2026-05-01 12:01\nno title\n## 2026-05-01 no\n'
  assert.deepEqual(
    entriesIn(Buffer.from(text)).map((entry) => [entry.title, entry.content]),
    [
      ['by hand', 'text'],
      ['', 'no title\n## 2026-05-01 no'],
    ],
  )
})

test('the mode is kept', { skip: process.platform === 'win32' }, async () => {
  const place = workspaceWith('x\n')
  fs.chmodSync(place.file, 0o664)
  await appendContext(place, { content: 'x' })
  assert.equal(fs.statSync(place.file).mode & 0o777, 0o664)
})

test('WRITE_ERROR: a read-only file stays as it is, even for root', async () => {
  const place = workspaceWith('x\n')
  fs.chmodSync(place.file, 0o444)
  await assert.rejects(appendContext(place, { content: 'x' }), { code: 'WRITE_ERROR', message: /read-only/ })
  assert.equal(contentOf(place), 'x\n')
  assert.deepEqual(fs.readdirSync(place.workspace), ['context.md'])
})

test('WRITE_ERROR: a folder where a file should be, a workspace that is none', async () => {
  const place = emptyWorkspace()
  fs.mkdirSync(place.file)
  await assert.rejects(appendContext(place, { content: 'x' }), { code: 'WRITE_ERROR' })
  const nowhere = { ...place, workspace: '/nonexistent/ws', file: '/nonexistent/ws/context.md' }
  await assert.rejects(initContext(nowhere, {}), { code: 'WRITE_ERROR', hint: /workspace/ })
  await assert.rejects(appendContext(nowhere, { content: 'x' }), { code: 'FILE_NOT_FOUND' })
})

test('a link inside of the workspace is followed and stays a link', withLinks, async () => {
  const place = emptyWorkspace()
  fs.mkdirSync(path.join(place.workspace, 'docs'))
  fs.writeFileSync(path.join(place.workspace, 'docs', 'real.md'), '# Real\n')
  fs.symlinkSync('docs/real.md', place.file)
  await appendContext(place, { title: 't', content: 'x' })
  assert.ok(fs.lstatSync(place.file).isSymbolicLink())
  assert.equal(entriesOf(place).length, 1)
})

test('WRITE_ERROR: a link out of the workspace is not followed, nor one to nothing', withLinks, async () => {
  const outside = workspaceWith('secret\n')
  const place = emptyWorkspace()
  fs.symlinkSync(outside.file, place.file)
  await assert.rejects(appendContext(place, { content: 'x' }), { code: 'WRITE_ERROR', message: /outside/ })
  assert.equal(contentOf(outside), 'secret\n')
  const dangling = emptyWorkspace()
  fs.symlinkSync('gone.md', dangling.file)
  await assert.rejects(appendContext(dangling, { content: 'x' }), { code: 'WRITE_ERROR' })
  await assert.rejects(initContext(dangling, {}), { code: 'WRITE_ERROR' })
})
