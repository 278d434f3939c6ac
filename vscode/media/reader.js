const host = acquireVsCodeApi()
const dialog = document.getElementById('dialog')

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
