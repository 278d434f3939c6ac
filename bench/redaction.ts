/**
 * What redaction costs: CPU time for each kilobyte of code and docs and of the corpus' harmless
 * texts, beside one plain regular expression over the same text; and whether any repeated string
 * costs more than in proportion to its length.
 */
import fs from 'node:fs'
import path from 'node:path'
import { redact } from '../src/platform/redact.ts'
import { corpus } from '../test/redaction-corpus.ts'

const root = path.join(import.meta.dirname, '..')

function cpuMs(work: () => void): number {
  const begun = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/** Of five runs, the one in the middle. */
function median(work: () => void): number {
  work()
  const times = Array.from({ length: 5 }, () => cpuMs(work)).sort((a, b) => a - b)
  return times[2] as number
}

function textsBelow(...folders: string[]): string {
  return folders
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:md|ts)$/.test(file))
        .sort()
        .map((file) => fs.readFileSync(path.join(root, folder, file), 'utf8')),
    )
    .join('\n')
    .slice(0, 1_000_000)
}

const harmless = (await corpus())
  .filter(({ secret }) => !secret)
  .map(({ text }) => text)
  .join('\n')
const texts = {
  'code and docs': textsBelow('docs', 'src/archive', 'src/search'),
  'look-alikes': harmless.repeat(20),
}

const PIECE = 50_000

/** Of each piece the least of eight runs, warm: what others do on the machine at that moment is not counted. */
function microsecondsForKilobyte(text: string, work: (piece: string) => unknown): number {
  work(text)
  let sum = 0
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE)
    sum += Math.min(...Array.from({ length: 8 }, () => cpuMs(() => work(piece))))
  }
  return (1000 * sum) / (text.length / 1000)
}

for (const [name, text] of Object.entries(texts)) {
  // Before anything else: of what is still cold there is most.
  const plain = (1000 * median(() => redact(text))) / (text.length / 1000)
  const ours = microsecondsForKilobyte(text, redact)
  const words = microsecondsForKilobyte(text, (piece) => piece.match(/\b\w+\b/g))
  console.log(
    `${name}: ${ours.toFixed(1)} µs CPU for each kB, ${(ours / words).toFixed(1)} × listing its words by a regular expression; ${plain.toFixed(1)} as the median of five runs over the whole`,
  )
}

const worst = JSON.parse(
  fs.readFileSync(path.join(root, 'test/fixtures/redaction/worst.json'), 'utf8'),
) as string[]
const growth = worst.map((unit) => {
  const of = (length: number) => unit.repeat(Math.ceil(length / unit.length))
  return { unit, small: median(() => redact(of(10_000))), large: median(() => redact(of(40_000))) }
})
growth.sort((a, b) => b.large - a.large)
for (const { unit, small, large } of growth.slice(0, 3)) {
  console.log(`${JSON.stringify(unit)} repeated: 10 kB ${small.toFixed(1)} ms, 40 kB ${large.toFixed(1)} ms`)
}
