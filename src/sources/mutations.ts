/** Damage for readers to survive: the same for the same seed. */
export function* mutations(original: Buffer, count: number, seed = 1): Generator<Buffer> {
  const below = diceFrom(seed)
  for (let index = 0; index < count; index++) {
    let bytes: Buffer = Buffer.from(original)
    for (let hits = 1 + below(3); hits > 0; hits--) bytes = DAMAGES[below(DAMAGES.length)]!(bytes, below)
    yield bytes
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Whole numbers below a limit, the same for the same seed. */
export function diceFrom(seed: number): Below {
  const random = randomFrom(seed)
  return (limit) => Math.floor(random() * limit)
}

/** One JSON document, cut, emptied, or with other values in it: for rows of databases, which are many and small. */
export function mutatedJson(json: string, below: Below): string | Uint8Array {
  const cut = below(json.length)
  switch (below(6)) {
    case 0:
      return json.slice(0, cut)
    case 1:
      return json.slice(0, cut) + json.slice(cut + 1 + below(20))
    case 2:
      return json.replace(/: ?("[^"]*"|\d+)/g, (whole) =>
        below(4) ? whole : [':null', ':[]', ':{}', ':-1', ':"__proto__"', ':true'][below(6)]!,
      )
    case 3:
      return `${'['.repeat(3000)}${json}`
    case 4:
      return splice(Buffer.from(json), cut, 0, Buffer.from([0, 0xff, 0xc3]))
    default:
      return ['', 'null', '[]', '"x"', '7', json + json][below(6)]!
  }
}

type Below = (limit: number) => number

const VALUES = [
  'null',
  'true',
  '-1',
  '1e999',
  '""',
  '[]',
  '{}',
  '[[[{}]]]',
  '{"__proto__":{"a":1}}',
  '"\\ud800"',
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
]

const DAMAGES: ((bytes: Buffer, below: Below) => Buffer)[] = [
  (bytes, below) => bytes.subarray(0, below(bytes.length + 1)),
  (bytes, below) => {
    if (bytes.length > 0) bytes[below(bytes.length)] = below(256)
    return bytes
  },
  (bytes, below) => splice(bytes, below(bytes.length + 1), 0, Buffer.from([0, 0, 0xff, 0xfe, 0xc3])),
  (bytes, below) => splice(bytes, below(bytes.length + 1), below(40), Buffer.alloc(0)),
  (bytes, below) => withLines(bytes, (lines) => lines.toSpliced(below(lines.length), 1)),
  (bytes, below) =>
    withLines(bytes, (lines) => lines.toSpliced(below(lines.length), 0, lines[below(lines.length)]!)),
  (bytes, below) =>
    withLines(bytes, (lines) => {
      const [one, other] = [below(lines.length), below(lines.length)]
      return lines.with(one, lines[other]!).with(other, lines[one]!)
    }),
  replaceValue,
  replaceValue,
  replaceValue,
]

const VALUE = /(?<=[:[,]\s{0,20})(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|\[\s*\]|\{\s*\})/g

/** Puts a value of another type where a JSON value is: the first one behind some place, so that only a part is looked at. */
function replaceValue(bytes: Buffer, below: Below): Buffer {
  const from = below(bytes.length + 1)
  const value = firstValue(bytes, from, from + 2_000) ?? firstValue(bytes, 0, bytes.length)
  if (!value) return bytes
  return splice(bytes, value.index, value.length, Buffer.from(VALUES[below(VALUES.length)]!))
}

function firstValue(bytes: Buffer, from: number, to: number): { index: number; length: number } | undefined {
  VALUE.lastIndex = 0
  const found = VALUE.exec(bytes.toString('latin1', from, to))
  return found ? { index: from + found.index, length: found[0].length } : undefined
}

function withLines(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  return Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1')
}

function splice(bytes: Buffer, at: number, length: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + length)])
}
