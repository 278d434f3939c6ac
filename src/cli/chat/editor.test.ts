import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Editor } from './editor.ts'
import { KeyReader, type Press } from './keys.ts'

test('a message is edited by characters as people see them, by words and by lines', () => {
  const editor = new Editor()
  editor.insert('one two 👩‍👩‍👧‍👦')
  editor.press('backspace')
  assert.equal(editor.text, 'one two ')
  editor.press('ctrl+w')
  editor.insert('three\nfour')
  editor.press('up')
  editor.press('home')
  editor.insert('> ')
  assert.deepEqual([editor.text, editor.at], ['> one three\nfour', 2])
  editor.press('down')
  editor.press('ctrl+k')
  assert.equal(editor.text, '> one three\nfo')
})

test('what was written is recalled, and the draft comes back', () => {
  const editor = new Editor()
  editor.recall(['older', 'old'])
  editor.insert('draft')
  editor.press('up')
  assert.equal(editor.text, 'old')
  editor.press('up')
  editor.press('up')
  assert.equal(editor.text, 'older')
  for (let i = 0; i < 3; i++) editor.press('down')
  assert.equal(editor.text, 'draft')
  editor.take({ remember: true })
  editor.press('up')
  assert.equal(editor.text, 'draft')
})

test('keys are told apart however the bytes are cut', async () => {
  const bytes = Buffer.from('é\u001b[A\u001b[200~a\r\nb\u001b[Bc\u001b[201~\u001b[1;5Cx\u001b\r')
  const wanted: Press[] = [
    { text: 'é' },
    { key: 'up' },
    { paste: 'a\nb\u001b[Bc' },
    { key: 'alt+f' },
    { text: 'x' },
    { key: 'alt+enter' },
  ]
  for (const size of [1, 2, 3, 7, 100]) {
    const pressed: Press[] = []
    const reader = new KeyReader((press) => pressed.push(press))
    for (let at = 0; at < bytes.length; at += size) reader.add(bytes.subarray(at, at + size))
    assert.deepEqual(pressed, wanted, `pieces of ${size}`)
  }
  const pressed: Press[] = []
  new KeyReader((press) => pressed.push(press)).add(Buffer.from('\u001b'))
  while (pressed.length === 0) await sleep(5)
  assert.deepEqual(pressed, [{ key: 'escape' }])
})
