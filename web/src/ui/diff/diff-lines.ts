/** One line of a change: kept, added, taken away, or a heading between places. */
export interface DiffLine {
  sign: ' ' | '+' | '-' | '@'
  text: string
}

const MOST_CELLS = 400_000

/** What changed from one text to another, line by line. */
export function diffOf(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++
  return [
    ...old.slice(0, head).map(kept),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(kept),
  ]
}

/** The changes in a patch: unified (`diff --git`, `@@`) or as agents write it (`*** Begin Patch`). */
export function patchLines(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  for (const line of linesOf(patch)) {
    const file =
      /^\*\*\* (?:Update|Add|Delete) File: (.+)/.exec(line)?.[1] ?? /^\+\+\+ (?:b\/)?(.+)/.exec(line)?.[1]
    if (file) lines.push({ sign: '@', text: file })
    else if (/^(\*\*\*|---|diff |index |new file|deleted file|similarity|rename )/.test(line)) continue
    else if (line.startsWith('@@')) {
      const place = line.replace(/^@@( -\S+ \+\S+ @@)?\s*/, '')
      if (place) lines.push({ sign: '@', text: place })
    } else if (line[0] === '+' || line[0] === '-') lines.push({ sign: line[0], text: line.slice(1) })
    else lines.push({ sign: ' ', text: line.slice(1) })
  }
  return lines
}

export function isPatch(text: string): boolean {
  return /^(\*\*\* Begin Patch|diff --git |--- .+\n\+\+\+ )/.test(text.trimStart())
}

export function countsOf(lines: DiffLine[]): { added: number; removed: number } {
  return {
    added: lines.filter(({ sign }) => sign === '+').length,
    removed: lines.filter(({ sign }) => sign === '-').length,
  }
}

/** The longest common subsequence; where that would be too much work, all old lines and then all new ones. */
function middle(old: string[], now: string[]): DiffLine[] {
  if (old.length * now.length > MOST_CELLS)
    return [
      ...old.map((text): DiffLine => ({ sign: '-', text })),
      ...now.map((text): DiffLine => ({ sign: '+', text })),
    ]
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ sign: ' ', text: old[i]! })
      i++
      j++
    } else if (
      j >= now.length ||
      (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    )
      lines.push({ sign: '-', text: old[i++]! })
    else lines.push({ sign: '+', text: now[j++]! })
  }
  return lines
}

function kept(text: string): DiffLine {
  return { sign: ' ', text }
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
