/**
 * docs/images/demo.svg: a terminal in which real commands run on the sample archive, as a moving picture.
 *
 *   node scripts/demo.ts
 *
 * Each scene is typed, its output appears, and it gives way to the next; then it begins again.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const SCENES = [
  'recollect search deadlock ShareLock --limit 2',
  'recollect requests b6fb',
  'recollect resume b6fb',
]
const COLUMNS = 92
const ROWS = 14
const LETTER = 8.43
const LINE = 19
const MARGIN = 18
const TYPING_S = 0.045
const READING_S = 4

const root = path.join(import.meta.dirname, '..')
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-demo-'))
try {
  fs.cpSync(path.join(root, 'sample'), home, { recursive: true })
  run('recollect sync')
  fs.writeFileSync(path.join(root, 'docs', 'images', 'demo.svg'), drawn(SCENES.map(scene)))
} finally {
  fs.rmSync(home, { recursive: true })
}

interface Scene {
  command: string
  lines: string[]
}

function scene(command: string): Scene {
  const lines = run(command)
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line))
  return { command, lines: lines.slice(0, ROWS - 2) }
}

function run(command: string): string {
  const bin = path.join(root, 'bin', 'recollect')
  const env = {
    ...process.env,
    HOME: home,
    RECOLLECT_HOME: path.join(home, 'archive'),
    TZ: 'UTC',
    NO_COLOR: '1',
  }
  return execFileSync('sh', ['-c', command.replace(/^recollect/, `"${process.execPath}" "${bin}"`)], {
    env,
    encoding: 'utf8',
  })
}

function drawn(scenes: Scene[]): string {
  const lasts = scenes.map(
    ({ command, lines }) => command.length * TYPING_S + 0.4 + lines.length * 0.05 + READING_S,
  )
  const whole = lasts.reduce((sum, seconds) => sum + seconds, 0)
  const width = Math.round(COLUMNS * LETTER + 2 * MARGIN)
  const height = ROWS * LINE + 2 * MARGIN + 22
  const styles: string[] = []
  const body: string[] = []
  let from = 0
  for (const [at, { command, lines }] of scenes.entries()) {
    const to = from + lasts[at]!
    styles.push(frame(`s${at}`, from, to, whole))
    const parts = [prompt(command, at, from, to, whole, styles)]
    for (const [row, line] of lines.entries()) {
      const name = `s${at}l${row}`
      styles.push(frame(name, from + command.length * TYPING_S + 0.4 + row * 0.05, to, whole))
      parts.push(
        `<text class="${name} ${looks(line)}" x="${MARGIN}" y="${y(row + 1)}">${escaped(line)}</text>`,
      )
    }
    body.push(`<g class="s${at}">${parts.join('')}</g>`)
    from = to
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="Searching past chats in a terminal, listing what was asked, and resuming a chat">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#d6deeb}
.p{fill:#7fdbca}.t{font-weight:700;fill:#fff}.d{fill:#8b98a9}
${styles.join('\n')}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1520"/>
<circle cx="20" cy="17" r="5" fill="#ff5f57"/><circle cx="38" cy="17" r="5" fill="#febc2e"/><circle cx="56" cy="17" r="5" fill="#28c840"/>
${body.join('\n')}
</svg>
`
}

/** Letter by letter: a cover that moves away in as many steps as there are letters. */
function prompt(
  command: string,
  at: number,
  from: number,
  to: number,
  whole: number,
  styles: string[],
): string {
  const name = `s${at}c`
  const typed = from + command.length * TYPING_S
  const wide = (command.length + 1) * LETTER
  const percent = (seconds: number) => `${((seconds / whole) * 100).toFixed(2)}%`
  styles.push(
    `.${name}{animation:${name} ${whole}s infinite}@keyframes ${name}{0%,${percent(from)}{transform:translateX(0);animation-timing-function:steps(${command.length})}${percent(typed)},${percent(to)}{transform:translateX(${wide.toFixed(0)}px)}100%{transform:translateX(${wide.toFixed(0)}px)}}`,
  )
  const x = MARGIN + 2 * LETTER
  return [
    `<text class="p" x="${MARGIN}" y="${y(0)}">$</text>`,
    `<text class="t" x="${x.toFixed(1)}" y="${y(0)}">${escaped(command)}</text>`,
    `<rect class="${name}" x="${x.toFixed(1)}" y="${y(0) - 15}" width="${wide.toFixed(0)}" height="20" fill="#0d1520"/>`,
  ].join('')
}

function frame(name: string, from: number, to: number, whole: number): string {
  const percent = (seconds: number) => ((seconds / whole) * 100).toFixed(2)
  const before = from > 0 ? `0%,${percent(from - 0.01)}%{opacity:0}` : ''
  const after = to < whole - 0.1 ? `${percent(to + 0.01)}%,100%{opacity:0}` : ''
  return `.${name}{animation:${name} ${whole}s infinite}@keyframes ${name}{${before}${percent(from)}%,${percent(to)}%{opacity:1}${after}}`
}

function y(row: number): number {
  return MARGIN + 34 + row * LINE
}

/** Details are dim, as in a terminal with colours. */
function looks(line: string): string {
  return /^(#\d+ |\d{4}-|… )/.test(line) ? 'd' : ''
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!)
}
