/**
 * A unified diff in one hunk: from the first line that differs to the last. Enough for changes of
 * one place, and what a person has to agree to is easier to read in one piece.
 */
export function unifiedDiff(name: string, before: string | undefined, after: string): string {
  if (before === after) return ''
  const [old, now] = [linesOf(before ?? ''), linesOf(after)]
  const shorter = Math.min(old.length, now.length)
  let same = 0
  while (same < shorter && old[same] === now[same]) same++
  let sameEnd = 0
  while (sameEnd < shorter - same && old[old.length - 1 - sameEnd] === now[now.length - 1 - sameEnd])
    sameEnd++
  const from = Math.max(0, same - CONTEXT)
  const [oldTo, nowTo] = [old.length - sameEnd, now.length - sameEnd]
  const more = Math.min(CONTEXT, sameEnd)
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${name}`}`,
    `+++ b/${name}`,
    `@@ -${range(from, oldTo + more)} +${range(from, nowTo + more)} @@`,
    ...old.slice(from, same).map((line) => ` ${line}`),
    ...old.slice(same, oldTo).map((line) => `-${line}`),
    ...now.slice(same, nowTo).map((line) => `+${line}`),
    ...now.slice(nowTo, nowTo + more).map((line) => ` ${line}`),
    '',
  ].join('\n')
}

const CONTEXT = 3
const NO_END = '\n\\ No newline at end of file'

/** A last line without an end says so, as diffs do: it differs from the same line with one. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const last = lines.pop()
  return last ? [...lines, last + NO_END] : lines
}

function range(from: number, to: number): string {
  return to === from ? `${from},0` : `${from + 1},${to - from}`
}
