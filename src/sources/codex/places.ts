export { rankOf } from './rollout-files.ts'

export const ROLLOUT = /^(?:sessions|archived_sessions)\/(?:.+\/)?rollout-[^/]+\.(jsonl|jsonl\.zst|json)$/

/** What threads are called. */
export const INDEX = 'session_index.jsonl'
/** What was typed, of every session. */
export const HISTORY = 'history.jsonl'
