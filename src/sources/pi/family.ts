/** What OpenClaw and Letta share with pi: its messages and its entries. */
export { ENTRIES, linkOf, messageOf, takeEntry } from './entries.ts'
export { toMessage } from './message.ts'
