import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import xterm from '@xterm/headless'

/** Why there can be no pseudo-terminal here; nothing where there can. */
export function noTerminal(): string | undefined {
  try {
    const version = execFileSync('script', ['--version'], { encoding: 'utf8' })
    return version.includes('util-linux') ? undefined : 'needs `script` of util-linux'
  } catch {
    return 'needs `script` of util-linux, which is not installed'
  }
}

export interface TerminalOptions {
  columns?: number
  rows?: number
  cwd: string
  env: Record<string, string>
  /** A folder of the test's own, for the name of the terminal and the exit code. */
  folder: string
}

const PATIENCE_MS = 180_000

/**
 * A command in a pseudo-terminal, seen through a terminal emulator: what a test reads is what a
 * person would see.
 */
export class Terminal {
  /** All that was written to the terminal, escape sequences included. */
  written = ''
  title = ''
  readonly #screen: InstanceType<typeof xterm.Terminal>
  readonly #child: ChildProcess
  readonly #notes: string
  readonly #ended: Promise<number | null>

  constructor(command: string[], { columns = 80, rows = 24, cwd, env, folder }: TerminalOptions) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1_000 })
    this.#screen.unicode.register(WIDE_EMOJI)
    this.#screen.unicode.activeVersion = WIDE_EMOJI.version
    this.#screen.onTitleChange((title) => {
      this.title = title
    })
    this.#notes = path.join(folder, `terminal-${process.hrtime.bigint()}`)
    const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const inside = [
      `tty > '${this.#notes}.tty'`,
      `stty cols ${columns} rows ${rows}`,
      `sh -c 'echo $$ > "$0"; exec "$@"' '${this.#notes}.pid' ${quoted}`,
      'code=$?',
      // How the command left the terminal: afterwards there is none any more.
      `stty -a > '${this.#notes}.modes'`,
      'exit $code',
    ].join('; ')
    this.#child = spawn('script', ['-qfec', inside, '/dev/null'], {
      cwd,
      env: {
        PATH: process.env.PATH,
        TERM: 'xterm-256color',
        COLORTERM: 'truecolor',
        SHELL: '/bin/sh',
        ...env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child.stdout!.setEncoding('utf8').on('data', (data: string) => {
      this.written += data
      this.#screen.write(data)
    })
    this.#child.stdin!.on('error', () => {})
    this.#ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)))
  }

  type(keys: string): void {
    this.#child.stdin!.write(keys)
  }

  /** The lines of the screen, without spaces at their ends. */
  lines(): string[] {
    const { active } = this.#screen.buffer
    return Array.from(
      { length: this.#screen.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    )
  }

  text(): string {
    return this.lines().join('\n')
  }

  /** The columns, of a row, in which a sign stands. */
  columnsOf(sign: string, row: number): number[] {
    const { active } = this.#screen.buffer
    const line = active.getLine(active.baseY + row)
    return Array.from({ length: this.#screen.cols }, (_, column) => column).filter(
      (column) => line?.getCell(column)?.getChars() === sign,
    )
  }

  /** What is on a ground of this colour of the palette, one after the other. */
  onGround(colour: number): string[] {
    const { active } = this.#screen.buffer
    return this.lines().flatMap((_, row) => {
      const line = active.getLine(active.baseY + row)
      const signs = Array.from({ length: this.#screen.cols }, (_, column) => {
        const cell = line?.getCell(column)
        return cell?.isBgPalette() && cell.getBgColor() === colour ? cell.getChars() || ' ' : '\0'
      })
      return signs.join('').split(/\0+/).filter(Boolean)
    })
  }

  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.#screen.buffer.active
    return { x, y }
  }

  /** Whether the screen is the one that full-screen programs have for themselves. */
  get isAlternate(): boolean {
    return this.#screen.buffer.active.type === 'alternate'
  }

  /** Whether a frame has begun that is not whole yet: it comes in pieces. */
  get #isDrawing(): boolean {
    return this.written.lastIndexOf('\u001b[?2026h') > this.written.lastIndexOf('\u001b[?2026l')
  }

  /** Waits until the screen shows it; says what it shows instead. */
  async shows(wanted: RegExp | ((text: string) => boolean), what = String(wanted)): Promise<string> {
    const isThere = typeof wanted === 'function' ? wanted : (text: string) => wanted.test(text)
    const deadline = Date.now() + PATIENCE_MS
    while (this.#isDrawing || !isThere(this.text())) {
      if (Date.now() > deadline) throw new Error(`The screen never showed ${what}:\n${this.text()}`)
      await sleep(15)
    }
    return this.text()
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows)
    execFileSync('stty', ['-F', this.#note('tty'), 'cols', String(columns), 'rows', String(rows)])
  }

  /** How the terminal treats keys while the command runs. */
  modes(): string {
    return execFileSync('stty', ['-F', this.#note('tty'), '-a'], { encoding: 'utf8' })
  }

  /** How the command left it. */
  modesAfter(): string {
    return this.#note('modes')
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(Number(this.#note('pid')), signal)
  }

  #note(what: 'tty' | 'pid' | 'modes'): string {
    return fs.readFileSync(`${this.#notes}.${what}`, 'utf8').trim()
  }

  /** The exit code, when all has been written and seen. */
  async ended(): Promise<number | null> {
    const code = await this.#ended
    await new Promise<void>((resolve) => this.#screen.write('', resolve))
    return code
  }

  close(): void {
    this.#child.kill('SIGKILL')
    this.#screen.dispose()
  }
}

/**
 * Today's terminals give emoji two columns, and a flag, which is two characters, two together; the emulator's
 * own table is older than most of them.
 */
const WIDE_EMOJI = {
  version: 'wide emoji',
  wcwidth: columnsOf,
  charProperties: (code: number) => columnsOf(code) << 1,
}

function columnsOf(code: number): 0 | 1 | 2 {
  const character = String.fromCodePoint(code)
  if (code < 32 || (code >= 0x7f && code < 0xa0) || /\p{M}|\p{Cf}/u.test(character)) return 0
  if (/\p{Regional_Indicator}/u.test(character)) return 1
  return /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u.test(
    character,
  )
    ? 2
    : 1
}
