import { setTimeout as sleep } from 'node:timers/promises'
import { keepCompiled, SHORT_S } from './kept-code.ts'

/** What V8 compiles in the meantime takes a millisecond or two. */
const COMPILED_MS = 30

/**
 * Ends the process, whatever would hold it. V8 may still compile what ran last in a thread of its own; where that thread waits for this one
 * to clean up memory, `process.exit` waits for the thread, and neither ends (nodejs/node#54918). So it is let finish first, and what
 * would be done at the very end, and takes memory, is done before.
 */
export async function exit(code?: number): Promise<never> {
  if (code !== undefined) process.exitCode = code
  if (process.uptime() < SHORT_S) keepCompiled()
  await sleep(COMPILED_MS)
  process.exit()
}
