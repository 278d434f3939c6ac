const host = acquireVsCodeApi()
const list = document.getElementById('list')
const search = document.getElementById('search')
const TYPING_MS = 150

/** References of what is picked; the row that has the focus; where a range begins. */
let selected = new Set()
let current
let anchor
let typing

const items = () => [...list.querySelectorAll('[role="treeitem"]')]
const chats = () => [...list.querySelectorAll('.chat')]
const keyOf = (item) =>
  item && JSON.stringify([item.dataset.reference, item.dataset.group, item.dataset.more, item.dataset.saved])
const send = (what) => host.postMessage(what)

list.addEventListener('click', (event) => {
  const button = event.target.closest('button')
  if (button?.dataset.do) return press(button.dataset.do)
  const item = event.target.closest('[role="treeitem"]')
  if (!item) return
  if (button?.dataset.savedDo) return send({ do: button.dataset.savedDo, name: item.dataset.saved })
  if (button?.dataset.rowDo)
    return send({ do: 'run', command: button.dataset.rowDo, references: [item.dataset.reference] })
  focusOn(item)
  if (item.classList.contains('chat')) pick(item, event)
  if (!event.shiftKey && !event.ctrlKey && !event.metaKey) act(item)
})

// Before VS Code looks at what was clicked.
document.addEventListener(
  'contextmenu',
  (event) => {
    const row = event.target.closest?.('.chat')
    if (!row) return
    focusOn(row)
    if (!selected.has(row.dataset.reference)) pick(row, {})
    const context = JSON.parse(row.dataset.vscodeContext)
    const references = [...selected]
    row.dataset.vscodeContext = JSON.stringify({
      ...context,
      references,
      recollectSeveral: references.length > 1,
    })
  },
  true,
)

list.addEventListener('keydown', (event) => {
  const item = event.target.closest('[role="treeitem"]')
  if (!item || event.altKey) return
  const all = items()
  const at = all.indexOf(item)
  const isGroup = item.classList.contains('group')
  const isOpen = item.getAttribute('aria-expanded') === 'true'
  const steps = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: all.length - 1,
    PageDown: at + 10,
    PageUp: at - 10,
  }
  if (event.key in steps) {
    const next = all[Math.max(0, Math.min(all.length - 1, steps[event.key]))]
    focusOn(next)
    if (next.classList.contains('chat') && !event.ctrlKey) pick(next, { shiftKey: event.shiftKey })
  } else if (event.key === 'ArrowLeft' && isGroup && isOpen) turn(item, false)
  else if (event.key === 'ArrowLeft' && !isGroup)
    focusOn(all.slice(0, at).findLast((each) => each.classList.contains('group')))
  else if (event.key === 'ArrowRight' && isGroup) isOpen ? focusOn(all[at + 1]) : turn(item, true)
  else if (event.key === 'Enter') act(item)
  else if (event.key === ' ') item.classList.contains('chat') ? pick(item, { ctrlKey: true }) : act(item)
  else if (event.key === 'Delete' || (event.metaKey && event.key === 'Backspace')) forChats(item, 'forget')
  else if (event.key === 'F2') forChats(item, 'rename')
  else if (event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey))) search.focus()
  else return
  event.preventDefault()
  event.stopPropagation()
})

search.addEventListener('input', () => {
  clearTimeout(typing)
  typing = setTimeout(find, TYPING_MS)
})
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && search.value) clearSearch()
  else if (event.key === 'ArrowDown' || event.key === 'Enter') {
    if (event.key === 'Enter') find()
    focusOn(items().find((item) => item.classList.contains('chat')) ?? items()[0])
  } else return
  event.preventDefault()
})

window.addEventListener('message', ({ data }) => {
  if (typeof data.query === 'string') search.value = data.query
  if (data.focus === 'search') {
    search.focus()
    search.select()
  }
  if (typeof data.body === 'string') replace(data.body)
})
window.addEventListener('scroll', () => host.setState({ top: window.scrollY }), { passive: true })

send({ do: 'ready' })
let scrolled = host.getState()?.top ?? 0

/** What is picked, in focus and read stays where it is. */
function replace(body) {
  const hadFocus = list.contains(document.activeElement)
  const key = keyOf(current)
  list.innerHTML = body
  const still = chats().map((row) => row.dataset.reference)
  setSelected(still.filter((reference) => selected.has(reference)))
  current = items().find((item) => keyOf(item) === key) ?? items()[0]
  if (current) current.tabIndex = 0
  if (hadFocus) current?.focus({ preventScroll: true })
  if (scrolled > 0) window.scrollTo({ top: scrolled, behavior: 'instant' })
  scrolled = 0
}

function focusOn(item) {
  if (!item) return
  if (current) current.tabIndex = -1
  current = item
  item.tabIndex = 0
  item.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'nearest' })
}

/** Picks a row; with Ctrl one more or one less, with Shift all up to it. */
function pick(row, { ctrlKey, metaKey, shiftKey }) {
  const { reference } = row.dataset
  const all = chats()
  if (shiftKey && anchor) {
    const from = all.findIndex((each) => each.dataset.reference === anchor)
    const [start, end] = [from, all.indexOf(row)].sort((a, b) => a - b)
    setSelected(all.slice(Math.max(0, start), end + 1).map((each) => each.dataset.reference))
    return
  }
  anchor = reference
  if (ctrlKey || metaKey) {
    const next = new Set(selected)
    if (!next.delete(reference)) next.add(reference)
    setSelected([...next])
  } else setSelected([reference])
}

function setSelected(references) {
  const before = JSON.stringify([...selected])
  selected = new Set(references)
  for (const row of chats()) row.setAttribute('aria-selected', String(selected.has(row.dataset.reference)))
  if (JSON.stringify([...selected]) !== before) send({ do: 'select', references: [...selected] })
}

/** What a click or Enter does. */
function act(item) {
  const { reference, index, group, more, saved } = item.dataset
  if (group !== undefined) turn(item, item.getAttribute('aria-expanded') !== 'true')
  else if (saved !== undefined) send({ do: 'saved', name: saved })
  else if (more !== undefined) send({ do: 'more', group: more })
  else send({ do: 'open', reference, ...(index !== undefined && { index: Number(index) }) })
}

function turn(item, isOpen) {
  send({ do: 'turn', group: item.dataset.group, isOpen })
}

/** On a group, nothing: a key pressed by mistake must not reach chats that nobody chose. */
function forChats(item, command) {
  if (!item.classList.contains('chat')) return
  const references = selected.has(item.dataset.reference) ? [...selected] : [item.dataset.reference]
  send({ do: 'run', command, references })
}

function press(command) {
  if (command === 'clearSearch') clearSearch()
  else send({ do: 'press', command })
}

function clearSearch() {
  search.value = ''
  find()
  search.focus()
}

function find() {
  clearTimeout(typing)
  send({ do: 'find', text: search.value })
}
