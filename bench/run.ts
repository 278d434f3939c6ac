/**
 * All that is measured, small: `npm run bench`. Each figure is a ratio to something plain that does the same in the same
 * run (parsing the files, bare Node, FTS5, a regular expression over the text), both in CPU time, in turns, the least of
 * several: how busy the machine is matters little. A ratio that is a quarter worse than recorded is measured again, and
 * if it stays so the run fails.
 *
 *   node bench/run.ts [--only NAME] [--record]
 *
 * `--record` writes bench/recorded.json anew: after a change that is meant to cost something, with the reason in its commit.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { figures } from './small/figures.ts'
import { type Measured, ratioOf } from './small/measured.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, record: { type: 'boolean' } } })
/** A figure fails beyond so much of the recorded one. */
const WORSE = 1.25
const ROUNDS = 3
/** So often is measured at the most where a figure looks worse: noise only ever adds. */
const MOST_ROUNDS = 9

const file = path.join(import.meta.dirname, 'recorded.json')
const recorded: Record<string, number> = JSON.parse(fs.readFileSync(file, 'utf8'))
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-bench-'))
const began = performance.now()
const failed: string[] = []
const known = { ...recorded }
try {
  for (const figure of figures(temp)) {
    const { name } = figure
    if (values.only && !name.includes(values.only)) continue
    const at = performance.now()
    const least = recorded[name]
    const limit = values.record || least === undefined ? Number.POSITIVE_INFINITY : least * WORSE
    for (let turn = 0; turn < (figure.warmUps ?? 0); turn++) await figure.measure()
    const taken: Measured[] = []
    const isEnough = () =>
      figure.isExact
        ? taken.length > 0
        : taken.length >= (values.record ? 2 * ROUNDS : ROUNDS) && ratioOf(taken) <= limit
    while (taken.length < MOST_ROUNDS && !isEnough()) {
      taken.push(await figure.measure())
    }
    await figure.end?.()
    const ratio = ratioOf(taken)
    const isWorse = ratio > limit
    if (isWorse) failed.push(name)
    known[name] = Number(ratio.toPrecision(3))
    console.log(
      [
        isWorse ? '✗' : '✔',
        name.padEnd(46),
        ratio.toFixed(2).padStart(8),
        least === undefined ? 'not recorded' : `recorded ${least}`,
        `${taken.length} × ${((performance.now() - at) / 1000 / Math.max(1, taken.length)).toFixed(1)} s`,
      ].join('  '),
    )
  }
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}
if (values.record) fs.writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
console.log(
  `${((performance.now() - began) / 1000).toFixed(0)} s, load ${os.loadavg()[0]!.toFixed(1)}, Node ${process.version}`,
)
if (failed.length > 0) {
  console.error(
    `More than a quarter worse than recorded: ${failed.join(', ')}.\nMake it faster again, or, where it is meant to cost that, \`npm run bench -- --record\` and say why in the commit.`,
  )
  process.exitCode = 1
}
process.exit()
