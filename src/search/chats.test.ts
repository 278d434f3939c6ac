import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterOf, type Beside, type Documents, FAR } from '../archive/archive.ts'
import { bytes, doubles, ints, uints } from '../platform/loops/memory.ts'
import { bestChats } from './chats.ts'
import type { RankOptions } from './ranking.ts'
import { MEANT, Scores } from './score.ts'
import { cleanScratch } from './scratch.ts'
import { bestOfAll } from './test-exhaustive.ts'

test('The best chats are those that the ranking of everything gives, with the same scores', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = dice(seed)
    // Now and then more of them than are gone through at once.
    const documents = madeUp(random, seed % 50 === 0 ? 900 : 60)
    const units = 1 + Math.floor(random() * 4)
    const options: RankOptions = {
      fields: ['said', 'title'],
      match: random() < 0.3 ? 'all' : 'any',
      filter: madeUpFilter(random, documents),
      most: 1 + Math.floor(random() * 24),
      messagesPerChat: Math.floor(random() * 6),
    }
    const seedOfScores = Math.floor(random() * 1e9)
    const run = (
      rank: typeof bestChats | typeof bestOfAll,
      match = options.match,
      changes: Partial<RankOptions> = {},
    ) => {
      const { scores, gains } = scored(dice(seedOfScores), documents, options, units)
      const result = rank(scores, units, { ...options, ...gains, match, ...changes })
      // The ranking of everything leaves more behind than it says.
      if (rank === bestOfAll) for (const list of Object.values(scores.scratch).flat()) list.fill(0)
      else cleanScratch(scores)
      assert.ok(
        Object.entries(scores.scratch).every(
          ([name, lists]) =>
            LISTS.has(name) || [lists].flat().every((list) => list.every((each: number) => each === 0)),
        ),
        `seed ${seed}: what was used is zero again`,
      )
      return result
    }
    const { chats, total, withAll } = run(bestChats) as ReturnType<typeof bestChats>
    assert.deepEqual({ chats, total }, run(bestOfAll), `seed ${seed}`)
    if (withAll) assert.deepEqual(withAll, run(bestOfAll, 'all').chats, `seed ${seed}, chats with all words`)
    // Where those are not enough it goes on, and what is told is the same as if as many were asked for.
    const more = run(bestChats, options.match, { isEnough: (some) => some.length > options.most })
    const most = options.most < total ? options.most * 5 : options.most
    assert.deepEqual(more.chats, run(bestOfAll, options.match, { most }).chats, `seed ${seed}, more`)
  }
})

const LISTS = new Set(['found', 'some', 'chatMet', 'foundChats'])

type Dice = () => number

function dice(seed: number): Dice {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Chats of a few to some dozens of messages; in some messages nothing is said, so they are nobody's neighbours. */
function madeUp(random: Dice, most: number): Documents {
  const chats = 2 + Math.floor(random() * most)
  const longest = 1 + Math.floor(random() * 30)
  const chatOf = [0]
  for (let chat = 1; chat < chats; chat++)
    for (let i = 1 + Math.floor(random() * longest); i > 0; i--) chatOf.push(chat)
  const end = chatOf.length
  const before: Beside = { steps: bytes(end), far: new Map() }
  const after: Beside = { steps: bytes(end), far: new Map() }
  const last = new Map<number, number>()
  for (let key = 1; key < end; key++) {
    if (random() < 0.1) continue
    const previous = last.get(chatOf[key]!)
    if (previous !== undefined) {
      // Some as if they were far away.
      const step = random() < 0.2 ? FAR : key - previous
      before.steps[key] = step
      after.steps[previous] = step
      if (step === FAR) {
        before.far.set(key, previous)
        after.far.set(previous, key)
      }
    }
    last.set(chatOf[key]!, key)
  }
  const lengths = (length: number, most: number) =>
    filled(bytes(length), () => 1 + Math.floor(random() * most))
  return {
    end,
    endOfChats: chats,
    chat: filled(ints(end), (key) => chatOf[key]!),
    label: filled(bytes(end), () => Math.floor(random() * 8)),
    at: uints(end),
    said: lengths(end, 40),
    thought: lengths(end, 40),
    tools: lengths(end, 40),
    title: lengths(chats, 5),
    lengthOf: (code) => code,
    before,
    after,
    chatWords: filled(doubles(chats), () => 1 + Math.floor(random() * 900)),
    chatAt: filled(uints(chats), () => (random() < 0.1 ? 0 : 1.7e9 + Math.floor(random() * 3e7))),
    messages: { said: end, thought: end, tools: end, title: chats },
    words: { said: end * 20, thought: end * 20, tools: end * 20, title: chats * 3 },
    chats,
  }
}

function filled<T extends { length: number; [i: number]: number }>(list: T, each: (i: number) => number): T {
  for (let i = 0; i < list.length; i++) list[i] = each(i)
  return list
}

function madeUpFilter(random: Dice, documents: Documents): RankOptions['filter'] {
  const narrows = random() < 0.3
  const kept = Array.from({ length: documents.end }, () => random() < 0.7)
  return { narrows, passes: (key) => kept[key]!, passesChat: () => true }
}

/** Lists of some words, common and rare, in what was said, by tools, and in titles; and what else counts. */
function scored(random: Dice, documents: Documents, { filter }: RankOptions, units: number) {
  const scores = new Scores(documents, filter)
  const postings = (end: number, share: number) => {
    const all = Array.from({ length: end }, (_, key) => key).filter((key) => key > 0 && random() < share)
    const size = all.length
    // Some as the index gives them, others from elsewhere.
    const isInReach = random() < 0.5
    const keys = filled(isInReach ? ints(size) : new Int32Array(size), (i) => all[i]!)
    const counts = isInReach ? bytes(size) : new Uint8Array(size)
    return { keys, counts: filled(counts, () => 1 + Math.floor(random() * 3)), size, messages: size }
  }
  for (let unit = 0; unit < units; unit++) {
    const share = random() ** 3
    const said = postings(documents.end, share)
    const title = random() < 0.5 ? postings(documents.endOfChats, share) : undefined
    const term = { unit, weight: 1, ...(random() < 0.2 && { raises: true as const }) }
    if (random() < 0.4) scores.add(term, 'tools', postings(documents.end, share), 0.3)
    scores.add(term, 'said', said, 1)
    scores.addToChats(term, said, title)
  }
  scores.weigh(units)
  const { found, score, final, units: parts, chatFlags } = scores.scratch
  const some = (most: number) => scores.top(Math.floor(random() * most))
  const gains = {
    meant: new Map(some(20).map((key) => [key, random() * 3])),
    answers: new Map(
      some(20)
        .map((key) => afterOf(documents, key))
        .filter((key) => key !== 0 && (!filter.narrows || filter.passes(key)))
        .map((key) => [key, random() * 3]),
    ),
    whole: new Map<number, number>(random() < 0.3 ? [[1, 10]] : []),
  }
  // Some are found by what they mean alone, as by an endpoint.
  for (let key = 1; key < documents.end && random() < 0.3; key += 7) {
    if (filter.narrows && !filter.passes(key)) continue
    if (parts[key] === 0) {
      found[scores.messages++] = key
      final[key] = 1
    }
    score[key]! += random() * 2
    chatFlags[documents.chat[key]!]! |= MEANT
  }
  return { scores, gains }
}
