import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** How nice it is to who answers: it gets about a tenth of the time where both want the same core. */
const NICE = 10

/**
 * For a process or a thread that works behind others. Only Linux knows the priority of a single thread; elsewhere this would
 * be that of the whole process.
 */
export function stepBack(): void {
  if (process.platform !== 'linux' && !isMainThread) return
  try {
    os.setPriority(0, Math.max(NICE, os.getPriority(0)))
  } catch {
    // Somebody else decides on that.
  }
}
