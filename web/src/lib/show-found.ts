const MOST = 2_000
/** So long the list is given to come to rest before what was found is brought in sight. */
const REST_MS = 200
/** Between what was found and the edges of the list, in pixels. */
const EDGE = 60

/**
 * What matches the words, wherever it is in sight, without touching what is there: the browser paints
 * it (`::highlight(found)` and `found-now` in the styles). `now` names the part that one has come to; what is found there
 * first is brought in sight. Gives back a function that ends it.
 */
export function showFound(root: Element, words: RegExp, now?: string): () => void {
  if (!('highlights' in CSS)) return () => {}
  let frame = 0
  let isBrought = now === undefined
  const mark = () => {
    frame = 0
    const here = now === undefined ? null : root.querySelector(now)
    const ranges = matchesIn(root, words)
    const inside = ranges.filter((range) => here?.contains(range.startContainer))
    paint(ranges, inside)
    if (isBrought || !inside[0]) return
    isBrought = true
    setTimeout(() => bringInSight(inside), REST_MS)
  }
  const later = () => {
    frame ||= requestAnimationFrame(mark)
  }
  const watch = new MutationObserver(later)
  watch.observe(root, { childList: true, characterData: true, subtree: true })
  later()
  return () => {
    watch.disconnect()
    cancelAnimationFrame(frame)
    unpaint()
  }
}

/** The same for what was looked for already. */
export function showRanges(ranges: Range[], now: Range | undefined): () => void {
  if (ranges.length === 0 || !('highlights' in CSS)) return () => {}
  paint(ranges, now ? [now] : [])
  return unpaint
}

function paint(ranges: Range[], now: Range[]): void {
  const current = new Highlight(...now)
  current.priority = 1
  CSS.highlights.set('found', new Highlight(...ranges.filter((range) => !now.includes(range))))
  CSS.highlights.set('found-now', current)
}

function unpaint(): void {
  CSS.highlights.delete('found')
  CSS.highlights.delete('found-now')
}

/** Matches any of the words: as they are, or only where they are whole words. */
export function wordsPattern(words: string[], isWhole: boolean): RegExp | undefined {
  if (words.length === 0) return undefined
  const any = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')
  // What is written without spaces has no ends of words.
  const spaced = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d]'
  return new RegExp(isWhole ? `(?<!${spaced})(?:${any})(?!${spaced})` : any, 'giu')
}

/** Where the words are in what is drawn. */
export function matchesIn(root: Element, words: RegExp): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
    for (const match of (node.nodeValue ?? '').matchAll(words)) {
      const range = new Range()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      ranges.push(range)
    }
  }
  return ranges
}

/** The first of them, unless one is in sight already. */
function bringInSight(ranges: Range[]): void {
  const first = ranges[0]
  const list = scrollerOf(first?.startContainer.parentElement)
  if (!first || !list) return
  const box = list.getBoundingClientRect()
  const isSeen = ranges.some((range) => {
    const { top, bottom, height } = range.getBoundingClientRect()
    return height > 0 && top >= box.top && bottom <= box.bottom
  })
  if (!isSeen) list.scrollTop += first.getBoundingClientRect().top - box.top - EDGE
}

function scrollerOf(element: Element | null | undefined): Element | null {
  for (let at = element ?? null; at; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  return document.scrollingElement
}
