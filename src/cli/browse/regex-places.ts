import vm from 'node:vm'
import { patternOf } from '../../search/pattern.ts'
import type { Range } from './spans.ts'

const PATIENCE_MS = 1_000

/**
 * Says where in a text a pattern matches, on the thread that asks: a pattern that takes too long on a text is given up, and
 * marks nothing from then on, so that whoever reads is never kept waiting.
 */
export function regexPlaces(source: string, patienceMs = PATIENCE_MS): (text: string) => Range[] {
  const { flags } = patternOf(source)
  const inside = vm.createContext({ source, flags, text: '' })
  const script = new vm.Script(`
    [...text.matchAll(pattern)].filter(([match]) => match !== '').map(({ index, 0: { length } }) => [index, index + length])`)
  vm.runInContext('const pattern = new RegExp(source, flags)', inside)
  let isTooSlow = false
  return (text) => {
    if (isTooSlow) return []
    inside.text = text
    try {
      // Of another realm: copied, so that they are arrays as any other.
      const places = script.runInContext(inside, { timeout: patienceMs }) as Range[]
      return Array.from(places, ([start, end]): Range => [start, end])
    } catch {
      isTooSlow = true
      return []
    }
  }
}
