import { parentPort } from 'node:worker_threads'
import type { Answered, ToHelper } from './aside-words.ts'

/** What the server says to who works beside it, in a process or a thread: the other end of `aside-start.ts`. */
export function onTold(hear: (told: ToHelper) => void): void {
  if (parentPort) parentPort.on('message', hear)
  else {
    process.on('message', hear)
    // The server is gone, however it ended.
    process.on('disconnect', () => process.exit())
    // A terminal tells them to everyone, and the server decides what ends.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, () => {})
    // Of a thread Node tells why it ended.
    process.once('uncaughtException', (error) =>
      process.send?.({ died: error.message }, () => process.exit(1)),
    )
  }
}

export function tell(answered: Answered): void {
  if (parentPort) parentPort.postMessage(answered)
  else process.send?.(answered)
}
