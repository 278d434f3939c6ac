/**
 * How sure search should be: fits confidence on every second query of the sets, and says on the others how often
 * the first chat was the right one.
 *
 *   node bench/quality/confidence.ts --sets FOLDER [--more FOLDER] [--only NAME,…]
 *
 * Each set counts the same, however many queries it has. The numbers it prints are those of src/search/confidence.ts.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Archive, WordField } from '../../src/archive/archive.ts'
import { confidenceIn, evidenceIn, mostFor } from '../../src/search/confidence.ts'
import { originalsFirst } from '../../src/search/echo.ts'
import { messageFilter } from '../../src/search/filter.ts'
import { understand } from '../../src/search/query.ts'
import { rank } from '../../src/search/rank.ts'
import { searchConversations } from '../../src/search/search.ts'
import { understoodIn } from '../../src/search/understood.ts'
import { archiveOf } from './archive-of.ts'
import { type GivenQuery, setsIn } from './sets.ts'

interface Seen {
  set: string
  evidence: number[]
  most: number
  /** As the product says it now. */
  said: number
  right: boolean
}

const FIELDS: WordField[] = ['said', 'thought', 'tools', 'title']
const ROUNDS = 25
/** Keeps the numbers small where the queries leave them open. */
const RIDGE = 0.01

const options = { sets: { type: 'string' }, more: { type: 'string' }, only: { type: 'string' } } as const
const { values } = parseArgs({ options })
if (!values.sets) throw new Error('Where are the sets? node bench/quality/confidence.ts --sets FOLDER')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-confidence-'))
const halves: [fitted: Seen[], others: Seen[]] = [[], []]
for (const { name, chats, queries } of setsIn(values.sets, values.more)) {
  if (values.only && !values.only.split(',').includes(name)) continue
  const scopes = name.startsWith('entire') ? [undefined] : [...new Set(queries.map(({ scope }) => scope))]
  for (const [i, scope] of scopes.entries()) {
    const file = path.join(temp, 'chats.jsonl')
    const within = scope === undefined ? chats : chats.filter((chat) => chat.scope === scope)
    fs.writeFileSync(file, within.map((chat) => JSON.stringify(chat)).join('\n'))
    const archive = await archiveOf(path.join(temp, `${name}-${i}`), file)
    for (const [at, query] of queries.entries()) {
      if ((scope !== undefined && query.scope !== scope) || query.goldChatIds.length === 0) continue
      const seen = await look(archive, name, query)
      if (seen) halves[at % 2]!.push(seen)
    }
    await archive.close()
  }
}
fs.rmSync(temp, { recursive: true, force: true })
const [fitted, others] = halves
const fit = fitTo(fitted).map((number) => Math.round(number * 100) / 100)
console.log(`FIT = [${fit.join(', ')}]`)
const asFitted = (seen: Seen) => Math.min(sigmoid(dot(fit, seen.evidence)), seen.most)
report('Fitted on the other half', others, asFitted)
report('On the half that it was fitted on', fitted, asFitted)
report('As the product says it now, on the half that was not fitted', others, ({ said }) => said)

async function look(
  archive: Archive,
  set: string,
  { text, goldChatIds }: GivenQuery,
): Promise<Seen | undefined> {
  const { topChatIds } = await searchConversations(archive, { intent_query: text }).catch(() => ({
    topChatIds: [],
  }))
  if (topChatIds.length === 0) return undefined
  return await archive.searching((view) => {
    const { query } = understoodIn(view, understand([text]), FIELDS, {}, () => true)
    const filter = messageFilter(view, {})
    const found = rank(view, query, { fields: FIELDS, match: 'any', filter, most: 31, messagesPerChat: 6 })
    const ranking = { ...found, chats: originalsFirst(view, found.chats) }
    return {
      set,
      evidence: evidenceIn(ranking),
      most: mostFor(view, query, FIELDS),
      said: confidenceIn(view, query, FIELDS, ranking),
      right: goldChatIds.includes(topChatIds[0]!),
    }
  })
}

/** Logistic regression by Newton's method. */
function fitTo(list: Seen[]): number[] {
  const sizes = new Map<string, number>()
  for (const { set } of list) sizes.set(set, (sizes.get(set) ?? 0) + 1)
  const size = list[0]!.evidence.length
  let fit = new Array<number>(size).fill(0)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = fit.map((each) => -RIDGE * each)
    const curve = fit.map((_, i) => fit.map((__, j) => (i === j ? RIDGE : 0)))
    for (const { set, evidence, right } of list) {
      const weight = 100 / sizes.get(set)!
      const chance = sigmoid(dot(fit, evidence))
      for (let i = 0; i < size; i++) {
        slope[i]! += weight * evidence[i]! * (Number(right) - chance)
        for (let j = 0; j < size; j++)
          curve[i]![j]! += weight * chance * (1 - chance) * evidence[i]! * evidence[j]!
      }
    }
    const step = solved(curve, slope)
    fit = fit.map((each, i) => each + step[i]!)
  }
  return fit
}

/** What x is in A x = b, by elimination. */
function solved(a: number[][], b: number[]): number[] {
  const rows = a.map((row, i) => [...row, b[i]!])
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.reduce(
      (best, row, at) => (at >= i && Math.abs(row[i]!) > Math.abs(rows[best]![i]!) ? at : best),
      i,
    )
    ;[rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!]
    const first = rows[i]!
    for (const [at, row] of rows.entries()) {
      if (at === i) continue
      const share = row[i]! / first[i]!
      for (let j = i; j < row.length; j++) row[j]! -= share * first[j]!
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}

function report(title: string, list: Seen[], said: (seen: Seen) => number): void {
  console.log(`\n${title}`)
  const rows = list.map((seen) => ({ set: seen.set, said: said(seen), right: Number(seen.right) }))
  const mean = (numbers: number[]) =>
    Math.round((numbers.reduce((a, b) => a + b, 0) / numbers.length) * 1000) / 1000
  const line = (some: typeof rows) => ({
    answers: some.length,
    said: mean(some.map((row) => row.said)),
    right: mean(some.map((row) => row.right)),
  })
  const tenth = (value: number) => Math.min(9, Math.floor(value * 10))
  const tenths = Map.groupBy(
    rows.toSorted((a, b) => a.said - b.said),
    (row) => tenth(row.said),
  )
  console.table(Object.fromEntries([...tenths].map(([i, some]) => [`${i / 10}–${(i + 1) / 10}`, line(some)])))
  console.table(
    Object.fromEntries([...Map.groupBy(rows, ({ set }) => set)].map(([set, some]) => [set, line(some)])),
  )
  const off = [...tenths.values()].map((some) => Math.abs(line(some).said - line(some).right) * some.length)
  console.log(
    `off by ${mean([off.reduce((a, b) => a + b, 0) / rows.length])} on average; squared error ${mean(rows.map((row) => (row.said - row.right) ** 2))}`,
  )
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}
