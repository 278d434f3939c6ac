/** A run of letters and digits that is in every text a pattern matches: blocks without it need not be read. */
export function requiredRun(source: string, flags: string): string | undefined {
  const runs = runsIn(source)
  if (!runs) return undefined
  // With these flags `k` is also the sign for kelvin, and `s` the long s of old prints.
  const isWide = flags.includes('i') && flags.includes('u')
  const pieces = isWide ? runs.flatMap((run) => run.split(/[ks]/i)) : runs
  const longest = pieces.reduce((best, run) => (run.length > best.length ? run : best), '')
  return longest.length >= LEAST ? longest : undefined
}

const LEAST = 3
const SKIPPED = /\\(?:x[\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}|c[a-z]|[pk](?:\{[^}]*\}|<[^>]*>)|\d+|.)/isy
const QUANTIFIER = /(?:[*?]|\{\d*,?\d*\})\??/y

/** The runs that are there in any case; nothing where one of several ways may match. */
function runsIn(source: string): string[] | undefined {
  const runs: string[] = []
  let run = ''
  const end = () => {
    runs.push(run)
    run = ''
  }
  for (let at = 0; at < source.length; ) {
    const sign = source[at]!
    if (sign === '|') return undefined
    if (/\w/.test(sign)) {
      run += sign
      at++
      QUANTIFIER.lastIndex = at
      const quantifier = QUANTIFIER.exec(source)
      if (!quantifier) continue
      run = run.slice(0, -1)
      at += quantifier[0].length
      end()
      continue
    }
    end()
    if (sign === '\\') {
      SKIPPED.lastIndex = at
      at += SKIPPED.exec(source)?.[0].length ?? 2
    } else if (sign === '[') at = afterClass(source, at)
    else if (sign === '(') at = afterGroup(source, at)
    else if (sign === '{') at = Math.max(at + 1, source.indexOf('}', at) + 1)
    else at++
  }
  end()
  return runs
}

function afterClass(source: string, from: number): number {
  let at = from + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

function afterGroup(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; ) {
    if (source[at] === '[') {
      at = afterClass(source, at)
      continue
    }
    if (source[at] === '(') depth++
    if (source[at] === ')' && --depth === 0) return at + 1
    at += source[at] === '\\' ? 2 : 1
  }
  return source.length
}
