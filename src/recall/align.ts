import { Shingles } from './shingles.ts'
import { type WordTable, wordTable } from './word-table.ts'

export interface Said {
  /** Which of the chats. */
  chat: number
  /** Which message of it. */
  index: number
  role: string
  text: string
}

/** A passage that stands in two or more chats. */
interface Common {
  role: string
  /** As it stands where it was found first. */
  content: string
  words: number
  refs: { chat: number; index: number }[]
}

export interface Alignment {
  common: Common[]
  /** For each message, how much of it stands in another chat too: 0 to 1. */
  shared: number[]
}

/** So many words in a row that occur elsewhere make a passage begin. */
const RUN = 3
/** So many words may differ between two such runs of one passage. */
const GAP = 9
const LEAST_WORDS = 10
const LEAST_LIKENESS = 0.65
/** A message that is a passage as a whole may be shorter. */
const LEAST_WHOLE = 3
const LEAST_NEAR = 4
const NEARLY_WHOLE = 0.75
const MOST_WORDS = 4_000
const MOST_REFS = 40

/**
 * Finds passages that stand in two or more chats, near-identical wording included. The first text
 * to say something leads; later ones are compared with leaders only, so that many copies cost no
 * more than few. Runs of three words seen before are chained into passages, the words between two
 * runs are aligned one by one, and what is alike enough counts. Cost: linear in the words.
 */
export function align(messages: Said[]): Alignment {
  const table = wordTable(
    messages.map((message) => message.text),
    MOST_WORDS,
  )
  const { firsts } = table
  const runs = new Shingles(table.words.length)
  const wholes = new Map<string, { leader: number; found: Match[] }>()
  const matches: Match[] = []
  const chains = new Chains(table, messages.length)

  messages.forEach((_, m) => {
    const first = firsts[m]!
    const end = firsts[m + 1]!
    const name = wholeName(table, first, end)
    const equal = end - first >= LEAST_WHOLE ? wholes.get(name) : undefined
    if (equal) {
      matches.push(...repeated(equal, m, firsts))
      return
    }
    const found = chains.passages(runs, first, end).map((passage) => ({ ...passage, message: m }))
    wholes.set(name, { leader: m, found })
    matches.push(...found)
    let covered = first
    for (const passage of [...found, { from: end, to: end }].sort((a, b) => a.from - b.from)) {
      for (let t = covered; t + RUN <= passage.from; t++) runs.add(keyAt(table, t), t)
      covered = Math.max(covered, passage.to)
    }
  })
  return summedUp(messages, table, matches)
}

interface Match {
  leader: number
  /** Words of the leader. */
  start: number
  end: number
  message: number
  /** Words of the message that says it again. */
  from: number
  to: number
}

/** A message that says the same as another from beginning to end has the same leaders. */
function repeated(
  { leader, found }: { leader: number; found: Match[] },
  message: number,
  firsts: Int32Array,
): Match[] {
  const start = firsts[leader]!
  const from = firsts[message]!
  const end = firsts[leader + 1]!
  const led = found.map((match) => ({
    ...match,
    message,
    from: match.from - start + from,
    to: match.to - start + from,
  }))
  const covered = found.reduce((sum, match) => sum + match.to - match.from, 0)
  if (covered >= NEARLY_WHOLE * (end - start)) return led
  return [...led, { leader, start, end, message, from, to: from + end - start }]
}

type Passage = Omit<Match, 'message'>

interface Chain {
  leader: number
  from: number
  start: number
  lastT: number
  lastQ: number
  matched: number
  earlier: Chain | undefined
}

/** Finds, for one message after the other, what of it leaders said before. */
class Chains {
  readonly table: WordTable
  readonly found = new Int32Array(8)
  /** The newest chain of each leading message, for the message at work. */
  readonly newest: (Chain | undefined)[]
  open: Chain[] = []

  constructor(table: WordTable, messages: number) {
    this.table = table
    this.newest = new Array(messages)
  }

  passages(runs: Shingles, first: number, end: number): Passage[] {
    const { table, found } = this
    for (let t = first; t + RUN <= end; t++) {
      const places = runs.places(keyAt(table, t), found)
      for (let i = 0; i < places; i++) this.seed(t, found[i]!)
    }
    const passages = this.open.filter((chain) => this.isAlike(chain, first, end)).map(passageOf)
    for (const chain of this.open) this.newest[chain.leader] = undefined
    this.open = []
    return withoutOverlap(passages)
  }

  seed(t: number, q: number): void {
    const leader = this.table.texts[q]!
    let tries = 0
    for (let chain = this.newest[leader]; chain && tries < 4; chain = chain.earlier, tries++) {
      const dt = t - chain.lastT
      const dq = q - chain.lastQ
      if (dt < 1 || dq < 1 || dt > GAP + RUN || dq > GAP + RUN) continue
      chain.matched += dt === dq && dt <= RUN ? dt : RUN + this.between(chain, t, q)
      chain.lastT = t
      chain.lastQ = q
      return
    }
    const chain = {
      leader,
      from: t,
      start: q,
      lastT: t,
      lastQ: q,
      matched: RUN,
      earlier: this.newest[leader],
    }
    this.newest[leader] = chain
    this.open.push(chain)
  }

