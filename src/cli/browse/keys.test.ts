import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import type { Key } from 'ink'
import { actionFor, BINDINGS, type Press, pressed } from './keys.ts'
import type { Place } from './state.ts'

const NONE: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
}

const presses: [input: string, key: Partial<Key>, expected: Press[]][] = [
  ['a', {}, [{ text: 'a' }]],
  ['', { upArrow: true }, [{ key: 'up' }]],
  ['', { upArrow: true, shift: true }, [{ key: 'shift+up' }]],
  ['\r', { return: true }, [{ key: 'enter' }]],
  ['', { escape: true }, [{ key: 'esc' }]],
  ['f', { ctrl: true }, [{ key: 'ctrl+f' }]],
  ['b', { meta: true }, [{ key: 'alt+b' }]],
  ['G', { shift: true }, [{ text: 'G' }]],
  ['', {}, []],
  ['a', { eventType: 'release' }, []],
  ['deadlock\r', {}, [{ text: 'deadlock' }, { key: 'enter' }]],
  ['\u0015new words', {}, [{ key: 'ctrl+u' }, { text: 'new words' }]],
  ['x\u007f\t', {}, [{ text: 'x' }, { key: 'backspace' }, { key: 'tab' }]],
]

for (const [input, key, expected] of presses) {
  test(`${JSON.stringify(input)} with ${JSON.stringify(key)} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(pressed(input, { ...NONE, ...key }), expected)
  })
}

const actions: [place: Place, press: Press, does: string | undefined][] = [
  ['list', { text: 'q' }, 'edit'],
  ['list', { text: '?' }, 'help'],
  ['list', { key: 'ctrl+r' }, 'resume'],
  ['list', { key: 'backspace' }, 'edit'],
  ['preview', { text: 'q' }, 'edit'],
  ['preview', { key: 'end' }, 'edge'],
  ['reader', { text: 'q' }, 'back'],
  ['reader', { text: 'x' }, undefined],
  ['reader', { key: 'ctrl+y' }, 'choose copy'],
  ['menu', { text: '?' }, 'edit'],
  ['prompt', { text: '?' }, 'edit'],
  ['help', { text: 'x' }, undefined],
  ['prompt', { key: 'ctrl+c' }, 'leave'],
]

for (const [place, press, does] of actions) {
  test(`in the ${place}, ${JSON.stringify(press)} does ${does ?? 'nothing'}`, () => {
    assert.equal(actionFor(place, press)?.do, does)
  })
}

test('what is pasted into a field can be no key and no control character', () => {
  assert.deepEqual(actionFor('list', { text: 'two\nlines\u001b[2J' }), {
    do: 'edit',
    edit: { insert: 'two lines [2J' },
  })
})

test('no key means two things in one place', () => {
  for (const [place, bindings] of Object.entries(BINDINGS)) {
    const keys = bindings.flatMap((binding) => binding.keys)
    assert.deepEqual(
      keys.filter((key, i) => keys.indexOf(key) !== i),
      [],
      place,
    )
  }
})

test('the docs tell every key that the help tells', () => {
  const docs = fs.readFileSync(new URL('../../../docs/terminal.md', import.meta.url), 'utf8')
  for (const { shown, does } of [...BINDINGS.list, ...BINDINGS.reader])
    if (shown) assert.ok(docs.includes(`| \`${shown}\` | ${does} |`), `| \`${shown}\` | ${does} |`)
})
