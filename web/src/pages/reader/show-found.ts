const MOST = 2_000

/**
 * Marks the words wherever they are in sight, without touching what is there: the browser paints
 * them (`::highlight(found)` in the styles). Gives back a function that ends it.
 */
export function showFound(words: string): () => void {
  const list = document.querySelector('.messages-inside')
  if (!list || !('highlights' in CSS)) return () => {}
  let frame = 0
  const mark = () => {
    frame = 0
    CSS.highlights.set('found', new Highlight(...rangesIn(list, words)))
  }
  const later = () => {
    frame ||= requestAnimationFrame(mark)
  }
  const watch = new MutationObserver(later)
  watch.observe(list, { childList: true, characterData: true, subtree: true })
  later()
  return () => {
    watch.disconnect()
    cancelAnimationFrame(frame)
    CSS.highlights.delete('found')
  }
}

function rangesIn(root: Element, words: string): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && ranges.length < MOST; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? ''
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      ranges.push(range)
    }
  }
  return ranges
}
