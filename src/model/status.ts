import type { Chat, ChatStatus } from './chat.ts'

/** A turn that has not gone on for so long is over. */
export const LONGEST_RUN_MS = 6 * 60 * 60 * 1_000

/** How a chat's last turn ended, or that it goes on. An assistant that died in the middle of a turn leaves it running for ever. */
export function statusNow(
  { status, updatedAt = 0 }: Pick<Chat, 'status' | 'updatedAt'>,
  now = Date.now(),
): ChatStatus | undefined {
  const isOpen = status === 'running' || status === 'waiting'
  return isOpen && now - updatedAt > LONGEST_RUN_MS ? 'cancelled' : status
}
