const host = acquireVsCodeApi()
const dialog = document.getElementById('dialog')
/** What was searched for, in lower case. */
let marks = []

document.addEventListener('click', (event) => {
  const wanted = event.target.closest?.('[data-do]')
  if (wanted) host.postMessage({ do: wanted.dataset.do })
})

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'n') step(1)
  else if (event.key === 'p') step(-1)
  else if (event.key === 't') turnTools()
})

window.addEventListener('message', ({ data }) => {
  if (typeof data.reference === 'string') host.setState({ reference: data.reference })
  if (typeof data.body === 'string') replace(data.body)
  if (Array.isArray(data.marks)) marks = data.marks
  mark()
  if (typeof data.index === 'number') focusOn(document.getElementById(`m${data.index}`))
})

host.postMessage({ do: 'ready' })

/** The next or the previous request, seen from what is at the top of the window. */
function step(direction) {
  const requests = [...document.querySelectorAll('article.request')]
  const isBelow = (element) => element.getBoundingClientRect().top > 8
  const isAbove = (element) => element.getBoundingClientRect().top < -8
  focusOn(direction > 0 ? requests.find(isBelow) : requests.findLast(isAbove))
}

function focusOn(element) {
  if (!element) return
  element.scrollIntoView({ block: 'start' })
  element.focus({ preventScroll: true })
}

function turnTools() {
  const tools = [...document.querySelectorAll('details.tool')]
  const open = tools.some((each) => !each.open)
  for (const each of tools) each.open = open
}

/** What was unfolded stays so, and what is read stays where it is. */
function replace(body) {
  const keyOf = (each) => `${each.closest('article')?.id} ${[...each.parentElement.children].indexOf(each)}`
  const open = new Set([...document.querySelectorAll('details[open]')].map(keyOf))
  const fromEnd = document.documentElement.scrollHeight - window.scrollY
  const grewAbove = dialog.querySelector('[data-do="showEarlier"]')?.textContent
  dialog.innerHTML = body
  for (const each of document.querySelectorAll('details')) if (open.has(keyOf(each))) each.open = true
  // Earlier messages are put in above: then the distance to the end is what stays.
  if (grewAbove !== dialog.querySelector('[data-do="showEarlier"]')?.textContent)
    window.scrollTo({ top: document.documentElement.scrollHeight - fromEnd, behavior: 'instant' })
}

/** Marks what was searched for, without touching the page. */
function mark() {
  if (!globalThis.CSS?.highlights) return
  const ranges = []
  const texts = document.createTreeWalker(dialog.querySelector('main') ?? dialog, NodeFilter.SHOW_TEXT)
  while (marks.length > 0 && ranges.length < 5_000 && texts.nextNode()) {
    const node = texts.currentNode
    const said = node.data.toLowerCase()
    // Some letters are longer in lower case: then places are not the same.
    if (said.length !== node.data.length) continue
    for (const word of marks) {
      for (let at = said.indexOf(word); at >= 0; at = said.indexOf(word, at + word.length)) {
        if (!isWhole(said, at, word.length)) continue
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges))
  document.body.dataset.marked = String(ranges.length)
}

function isWhole(text, at, length) {
  const isLetter = (letter) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
  const isCjk = /\p{Script=Han}/u.test(text.slice(at, at + length))
  return isCjk || (!isLetter(text[at - 1]) && !isLetter(text[at + length]))
}
