import type { Progress } from '../sync/sync.ts'
import { bytes, duration } from './format.ts'
import { paint, type Stream } from './paint.ts'

const BAR = 24
const EVERY_MS = 80
/** Shorter work than this shows no bar: it would only flicker. */
const QUIET_MS = 150

/** A progress bar with rate and remaining time, on a terminal; silent elsewhere. */
export function progressBar(stream: Stream = process.stderr) {
  const started = performance.now()
  let shownAt = 0
  let shown = false
  return {
    show(progress: Progress): void {
      const now = performance.now()
      if (!stream.isTTY || now - started < QUIET_MS || now - shownAt < EVERY_MS) return
      shownAt = now
      shown = true
      stream.write(`\r\u001b[2K${line(progress, (now - started) / 1000, stream)}`)
    },
    clear(): void {
      if (shown) stream.write('\r\u001b[2K')
      shown = false
    },
  }
}

export function line(progress: Progress, seconds: number, stream: Stream): string {
  const { dim, cyan } = paint(stream)
  const share = progress.bytes === 0 ? 1 : progress.bytesDone / progress.bytes
  const full = Math.round(share * BAR)
  const rate = progress.bytesDone / Math.max(seconds, 0.001)
  const left = rate > 0 ? (progress.bytes - progress.bytesDone) / rate : 0
  return [
    cyan('█'.repeat(full)) + dim('░'.repeat(BAR - full)),
    `${Math.floor(share * 100)} %`.padStart(5),
    `${progress.messages.toLocaleString('en-US')} messages`,
    dim(`${bytes(rate)}/s`),
    dim(left > 1 ? `${duration(left)} left` : ''),
    dim(progress.source),
  ].join('  ')
}
