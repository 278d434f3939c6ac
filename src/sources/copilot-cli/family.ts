/** What Copilot's CLI shares with the other programs that write its events. */
export { changedChats, takeEvent } from './events.ts'
export { type EventsState, newState, restored, saved, sessionChat } from './state.ts'
