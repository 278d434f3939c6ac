/** Numbers that come in the same order in every run. */
export function diceOf(seed: number) {
  let state = seed
  const below = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * end)
  }
  return { below, one: <T>(list: readonly T[]): T => list[below(list.length)]! }
}
