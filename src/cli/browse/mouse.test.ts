import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsFor, type Mouse, withoutMouse } from './mouse.ts'
import { initialState, type State, step } from './state.ts'
import { readingOf } from './test-kit.ts'

test('what is told of the mouse is taken out of what is typed', () => {
  const told: Mouse[] = []
  const tell = (mouse: Mouse) => told.push(mouse)
  assert.equal(withoutMouse('a\u001b[<0;5;9M\u001b[<0;5;9mb\u001b[<65;1;1M\u001b[<2;1;1M', tell), 'ab')
  assert.deepEqual(told, [
    { does: 'click', column: 4, row: 8 },
    { does: 'wheel down', column: 0, row: 0 },
  ])
})

function listed(columns: number, rows: number): State {
  const entries = Array.from({ length: 30 }, (_, n) => ({ source: 'codex', chatId: `${n}`, title: `${n}` }))
  const state = step(initialState({ columns, rows }), { do: 'found', found: { entries, hasMore: false } })
  return step(state, { do: 'read', reading: readingOf(['one', 'two']) })
}

const at = (column: number, row: number, does: Mouse['does'] = 'click') => ({ does, column, row })

test('a click chooses the chat in that row, and opens the one that is chosen', () => {
  for (const [columns, rows] of [
    [140, 40],
    [80, 30],
    [50, 20],
  ] as const) {
    const state = listed(columns, rows)
    assert.deepEqual(actionsFor(state, at(5, 2)), [{ do: 'open' }], `${columns}`)
    assert.deepEqual(actionsFor(state, at(5, 4)), [{ do: 'select', at: 1 }])
    assert.deepEqual(actionsFor(state, at(5, 7)), [{ do: 'select', at: 2 }])
    assert.deepEqual(actionsFor(state, at(5, 0)), [])
    // With a filter there is one line more above the list.
    const narrowed = step(state, { do: 'filter', set: { source: 'codex' } })
    assert.deepEqual(actionsFor(narrowed, at(5, 5)), [{ do: 'select', at: 1 }])
  }
})

test('the wheel moves where the pointer is', () => {
  const beside = listed(140, 40)
  assert.deepEqual(actionsFor(beside, at(5, 10, 'wheel down')), [{ do: 'move', by: 1 }])
  assert.deepEqual(actionsFor(beside, at(100, 10, 'wheel up')), [{ do: 'scroll', by: -3 }])
  assert.deepEqual(actionsFor(beside, at(100, 10)), [{ do: 'focus' }])
  const below = listed(80, 30)
  assert.deepEqual(actionsFor(below, at(5, 26, 'wheel down')), [{ do: 'scroll', by: 3 }])
  const reader = step(below, { do: 'open' })
  assert.deepEqual(actionsFor(reader, at(5, 3, 'wheel down')), [{ do: 'scroll', by: 3 }])
  const asked = step(below, { do: 'prompt', for: 'forget', title: 'Sure?', text: '' })
  assert.deepEqual(actionsFor(asked, at(5, 4)), [])
})
