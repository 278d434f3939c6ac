import { RecollectError } from '../model/errors.ts'

/** When a call is over whatever it does: its client went away, or it took too long. */
export interface Stop {
  signal: AbortSignal
  /** It is done: nothing is waited for any more. */
  over(): void
}

export function stopOf(given: AbortSignal | undefined, limitMs: number | undefined): Stop {
  const stop = new AbortController()
  const cancel = () => stop.abort(new RecollectError('CANCELLED', 'The call was cancelled.'))
  if (given?.aborted) cancel()
  given?.addEventListener('abort', cancel, { once: true })
  const timer = limitMs === undefined ? undefined : setTimeout(() => stop.abort(tooLong(limitMs)), limitMs)
  timer?.unref()
  return {
    signal: stop.signal,
    over() {
      clearTimeout(timer)
      given?.removeEventListener('abort', cancel)
    },
  }
}

function tooLong(limitMs: number): RecollectError {
  return new RecollectError(
    'TOO_LONG',
    `This took longer than ${Math.round(limitMs / 1000)} seconds and was stopped.`,
    'Ask for fewer chats, or for a shorter time.',
  )
}
