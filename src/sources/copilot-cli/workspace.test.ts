import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readWorkspace } from './workspace.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-workspace-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

function titleOf(written: string): string | undefined {
  fs.writeFileSync(path.join(folder, 'workspace.yaml'), `id: 1\nname: ${written}\nbranch: main\n`)
  const { title, branch } = readWorkspace(folder)
  assert.equal(branch, 'main', written)
  return title
}

test('fields are what YAML says they are, as the CLI writes them and in any other way', () => {
  const EXPECTED: [written: string, title: string | undefined][] = [
    ['Fix the build', 'Fix the build'],
    ['"Почини сборку"', 'Почини сборку'],
    ['"a: b # c"', 'a: b # c'],
    ['"two\\nlines"', 'two\nlines'],
    ['"said \\"so\\""', 'said "so"'],
    ["'it''s'", "it's"],
    ['fix it # not said', 'fix it'],
    ['feature/a#1', 'feature/a#1'],
    ['at 12:30', 'at 12:30'],
    ['null', undefined],
    ['~', undefined],
    ['""', undefined],
    ['begun\n  and gone on', 'begun and gone on'],
    ['|\n  one\n  two', 'one\ntwo'],
  ]
  for (const [written, title] of EXPECTED) assert.equal(titleOf(written), title, written)
})

test('dates and folders are read from a file as the CLI writes it', () => {
  const lines = [
    'id: 1',
    'cwd: /home/me/work-1',
    'repository: me/work',
    'created_at: 2026-01-02T03:04:05.678Z',
  ]
  fs.writeFileSync(path.join(folder, 'workspace.yaml'), lines.join('\n'))
  const { folder: cwd, repository, createdAt, title } = readWorkspace(folder)
  assert.deepEqual(
    [cwd, repository, createdAt, title],
    ['/home/me/work-1', 'me/work', Date.parse('2026-01-02T03:04:05.678Z'), undefined],
  )
})
