import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { cyclesIn, outsideViolations, violations } from '../scripts/check-rooms.ts'
import { root } from './run-cli.ts'

test('a face that is built on another is told, and what carries one is not', () => {
  assert.deepEqual(violations('http/x.ts', "import { a } from '../mcp/tools.ts'"), [
    'the face http imports the face mcp/tools.ts',
  ])
  assert.deepEqual(violations('http/x.ts', "import { a } from '../mcp/endpoint.ts'"), [
    'the face http imports the face mcp/endpoint.ts',
  ])
  assert.deepEqual(violations('cli/x.ts', "import { a } from '../mcp/endpoint.ts'"), [])
  assert.deepEqual(violations('service/x.ts', "import { a } from '../mcp/tools.ts'"), [
    'service imports from mcp, which is to its right',
  ])
})

test('the page takes types and the day of a moment only, the extension no face', () => {
  const from = (what: string) => `import ${what}{ a } from '../../src/client/types.ts'`
  assert.deepEqual(outsideViolations('web/src/x.ts', from('type ')), [])
  assert.equal(outsideViolations('web/src/x.ts', from('')).length, 1)
  assert.deepEqual(outsideViolations('web/src/x.ts', "import { a } from '../../src/model/day.ts'"), [])
  assert.equal(outsideViolations('vscode/src/x.ts', "import { a } from '../../src/http/app.ts'").length, 1)
  assert.equal(outsideViolations('vscode/src/x.ts', "const a = import('../../src/cli/main.ts')").length, 1)
})

test('cycles are found, types included', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
    ['e', ['a']],
  ])
  assert.deepEqual(cyclesIn(imports), ['a b c'])
  assert.deepEqual(
    cyclesIn(
      new Map([
        ['a', ['b']],
        ['b', []],
      ]),
    ),
    [],
  )
})

test('no face reads chats around the gate', () => {
  const reads = "import { openChat } from '../recall/current.ts'"
  assert.deepEqual(violations('http/app.ts', reads), ['goes around the gate: recall/current.ts'])
  assert.deepEqual(violations('http/app.ts', reads.replace('import', 'import type')), [])
  assert.deepEqual(violations('service/reader.ts', reads), [])
  const searches = "import { searchConversations } from '../../src/search/search.ts'"
  assert.deepEqual(outsideViolations('vscode/src/backend.ts', searches), [
    'goes around the gate: search/search.ts',
  ])
})

test('no face counts, lists or erases chats, redacts, or forgets by itself', () => {
  for (const [line, what] of [
    ['const { sources } = await around.archive.overview()', 'archive.overview()'],
    ['const [known] = await archive.messagesBegunWith(id, 1)', 'archive.messagesBegunWith()'],
    ['await archive.forget(chats)', 'archive.forget()'],
    ["import { redactJson } from '../../src/platform/redact.ts'", 'platform/redact.ts'],
    ["import { unwantedChats } from '../../src/recall/forgetting.ts'", 'recall/forgetting.ts'],
  ] as const) {
    assert.deepEqual(outsideViolations('vscode/src/view.ts', line), [`goes around the gate: ${what}`])
    const inSrc = line.replace('../../src/', '../')
    for (const face of ['http', 'mcp', 'cli'])
      assert.deepEqual(violations(`${face}/view.ts`, inSrc), [`goes around the gate: ${what}`])
  }
  for (const own of ['await archive.close()', 'await archive.changes()', 'await archive.check({ deep })'])
    assert.deepEqual(violations('cli/commands/doctor.ts', own), [])
})

test('no file is longer than 400 lines', () => {
  const code = fs.globSync('{bench,scripts,src,test,vscode/{media,src,test},web/src}/**/*.{ts,tsx,mjs,css}', {
    cwd: root,
    exclude: ['**/node_modules', '**/fixtures'],
  })
  assert.ok(code.length > 1_500, `${code.length} files`)
  const lines = (file: string) => fs.readFileSync(path.join(root, file), 'utf8').split('\n').length - 1
  assert.deepEqual(
    code.filter((file) => lines(file) > 400),
    [],
  )
})
