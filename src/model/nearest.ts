/** Which of the known names a mistyped one may be: a few letters away from it, from a word of it, or a part of it; the nearest first. */
export function nearestOf(given: string, known: readonly string[], most = 3): string[] {
  const wanted = letters(given)
  const far = farFrom(wanted)
  const near = known
    .map((name) => ({ name, edits: editsFrom(name, wanted, far) }))
    .filter(({ edits }) => edits <= far)
    .toSorted((a, b) => a.edits - b.edits || a.name.length - b.name.length)
  return near
    .filter(({ edits }) => edits === 0 || near[0]!.edits > 0)
    .slice(0, most)
    .map(({ name }) => name)
}

function editsFrom(name: string, wanted: string, far: number): number {
  const whole = letters(name)
  const isPart = wanted.length >= 3 && whole.includes(wanted)
  if (isPart) return 0
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 5)
  return Math.min(
    editsBetween(wanted, whole, far),
    ...words
      .map((word) => ({ edits: editsBetween(wanted, letters(word), far), most: farFrom(word) }))
      .filter(({ edits, most }) => edits <= most)
      .map(({ edits }) => edits),
  )
}

function farFrom(name: string): number {
  return Math.max(1, Math.floor(name.length / 3))
}

/** Letters added, left out, changed, or two swapped; cut off above `most`. */
export function editsBetween(a: string, b: string, most: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
      if (edits < least) least = edits
    }
    if (least > most) return most + 1
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
