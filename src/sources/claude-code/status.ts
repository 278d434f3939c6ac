import type { ChatStatus } from '../../model/chat.ts'
import { type Json, words } from '../json.ts'
import { blocksOf } from './content.ts'

/** Calls that wait for the person. That one waits for permission, no file says. */
const QUESTIONS = new Set(['AskUserQuestion', 'ExitPlanMode'])

/** How the turn is after a line of an answer. Old versions do not say that a turn ended: then words do, until a call follows. */
export function statusAfter({ content, stop_reason }: Json): ChatStatus {
  const blocks = blocksOf(content)
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  if (calls.some(({ name }) => QUESTIONS.has(words(name) ?? ''))) return 'waiting'
  if (calls.length > 0 || stop_reason === 'tool_use') return 'running'
  const isOver = typeof stop_reason === 'string' || blocks.some(({ type }) => type === 'text')
  return isOver ? 'done' : 'running'
}
