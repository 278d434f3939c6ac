/** What Copilot's CLI shares with the other programs that write its events. */
export { changedChats, takeEvent } from './events.ts'
export { newState, restored, saved, sessionChat } from './state.ts'
