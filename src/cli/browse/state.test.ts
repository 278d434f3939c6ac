import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Action,
  type Entry,
  initialState,
  isOutermost,
  optionsOf,
  placeOf,
  type State,
  screenOf,
  step,
} from './state.ts'
import { readingOf } from './test-kit.ts'

const size = { columns: 80, rows: 24 }
const entry = (chatId: string): Entry => ({ source: 'codex', chatId, title: chatId })
const found = (...ids: string[]) => ({ entries: ids.map(entry), hasMore: false })
const after = (state: State, ...actions: Action[]) => actions.reduce(step, state)
const chosen = ({ found, selected }: State) => found?.entries[selected]?.chatId

test('typing edits the words and begins the list anew', () => {
  const state = after(
    initialState(size),
    { do: 'found', found: found('a', 'b', 'c') },
    { do: 'move', by: 2 },
    { do: 'edit', edit: { insert: 'lock' } },
  )
  assert.equal(state.query.text, 'lock')
  assert.equal(state.selected, 0)
})

test('the choice stays within the list', () => {
  const listed = after(initialState(size), { do: 'found', found: found('a', 'b', 'c') })
  assert.equal(chosen(after(listed, { do: 'move', by: -1 })), 'a')
  assert.equal(chosen(after(listed, { do: 'page', by: 1 }, { do: 'page', by: 1 })), 'c')
  assert.equal(chosen(after(listed, { do: 'edge', to: 'end' })), 'c')
  assert.equal(chosen(after(initialState(size), { do: 'move', by: 1 })), undefined)
})

test('news from the archive keep the chosen chat, a new search begins at the top', () => {
  const state = after(initialState(size), { do: 'found', found: found('a', 'b') }, { do: 'move', by: 1 })
  assert.equal(chosen(after(state, { do: 'found', found: found('new', 'a', 'b'), keep: true })), 'b')
  assert.equal(chosen(after(state, { do: 'found', found: found('new', 'a', 'b') })), 'new')
  assert.equal(chosen(after(state, { do: 'found', found: found('new'), keep: true })), 'new')
})

test('back goes one step out at a time', () => {
  const steps: Action[] = [
    { do: 'filter', set: { source: 'codex' } },
    { do: 'edit', edit: { insert: 'lock' } },
    { do: 'read', reading: readingOf(['one', 'two']) },
    { do: 'open' },
    { do: 'find', find: 'two' },
    { do: 'help' },
  ]
  let state = after(initialState(size), ...steps)
  const places: string[] = []
  for (; !isOutermost(state); state = step(state, { do: 'back' }))
    places.push(
      [placeOf(state), state.find, state.query.text, state.filters.source].filter(Boolean).join(' '),
    )
  assert.deepEqual(places, [
    'help two lock codex',
    'reader two lock codex',
    'reader lock codex',
    'list lock codex',
    'list codex',
  ])
})

test('a menu narrows as one types, and chooses among what is left', () => {
  const options = ['alpha', 'beta', 'gamma'].map((label) => ({ label, action: { do: 'help' } as const }))
  const state = after(
    initialState(size),
    { do: 'menu', title: 'Letters', options },
    { do: 'move', by: 9 },
    { do: 'edit', edit: { insert: 'TA' } },
  )
  assert.ok(state.panel?.kind === 'menu')
  assert.equal(state.panel.selected, 0)
  assert.deepEqual(
    optionsOf(state.panel).map(({ label }) => label),
    ['beta'],
  )
  assert.equal(state.query.text, '', 'what is typed into a menu is not searched for')
})

test('Tab goes to the preview only where there is one', () => {
  const reading = readingOf(['one'])
  const wide = after(initialState(size), { do: 'read', reading }, { do: 'focus' })
  assert.equal(placeOf(wide), 'preview')
  assert.equal(placeOf(step(wide, { do: 'resized', columns: 50, rows: 20 })), 'list')
  const narrow = after(initialState({ columns: 50, rows: 20 }), { do: 'read', reading }, { do: 'focus' })
  assert.equal(placeOf(narrow), 'list')
})

test('a chat opens where the words stand', () => {
  const texts = Array.from({ length: 30 }, (_, i) => (i === 20 ? 'the needle' : `line ${i}`))
  const words = {
    text: 'needle',
    in: (text: string): [number, number][] => (/needle/.test(text) ? [[4, 10]] : []),
  }
  const state = after(
    initialState(size),
    { do: 'found', found: { ...found('c'), words } },
    { do: 'read', reading: readingOf(texts), at: 20 },
  )
  const { index } = state.reading!.top
  assert.ok(index > 15 && index <= 20, `message ${index} is at the top`)
})

const sizes: [columns: number, rows: number, preview: string | undefined][] = [
  [200, 60, 'beside'],
  [120, 40, 'beside'],
  [100, 10, 'beside'],
  [99, 40, 'below'],
  [80, 24, 'below'],
  [80, 15, undefined],
  [50, 20, undefined],
  [20, 5, undefined],
  [1, 1, undefined],
]

for (const [columns, rows, preview] of sizes) {
  test(`at ${columns}×${rows} the preview is ${preview ?? 'left to Enter'}, and all fits`, () => {
    for (const words of [undefined, { text: 'lock', in: () => [] }]) {
      const state = { ...initialState({ columns, rows }), found: { ...found('a'), words } }
      const layout = screenOf({ ...state, filters: { fuzzy: true } })
      assert.equal(layout.preview?.at, preview)
      const { list, preview: shown, reader, footer } = layout
      for (const size of [list.rows, list.columns, reader.rows, reader.columns]) assert.ok(size > 0)
      if (rows < 6) continue
      const head = 3
      const body = shown?.at === 'below' ? list.rows + 1 + shown.rows : list.rows
      assert.equal(head + body + footer, rows)
      if (shown?.at === 'beside') assert.ok(list.columns + shown.columns <= columns)
    }
  })
}

test('marks are put on the chosen chat and taken off again, and stay through a new search', () => {
  const state = after(initialState(size), { do: 'found', found: found('a', 'b', 'c') }, { do: 'mark' })
  assert.deepEqual(
    state.marked.map(({ chatId }) => chatId),
    ['a'],
  )
  assert.equal(chosen(state), 'b')
  const two = after(state, { do: 'mark' }, { do: 'found', found: found('z') })
  assert.equal(two.marked.length, 2)
  assert.ok(!isOutermost(two))
  assert.equal(after(state, { do: 'move', by: -1 }, { do: 'mark' }).marked.length, 0)
  // Esc takes the marks away before it takes the words.
  const typed = after(two, { do: 'edit', edit: { insert: 'w' } }, { do: 'back' })
  assert.deepEqual([typed.marked.length, typed.query.text], [0, 'w'])
})
