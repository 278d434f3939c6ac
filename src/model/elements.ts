/** Where an element stands in a text: from its opening tag to the end of its closing one. */
export interface Element {
  start: number
  end: number
}

/**
 * The outermost elements of a text that may hold XML, in their order. A tag without its other half, as the `void` of
 * `Promise<void>`, is text. Costs one pass whatever the text, for anybody may have written it.
 */
export function elementsIn(text: string): Element[] {
  const elements: Element[] = []
  const open: { name: string; start: number }[] = []
  const opened = new Map<string, number>()
  for (const { 0: tag, 1: slash, 2: name, index } of text.matchAll(TAG)) {
    if (tag.endsWith('/>')) continue
    if (!slash) {
      open.push({ name: name!, start: index })
      opened.set(name!, (opened.get(name!) ?? 0) + 1)
      continue
    }
    if (!opened.get(name!)) continue
    for (;;) {
      const last = open.pop()!
      opened.set(last.name, opened.get(last.name)! - 1)
      if (last.name !== name) continue
      while (elements.length > 0 && elements.at(-1)!.start > last.start) elements.pop()
      elements.push({ start: last.start, end: index + tag.length })
      break
    }
  }
  return elements
}

const TAG = /<(\/?)([A-Za-z_][\w.:-]*)(?:\s[^<>]*)?\/?>/g
