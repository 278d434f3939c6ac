import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * How nice it is to who answers at once: where both want the same core, what somebody waits for gets about a sixth of the time, and what nobody
 * waits for a tenth.
 */
const NICE = { waitedFor: 7, behind: 10 }

/**
 * For a process or a thread that works behind others. Only Linux knows the priority of a single thread; elsewhere this would
 * be that of the whole process.
 */
export function stepBack(who: keyof typeof NICE): void {
  if (process.platform !== 'linux' && !isMainThread) return
  try {
    os.setPriority(0, Math.max(NICE[who], os.getPriority(0)))
  } catch {
    // Somebody else decides on that.
  }
}
