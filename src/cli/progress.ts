import type { Progress } from '../sync/sync.ts'
import { bytes, duration } from './format.ts'
import { paint, type Stream } from './paint.ts'
import { own } from './terminal.ts'

const BAR = 24
const CLEAR = '\r\u001b[2K'
const EVERY_MS = 80
/** Shorter work than this shows no bar: it would only flicker. */
const QUIET_MS = 150

/** A progress bar with rate and remaining time, on a terminal; silent elsewhere. */
export function progressBar(stream: Stream = process.stderr) {
  const { show, clear } = redrawn(stream)
  return { show: (progress: Progress) => show((seconds) => line(progress, seconds, stream)), clear }
}

/** The same for work that is counted, not weighed. */
export function countingBar(stream: Stream = process.stderr) {
  const { show, clear } = redrawn(stream)
  return {
    show: (done: number, all: number, what: string) =>
      show((seconds) => countedLine(done, all, what, seconds, stream)),
    clear,
  }
}

const FEW_CHATS = 20

/** How many chats were gone through, on a terminal, where they are more than a few. */
export function chatsDone(done: number, of: number): void {
  const { stderr } = process
  if (!stderr.isTTY || of <= FEW_CHATS) return
  stderr.write(done === of ? own(CLEAR, stderr) : `${own('\r', stderr)}${done} of ${of} chats`)
}

function redrawn(stream: Stream) {
  const started = performance.now()
  let shownAt = 0
  let shown = false
  return {
    show(draw: (seconds: number) => string): void {
      const now = performance.now()
      if (!stream.isTTY || now - started < QUIET_MS || now - shownAt < EVERY_MS) return
      shownAt = now
      shown = true
      stream.write(own(CLEAR, stream) + draw((now - started) / 1000))
    },
    clear(): void {
      if (shown) stream.write(own(CLEAR, stream))
      shown = false
    },
  }
}

function countedLine(done: number, all: number, what: string, seconds: number, stream: Stream): string {
  const { dim } = paint(stream)
  const share = all === 0 ? 1 : done / all
  const rate = done / Math.max(seconds, 0.001)
  const left = rate > 0 ? (all - done) / rate : 0
  return [
    drawn(share, stream),
    `${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} ${what}`,
    dim(`${Math.round(rate)}/s`),
    dim(left > 1 ? `${duration(left)} left` : ''),
  ].join('  ')
}

function drawn(share: number, stream: Stream): string {
  const { dim, cyan } = paint(stream)
  const full = Math.round(share * BAR)
  return `${cyan('█'.repeat(full))}${dim('░'.repeat(BAR - full))}  ${`${Math.floor(share * 100)} %`.padStart(5)}`
}

function line(progress: Progress, seconds: number, stream: Stream): string {
  const { dim } = paint(stream)
  const share = progress.bytes === 0 ? 1 : progress.bytesDone / progress.bytes
  const rate = progress.bytesDone / Math.max(seconds, 0.001)
  const left = rate > 0 ? (progress.bytes - progress.bytesDone) / rate : 0
  return [
    drawn(share, stream),
    `${progress.messages.toLocaleString('en-US')} messages`,
    dim(`${bytes(rate)}/s`),
    dim(left > 1 ? `${duration(left)} left` : ''),
    dim(progress.source),
  ].join('  ')
}
