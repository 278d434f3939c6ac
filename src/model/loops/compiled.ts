import { CODE } from './code.ts'
import { loaded } from './memory.ts'

type Loop = (...numbers: number[]) => number

/**
 * The loops over lists of messages and chats, which are most of what a search does, as WebAssembly (loops.as.ts): a third less time than V8's
 * best code takes for them, and less still for a first search. Here by their names there; ranking.ts and table.ts have them with types.
 * Whether a message was met before is as good as chance: what is kept of those met first is written each time, and counted or not, as a
 * processor that guesses wrong loses more than a write.
 */
export const code = loaded(Buffer.from(CODE, 'base64')) as Record<
  | 'addList'
  | 'addTimes'
  | 'addWords'
  | 'clear'
  | 'clearAt'
  | 'clearBytesAt'
  | 'countCodes'
  | 'decode'
  | 'fillShorts'
  | 'flagged'
  | 'gatherList'
  | 'raiseList'
  | 'takeIn'
  | 'takeTimes'
  | 'topOf'
  | 'uniteList'
  | 'weighList'
  | 'withUnits',
  Loop
>
