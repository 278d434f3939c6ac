/** What OpenClaw and Letta share with pi: its messages, its entries and its files. */
export { messageOf, Path, takeEntry } from './entries.ts'
export { toMessage } from './message.ts'
export { readSession } from './session.ts'
