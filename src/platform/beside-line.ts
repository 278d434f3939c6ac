import { parentPort } from 'node:worker_threads'
import { exit } from './exit.ts'

/** What the server says to who works beside it, in a process or a thread: the other end of `beside.ts`. */
export function onTold<Told>(hear: (told: Told) => void): void {
  if (parentPort) parentPort.on('message', hear)
  else {
    process.on('message', hear)
    // The server is gone, however it ended.
    process.on('disconnect', () => void exit())
    // A terminal tells them to everyone, and the server decides what ends.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const) process.on(signal, () => {})
    // Of a thread Node tells why it ended.
    process.once('uncaughtException', (error) => process.send?.({ died: error.message }, () => void exit(1)))
  }
}

export function tell(message: object): void {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}

/** Nothing more is said or heard: who has nothing left to do ends. */
export function hangUp(): void {
  if (parentPort) parentPort.close()
  else if (process.connected) process.disconnect()
}
