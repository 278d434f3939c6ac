import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewOf } from '../../web/src/pages/reader/tool-view.ts'
import { diffOf, isPatch, patchLines } from '../../web/src/ui/diff/diff-lines.ts'

const shown = (lines: { sign: string; text: string }[]) => lines.map(({ sign, text }) => sign + text)

const CHANGES: [name: string, before: string, after: string, lines: string[]][] = [
  ['a line in the middle', 'a\nb\nc', 'a\nB\nc', [' a', '-b', '+B', ' c']],
  ['lines added at the end', 'a', 'a\nb', [' a', '+b']],
  ['lines taken from the front', 'a\nb\nc', 'c', ['-a', '-b', ' c']],
  ['a line moved', 'a\nb\nc', 'b\nc\na', ['-a', ' b', ' c', '+a']],
  ['nothing', 'a\nb', 'a\nb', [' a', ' b']],
  ['from nothing', '', 'a', ['+a']],
  ['line ends only', 'a\r\nb', 'a\nb', [' a', ' b']],
]

for (const [name, before, after, lines] of CHANGES)
  test(`a change is told line by line: ${name}`, () => assert.deepEqual(shown(diffOf(before, after)), lines))

test('a change of thousands of lines is told without trying every pair', () => {
  const many = (word: string) => Array.from({ length: 5_000 }, (_, line) => `${word} ${line}`).join('\n')
  const lines = diffOf(many('old'), many('new'))
  assert.equal(lines.length, 10_000)
  assert.deepEqual(
    [lines[0], lines.at(-1)],
    [
      { sign: '-', text: 'old 0' },
      { sign: '+', text: 'new 4999' },
    ],
  )
})

test('a diff applied to the old text gives the new one', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const text = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)]).join('\n')
  for (let turn = 0; turn < 500; turn++) {
    const [before, after] = [text(), text()]
    const lines = diffOf(before, after)
    const side = (sign: string) =>
      lines
        .filter((line) => line.sign === ' ' || line.sign === sign)
        .map((line) => line.text)
        .join('\n')
    assert.deepEqual([side('-'), side('+')], [before, after])
  }
})

test('patches are known in both of their forms', () => {
  const unified =
    'diff --git a/x.ts b/x.ts\nindex 1..2 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@ fn()\n a\n-b\n+c\n'
  assert.deepEqual(shown(patchLines(unified)), ['@x.ts', '@fn()', ' a', '-b', '+c'])
  const agents = '*** Begin Patch\n*** Update File: x.ts\n@@\n a\n-b\n+c\n*** End Patch'
  assert.deepEqual(shown(patchLines(agents)), ['@x.ts', ' a', '-b', '+c'])
  assert.deepEqual([unified, agents, 'a - b', '--- \n'].map(isPatch), [true, true, false, false])
})

const CALLS: [name: string, args: unknown, summary: string, diff?: string[]][] = [
  ['Claude Code edits', { file_path: '/x.ts', old_string: 'a', new_string: 'b' }, '/x.ts', ['-a', '+b']],
  ['Copilot edits', { path: '/x.ts', old_str: 'a', new_str: 'b' }, '/x.ts', ['-a', '+b']],
  [
    'several edits at once',
    {
      filePath: '/x.ts',
      edits: [
        { oldString: 'a', newString: 'b' },
        { oldString: 'c', newString: '' },
      ],
    },
    '/x.ts',
    ['-a', '+b', '-c'],
  ],
  ['Codex patches', '*** Begin Patch\n*** Add File: x.ts\n+a\n*** End Patch', 'x.ts', ['@x.ts', '+a']],
  ['commands', { command: 'npm test\n# all', description: 'Run the tests' }, 'Run the tests'],
  ['commands as a list', { command: ['bash', '-lc', 'ls -l'] }, 'ls -l'],
  ['searches', { pattern: 'for update', output_mode: 'content' }, 'for update'],
  ['what is not known', { depth: 3, place: 'here' }, 'here'],
  ['nothing at all', undefined, ''],
]

for (const [name, args, summary, diff] of CALLS)
  test(`a tool call says what it is about: ${name}`, () => {
    const view = viewOf(args)
    assert.equal(view.summary, summary)
    assert.deepEqual(view.diff && shown(view.diff), diff)
  })
