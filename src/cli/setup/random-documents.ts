/** Made-up settings files for tests, full of comments and odd layout: the same seed makes the same file. */
export interface Random {
  below(n: number): number
  pick<T>(from: readonly T[]): T
}

export function random(seed: number): Random {
  let state = seed * 2_654_435_761 + 1
  const below = (n: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % n
  }
  return { below, pick: (from) => from[below(from.length)]! }
}

const WORDS = [
  'alpha',
  'beta',
  'größe',
  'with space',
  'a.b',
  'x-y',
  '日本',
  '😀',
  'true',
  '9',
  '#no',
  '// no',
  '[t]',
]

export function randomJsonc(r: Random, list: string): string {
  const eol = r.pick(['\n', '\r\n'])
  const step = r.pick(['  ', '    ', '\t'])
  const comment = () => r.pick(['', '', ' // note, {"x": 1}', ' /* block } */'])
  const value = (depth: number, indent: string): string => {
    const kind = depth > 3 ? r.below(4) : r.below(7)
    if (kind === 0) return String(r.below(1_000_000))
    if (kind === 1) return r.pick(['true', 'false', 'null', '-1.5e10', '12345678901234567890'])
    if (kind < 4) return JSON.stringify(r.pick(WORDS))
    if (kind === 4) return `[${[...Array(r.below(4))].map(() => value(depth + 1, indent)).join(', ')}]`
    return object(depth + 1, indent, [])
  }
  const object = (depth: number, indent: string, more: [string, string][]): string => {
    const keys = new Map<string, string>()
    for (let left = r.below(4); left > 0; left--)
      keys.set(`${r.pick(WORDS)}${left}`, value(depth, indent + step))
    const pairs = [...keys, ...more]
    if (r.below(4) === 0) return `{${pairs.map(([key, each]) => `${JSON.stringify(key)}:${each}`).join(',')}}`
    const lines = pairs.flatMap(([key, each], index) => {
      const comma = index < pairs.length - 1 || (pairs.length > 0 && r.below(3) === 0) ? ',' : ''
      const above = r.below(4) === 0 ? [`${indent}${step}// above`] : []
      return [...above, `${indent}${step}${JSON.stringify(key)}: ${each}${comma}${comment()}`]
    })
    const end = r.below(5) === 0 ? [`${indent}${step}// the end`] : []
    return [`{${comment()}`, ...lines, ...end, `${indent}}`].join(eol)
  }
  const servers: [string, string][] = r.below(3) > 0 ? [[list, object(1, step, [])]] : []
  const top = r.below(3) === 0 ? `// settings${eol}` : ''
  return `${r.pick(['', '\ufeff'])}${top}${object(0, '', servers)}${r.pick(['', eol, eol + eol, ` // end${eol}`])}`
}

/** The servers as a list: of tables, or of nothing yet. */
export function randomTomlList(r: Random, list: string): string {
  const text = randomToml(r, 'others')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  if (r.below(4) === 0) {
    const mark = text.startsWith('\ufeff') ? 1 : 0
    return `${text.slice(0, mark)}${list} = ${r.pick(['[]', '[{ name = "a", n = 1 }]', `[${eol}  { name = "a" },${eol}]`])}${eol}${text.slice(mark)}`
  }
  const items = [...Array(r.below(4))].map((_, index) => {
    const head = r.pick([`[[${list}]]`, `[[ ${list} ]] # note`, `  [[${list}]]`])
    const below = r.pick(['', `[${list}.env]${eol}A = "${index}"${eol}`])
    return `${eol}${head}${eol}${r.pick(['', `name = "s${index}" # its name${eol}`])}command = 'c # ${index}'${eol}${below}`
  })
  return `${text}${items.length > 0 && !text.endsWith('\n') ? eol : ''}${items.join('')}${r.pick(['', `${eol}[end]${eol}x = 1${eol}`])}`
}

