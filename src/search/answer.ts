import type { Guidance } from './guidance.ts'
import type { Translated } from './languages/translate.ts'
import type { ChatResult } from './result.ts'
import type { Tried } from './spelling.ts'
import type { TimeFilter } from './time.ts'

export interface SearchAnswer {
  status: 'ok'
  iterations_used: 1
  /** How likely the first chat is the right one. */
  confidence: number
  totalFound: number
  topChatIds: string[]
  results: ChatResult[]
  guidance: Guidance
  /** Words that stand nowhere, and what was tried instead. */
  tried?: Tried[]
  /** Words that were also looked for in other languages. */
  translated?: Translated[]
  /** The time that the words named. */
  timeFilter?: TimeFilter
  /** For the next chats; missing where there are none. */
  nextCursor?: string
  /** What went wrong without keeping the answer back. */
  notes?: string[]
  /** The answer for people, where `response_mode` is `text`. */
  text?: string
}