  /** How many of the words between the last run and this one are the same in the same order. */
  between(chain: Chain, t: number, q: number): number {
    const { words } = this.table
    const fromT = chain.lastT + RUN
    const fromQ = chain.lastQ + RUN
    // Runs that overlap in one text only: what they have in common was counted already.
    if (t < fromT || q < fromQ) return -Math.max(fromT - t, fromQ - q)
    let before = new Uint8Array(q - fromQ + 1)
    for (let i = fromT; i < t; i++) {
      const row = new Uint8Array(before.length)
      for (let j = fromQ; j < q; j++) {
        const k = j - fromQ + 1
        row[k] = words[i] === words[j] ? before[k - 1]! + 1 : Math.max(before[k]!, row[k - 1]!)
      }
      before = row
    }
    return before.at(-1)!
  }

  isAlike(chain: Chain, first: number, end: number): boolean {
    const { singles, firsts } = this.table
    const length = chain.lastT - chain.from + RUN
    const leading = chain.lastQ - chain.start + RUN
    if (chain.matched < LEAST_NEAR || 2 * chain.matched < LEAST_LIKENESS * (length + leading)) return false
    let weight = chain.matched
    for (let t = chain.from; t < chain.lastT + RUN; t++) weight -= singles[t]! / 2
    if (weight >= LEAST_WORDS) return true
    const other = firsts[chain.leader + 1]! - firsts[chain.leader]!
    return chain.matched >= NEARLY_WHOLE * Math.max(end - first, other)
  }
}

function passageOf({ leader, start, lastQ, from, lastT }: Chain): Passage {
  return { leader, start, end: lastQ + RUN, from, to: lastT + RUN }
}

/** Of passages over the same words the longest. */
function withoutOverlap(passages: Passage[]): Passage[] {
  const kept: Passage[] = []
  for (const passage of passages.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    if (!kept.some((other) => passage.from < other.to && other.from < passage.to)) kept.push(passage)
  }
  return kept
}

function keyAt({ words }: WordTable, at: number): number {
  const mixed = Math.imul(Math.imul(words[at]!, 31) + words[at + 1]!, 0x9e3779b1) + words[at + 2]!
  return Math.imul(mixed ^ (mixed >>> 13), 0x85ebca6b)
}

function wholeName({ words }: WordTable, first: number, end: number): string {
  let a = 0
  let b = 7
  for (let i = first; i < end; i++) {
    a = Math.imul(a ^ words[i]!, 0x01000193)
    b = (Math.imul(b, 31) + words[i]!) | 0
  }
  return `${end - first} ${a} ${b}`
}

function summedUp(messages: Said[], table: WordTable, matches: Match[]): Alignment {
  const { firsts } = table
  const covered = new Uint8Array(table.words.length)
  const byLeader = new Map<number, Match[]>()
  for (const match of matches) {
    const list = byLeader.get(match.leader)
    if (list) list.push(match)
    else byLeader.set(match.leader, [match])
  }
  const common: Common[] = []
  for (const [leader, all] of [...byLeader].sort((a, b) => a[0] - b[0])) {
    for (const group of grouped(all)) {
      const { chat, index, role, text } = messages[leader]!
      const refs = new Map([[`${chat} ${index}`, { chat, index }]])
      for (const { message } of group.matches) {
        const other = messages[message]!
        refs.set(`${other.chat} ${other.index}`, { chat: other.chat, index: other.index })
      }
      if (new Set([...refs.values()].map((ref) => ref.chat)).size < 2) continue
      covered.fill(1, group.start, group.end)
      for (const { from, to } of group.matches) covered.fill(1, from, to)
      common.push({
        role,
        content: text.slice(table.starts[group.start]!, endOfPassage(text, table.ends[group.end - 1]!)),
        words: group.end - group.start,
        refs: [...refs.values()].slice(0, MOST_REFS),
      })
    }
  }
  const shared = messages.map((_, m) => {
    const length = firsts[m + 1]! - firsts[m]!
    let sum = 0
    for (let t = firsts[m]!; t < firsts[m + 1]!; t++) sum += covered[t]!
    return length === 0 ? 0 : sum / length
  })
  return { common, shared }
}

/** What different texts repeat of one leader, put together where it is mostly the same. */
function grouped(matches: Match[]): { start: number; end: number; matches: Match[] }[] {
  const groups: { start: number; end: number; matches: Match[] }[] = []
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = groups.at(-1)
    const overlap = last ? last.end - match.start : 0
    if (last && overlap * 2 >= Math.min(match.end - match.start, last.end - last.start)) {
      last.end = Math.max(last.end, match.end)
      last.matches.push(match)
    } else groups.push({ start: match.start, end: match.end, matches: [match] })
  }
  return groups
}

/** With the full stop or bracket that belongs to its last word. */
function endOfPassage(text: string, end: number): number {
  return end + (/^[.,;:!?)\]}`"'»”。！？]+/.exec(text.slice(end, end + 4))?.[0].length ?? 0)
}