export function randomToml(r: Random, list: string): string {
  const eol = r.pick(['\n', '\r\n'])
  const comment = () => r.pick(['', '', ' # note [x]', '  # "'])
  const value = (): string =>
    r.pick([
      () => String(r.below(1_000_000)),
      () => r.pick(['true', '1979-05-27T07:32:00Z', '0xff', '3.14', '9007199254740993']),
      () => JSON.stringify(r.pick(WORDS)),
      () => `'it # is [literal]'`,
      () => `"""${eol}[${list}.recollect]${eol}# no comment \\""" either${eol}"""`,
      () => `'''${eol}[x]${eol}'''`,
      () => `[ # first${eol}  "a]", # second${eol}  'b', ${eol}]`,
      () => `{ a = 1, "b c" = [1, 2] }`,
    ])()
  const pair = (index: number): string => {
    const key = r.pick([`k${index}`, `"quoted key${index}"`, `'lit.key${index}'`, `dotted.key${index}`])
    return `${r.pick(['', '  '])}${key}${r.pick(['=', ' = '])}${value()}${comment()}${eol}`
  }
  const pairs = () => [...Array(r.below(4)).keys()].map(pair).join('')
  const tables = [...Array(r.below(5))].map((_, index) => {
    const head = r.pick([
      `[t${index}]`,
      `[ ${list} . s${index} ]`,
      `[[many]]`,
      `[projects."/home/me/x${index}"]`,
    ])
    return `${r.pick(['', eol, `# above${eol}`])}${r.pick(['', '  '])}${head}${comment()}${eol}${pairs()}`
  })
  const text = `${r.pick(['', '\ufeff'])}${r.pick(['', `# top${eol}`, eol])}${pairs()}${tables.join('')}${r.pick(['', `# end${eol}`, eol])}`
  return r.below(3) === 0 ? text.trimEnd() : text
}

export function randomYaml(r: Random, list: string): string {
  const eol = r.pick(['\n', '\r\n'])
  const step = r.pick(['  ', '    '])
  const comment = () => r.pick(['', '', ' # note: x', '  # {'])
  const scalar = () =>
    r.pick([
      '1',
      'true',
      '"quoted: # no"',
      "'single ''quote'''",
      'plain text',
      '~',
      '[a, "b, c"]',
      '{ a: 1 }',
      'null',
    ])
  const pair = (key: string, indent: string, depth: number): string => {
    const kind = depth > 2 ? 0 : r.below(5)
    const above = r.below(5) === 0 ? `${indent}# above${eol}` : ''
    const inner = indent + step
    if (kind === 1)
      return `${above}${indent}${key}:${comment()}${eol}${[...Array(1 + r.below(3))].map((_, i) => pair(`n${i}`, inner, depth + 1)).join('')}`
    if (kind === 2)
      return `${above}${indent}${key}:${eol}${indent}- a${eol}${indent}- b: 1${eol}${indent}  c: 2${eol}`
    if (kind === 3)
      return `${above}${indent}${key}: ${r.pick(['|', '>', '|-'])}${eol}${inner}some: text${eol}${inner}# no comment${eol}`
    return `${above}${indent}${key}: ${scalar()}${comment()}${eol}`
  }
  const parts = [...Array(r.below(4)).keys()].map((index) =>
    pair(r.pick([`KEY${index}`, `"quoted key${index}"`, `größe${index}`]), '', 0),
  )
  if (r.below(3) > 0) {
    const servers = r.pick([
      () =>
        `${list}:${comment()}${eol}${[...Array(1 + r.below(3))].map((_, i) => pair(`s${i}`, step, 1)).join('')}`,
      () => `${list}: {}${comment()}${eol}`,
      () => `${list}:${comment()}${eol}`,
      () => `${list}: {a: {enabled: true}, "b": 2}${comment()}${eol}`,
    ])()
    parts.splice(r.below(parts.length + 1), 0, servers)
  }
  const text = `${r.pick(['', '\ufeff', `# top${eol}`, `---${eol}`])}${parts.join(r.pick(['', eol]))}${r.pick(['', `# end${eol}`])}`
  return r.below(4) === 0 ? text.trimEnd() : text
}
